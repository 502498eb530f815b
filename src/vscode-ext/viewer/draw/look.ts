// What the user has chosen, as the drawing needs it.
import type { Item } from '../layout/items';
import type { Row } from '../layout/rows';
import type { TreeFrame } from '../model/tree';

export interface Look {
  /** Key of the selected item. */
  readonly selected: string | undefined;
  /** Index of the current frame in it. */
  readonly frame: number;
  /** What a search has found; undefined when nothing is searched for. */
  readonly found:
    | { readonly frames: ReadonlySet<TreeFrame>; readonly boxes: ReadonlySet<number>; readonly text: string }
    | undefined;
}

/** A row in which the search has found something. */
export function isHit(row: Row, item: Item, look: Look): boolean {
  const { found } = look;
  if (!found || !item.box) return false;
  if (row.kind === 'frame') return found.frames.has(row.frame);
  return row.kind !== 'gap' && found.text !== '' && found.boxes.has(item.box.key) && row.text.toLowerCase().includes(found.text);
}
