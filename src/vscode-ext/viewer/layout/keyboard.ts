// Keys in the drawing. Columns are levels: left and right move along a stack, up and down
// within a column.
import type { Item, Shown } from './items';
import type { Layout } from './layout';

/** The item that a key leads to; undefined if there is none. */
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

/** How far a key with Ctrl moves the picture, as a fraction of the view. */
export const pans: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, 0.2],
  ArrowDown: [0, -0.2],
  ArrowLeft: [0.2, 0],
  ArrowRight: [-0.2, 0],
};

/** The zoom that a key sets; 0 stands for "fit all". */
export const zooms: Readonly<Record<string, number>> = { '+': 1.25, '=': 1.25, '-': 1 / 1.25, '0': 0 };
