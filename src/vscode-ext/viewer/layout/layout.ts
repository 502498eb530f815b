// Places boxes: roots on the left, a column for each level, the first child beside its parent and the others below.
// A line of first children is placed as one row, at the highest position that is free in all its columns, so each box is visited once.
import type { Item } from './items';

export const gaps = { column: 48, row: 14, root: 26, margin: 24 } as const;

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** By level, from 0: its items from top to bottom. */
  readonly columns: readonly (readonly Item[])[];
  /** The same for items with children only; where one ends, the next begins. */
  readonly forks: readonly (readonly Item[])[];
  readonly left: readonly number[];
  readonly widths: readonly number[];
}

export function layOut(items: readonly Item[]): Layout {
  const widths: number[] = [];
  for (const item of items) widths[item.level - 1] = Math.max(widths[item.level - 1] ?? 0, item.width);
  const left: number[] = [];
  let right: number = gaps.margin;
  for (const [column, width] of widths.entries()) {
    left[column] = right;
    right += width + gaps.column;
  }
  const columns: Item[][] = widths.map(() => []);
  const bottom = placeAll(items, columns);
  for (const item of items) {
    item.x = left[item.level - 1] ?? 0;
  }
  const forks = columns.map((column) => column.filter((item) => item.children.length > 0));
  return { width: right - gaps.column + gaps.margin, height: bottom + gaps.margin, columns, forks, left, widths };
}

/** Places every line, upper ones first; returns the lower edge of the lowest box. */
function placeAll(items: readonly Item[], columns: Item[][]): number {
  const free = columns.map(() => 0);
  const starts = items.filter((item) => !item.parent).reverse();
  let bottom = gaps.margin - gaps.root;
  let floor = gaps.margin;
  for (let start = starts.pop(); start; start = starts.pop()) {
    // A tree begins below all of the tree before it.
    if (!start.parent) floor = bottom + gaps.root;
    const line = lineFrom(start);
    const top = line.reduce((most, item) => Math.max(most, free[item.level - 1] ?? 0), floor);
    for (const item of line) {
      item.y = top;
      free[item.level - 1] = top + item.height + gaps.row;
      bottom = Math.max(bottom, top + item.height);
      columns[item.level - 1]?.push(item);
      // The children of the innermost box are placed first, so they are pushed last.
      for (let at = item.children.length - 1; at > 0; at--) starts.push(item.children[at] as Item);
    }
  }
  return Math.max(0, bottom);
}

function lineFrom(start: Item): Item[] {
  const line: Item[] = [];
  for (let item: Item | undefined = start; item; item = item.children[0]) line.push(item);
  return line;
}
