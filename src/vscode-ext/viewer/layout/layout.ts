// Places boxes: roots on the left, a column for each level, the first child beside its parent and the others below.
// A line of first children is placed as one row, at the highest position that is free in all its columns, so each box is visited once.
import { gaps } from './gaps';
import type { Item } from './items';

export { gaps };

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** Its items from top to bottom. */
  readonly columns: readonly (readonly Item[])[];
  /** The same for items with children only; where one ends, the next begins. */
  readonly forks: readonly (readonly Item[])[];
  readonly left: readonly number[];
  readonly widths: readonly number[];
}

export function layOut(items: readonly Item[]): Layout {
  const widths: number[] = [];
  for (const item of items) widths[item.column] = Math.max(widths[item.column] ?? 0, item.width);
  const left: number[] = [];
  let right: number = gaps.margin;
  for (let column = 0; column < widths.length; column++) {
    widths[column] ??= 0;
    left[column] = right;
    right += (widths[column] ?? 0) + gaps.column;
  }
  const columns: Item[][] = widths.map(() => []);
  const bottom = new Placing(columns).placeAll(items);
  for (const item of items) {
    item.x = left[item.column] ?? 0;
  }
  const forks = columns.map((column) => column.filter((item) => item.children.length > 0));
  return { width: right - gaps.column + gaps.margin, height: bottom + gaps.margin, columns, forks, left, widths };
}

class Placing {
  private readonly free: number[];
  private bottom = gaps.margin - gaps.root;
  private floor: number = gaps.margin;
  /** Where the row of boxes beside each other begins, and its last column. */
  private row = { top: 0, column: -1 };

  constructor(private readonly columns: Item[][]) {
    this.free = columns.map(() => 0);
  }

  /** Places every line, upper ones first; returns the lower edge of the lowest box. */
  placeAll(items: readonly Item[]): number {
    const starts = items.filter((item) => !item.parent && !item.beside).reverse();
    for (let start = starts.pop(); start; start = starts.pop()) {
      if (!start.parent) this.beginRoot(start);
      const line = lineFrom(start);
      const top = line.reduce((most, item) => Math.max(most, this.free[item.column] ?? 0), this.floor);
      this.placeHolders(start, top);
      for (const item of line) {
        this.place(item, top);
        // The children of the innermost box are placed first, so they are pushed last.
        for (let at = item.children.length - 1; at > 0; at--) starts.push(item.children[at] as Item);
      }
    }
    return Math.max(0, this.bottom);
  }

  /** A tree begins below all of the tree before it; boxes without a tree stand beside each other. */
  private beginRoot(root: Item): void {
    const isBeside = root.children.length === 0 && root.column > this.row.column && this.row.column >= 0;
    if (isBeside) this.floor = this.row.top;
    else {
      this.floor = this.bottom + gaps.root;
      this.row.top = this.floor;
    }
    this.row.column = root.children.length === 0 ? root.column : -1;
  }

  private placeHolders(item: Item, top: number): void {
    let y = top;
    for (const holder of item.holders) {
      this.place(holder, y);
      y += holder.height + gaps.row;
    }
  }

  private place(item: Item, top: number): void {
    item.y = top;
    this.free[item.column] = top + item.height + gaps.row;
    this.bottom = Math.max(this.bottom, top + item.height);
    this.columns[item.column]?.push(item);
  }
}

function lineFrom(start: Item): Item[] {
  const line: Item[] = [];
  for (let item: Item | undefined = start; item; item = item.children[0]) line.push(item);
  return line;
}
