// Keys in the drawing. Columns are levels: left and right move along a stack, up and down
// within a column; boxes without a stack in sight stand beside each other.
import type { Item, Shown } from './items';
import type { Layout } from './layout';

/** The item that a key leads to; undefined if there is none. */
export function neighbour(key: string, item: Item, shown: Shown, layout: Layout): Item | undefined {
  const column = layout.columns[item.column] ?? [];
  const at = column.indexOf(item);
  switch (key) {
    case 'ArrowUp':
      return column[at - 1];
    case 'ArrowDown':
      return column[at + 1];
    case 'ArrowLeft':
      return item.parent ?? item.holders[0] ?? across(item, layout, -1);
    case 'ArrowRight':
      return item.children[0] ?? across(item, layout, 1);
    case 'Home':
      return shown.items[0];
    case 'End':
      return shown.items.at(-1);
    default:
      return undefined;
  }
}

/** The box beside one that has no stack in sight: of the next column, at about the same height. */
function across(item: Item, layout: Layout, by: 1 | -1): Item | undefined {
  if (item.parent || item.children.length > 0) return undefined;
  const next = (layout.columns[item.column + by] ?? []).filter(({ parent }) => !parent);
  const distance = (other: Item): number => Math.abs(other.y - item.y);
  const nearest = next.reduce<Item | undefined>(
    (best, other) => (!best || distance(other) < distance(best) ? other : best),
    undefined,
  );
  return nearest && (item.beside !== undefined || distance(nearest) < item.height + nearest.height) ? nearest : undefined;
}

/** How far a key with Ctrl moves the picture, as a fraction of the view. */
export const pans: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, 0.2],
  ArrowDown: [0, -0.2],
  ArrowLeft: [0.2, 0],
  ArrowRight: [-0.2, 0],
};

/** The zoom that a key sets; 0 stands for "fit all". */
export const zooms: Readonly<Record<string, number>> = { '+': 1.25, '=': 1.25, '-': 1 / 1.25, '0': 0 };
