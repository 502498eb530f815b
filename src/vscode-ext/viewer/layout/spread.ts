// Boxes without callers and callees in sight, as of a program that only waits: beside each other, so that the drawing is not one long column.
import { gaps } from './gaps';
import type { Item } from './items';
import type { Face } from './rows';

/** Gives runs of such boxes a column each, from left to right; those `apart` stay below each other, so that arcs beside them can be followed. */
export function spread(items: readonly Item[], { view = 0 }: Face, apart: ReadonlySet<number> | undefined): void {
  const single = (item: Item | undefined): boolean =>
    item?.box !== undefined &&
    !apart?.has(item.box.key) &&
    !item.parent &&
    item.holders.length === 0 &&
    item.children.length === 0 &&
    !item.open;
  const roots = items.filter((item) => !item.parent && !item.beside);
  const loose = roots.filter(single);
  if (loose.length < 2) return;
  const levels = items.reduce((most, { column }) => Math.max(most, column + 1), 1);
  const width = Math.max(...loose.map((item) => item.width)) + gaps.column;
  const columns = Math.max(levels, Math.floor((view - gaps.margin) / width));
  if (columns < 2) return;
  const first = loose[0]?.column ?? 0;
  let at = first;
  for (const [index, item] of roots.entries()) {
    if (!single(item)) continue;
    // A run begins at the left.
    if (!single(roots[index - 1])) at = first;
    item.column = at;
    at = at + 1 < columns ? at + 1 : first;
  }
}
