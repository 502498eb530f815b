// Finds what is in view. Items of a column are sorted from top to bottom, so a binary search finds the first one.
import type { Rect } from './camera';
import type { Item } from './items';
import type { Layout } from './layout';

/** Index of the first of `count` items for which `passes`, provided that all after it pass, too. */
export function firstPassing(count: number, passes: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function firstColumn(layout: Layout, x: number, gap: number): number {
  return firstPassing(layout.left.length, (at) => (layout.left[at] ?? 0) + (layout.widths[at] ?? 0) + gap >= x);
}

/** Calls back with every item that overlaps a part of the drawing. */
export function itemsWithin(layout: Layout, part: Rect, each: (item: Item) => void): void {
  for (let at = firstColumn(layout, part.x, 0); at < layout.columns.length; at++) {
    if ((layout.left[at] ?? 0) > part.x + part.width) return;
    const column = layout.columns[at] ?? [];
    const first = firstPassing(column.length, (row) => endOf(column[row]) >= part.y);
    for (let row = first; row < column.length; row++) {
      const item = column[row] as Item;
      if (item.y > part.y + part.height) break;
      each(item);
    }
  }
}

function endOf(item: Item | undefined): number {
  return item ? item.y + item.height : 0;
}

/** Calls back with every item whose lines to children may cross a part of the drawing. */
export function forksWithin(layout: Layout, part: Rect, gap: number, each: (item: Item) => void): void {
  const reach = (item: Item | undefined): number => item?.children.at(-1)?.y ?? -1;
  for (let at = firstColumn(layout, part.x, gap); at < layout.columns.length; at++) {
    if ((layout.left[at] ?? 0) > part.x + part.width) return;
    const column = (layout.forks[at] ?? []) as readonly Item[];
    const first = firstPassing(column.length, (row) => reach(column[row]) + 30 >= part.y);
    for (let row = first; row < column.length; row++) {
      const item = column[row] as Item;
      if (item.y > part.y + part.height) break;
      each(item);
    }
  }
}

/** The children of an item to which a line is visible: those in view, and one below, for the line that leads there. */
export function childrenWithin(item: Item, part: Rect): readonly Item[] {
  const { children } = item;
  const first = firstPassing(children.length, (at) => endOf(children[at]) >= part.y);
  const below = firstPassing(children.length, (at) => (children[at]?.y ?? 0) > part.y + part.height);
  return children.slice(first, below + 1);
}
