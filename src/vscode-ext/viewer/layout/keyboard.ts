// Keys in the drawing. Columns are levels, so the arrows go where they point: left and right along a stack, up and down
// within a column.
import type { Item, Shown } from './items';
import type { Layout } from './layout';

/** Where a key leads from an item; undefined when it leads nowhere. */
export function neighbour(key: string, item: Item, shown: Shown, layout: Layout): Item | undefined {
  const column = layout.columns[item.level - 1] ?? [];
  const at = column.indexOf(item);
  switch (key) {
    case 'ArrowUp':
      return column[at - 1];
    case 'ArrowDown':
      return column[at + 1];
    case 'ArrowLeft':
      return item.parent;
    case 'ArrowRight':
      return item.children[0];
    case 'Home':
      return shown.items[0];
    case 'End':
      return shown.items.at(-1);
    default:
      return undefined;
  }
}

/** How far a key with Ctrl moves the picture, in shares of the view. */
export const pans: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, 0.2],
  ArrowDown: [0, -0.2],
  ArrowLeft: [0.2, 0],
  ArrowRight: [-0.2, 0],
};

/** Zoom of a key; 0 stands for "all of it". */
export const zooms: Readonly<Record<string, number>> = { '+': 1.25, '=': 1.25, '-': 1 / 1.25, '0': 0 };
