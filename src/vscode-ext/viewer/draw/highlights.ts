// The user's selection and search, as the drawing needs them.
import type { Item } from '../layout/items';
import type { Row } from '../layout/rows';
import type { FindingRecord } from '../model/findings';
import type { TreeFrame } from '../model/tree';

export interface Highlights {
  /** Key of the selected item. */
  readonly selected: string | undefined;
  /** Index of the current frame in it. */
  readonly frame: number;
  /** The finding that is shown, and the keys of the boxes in which its stacks end. */
  readonly finding?: { readonly boxes: ReadonlySet<number>; readonly record: FindingRecord } | undefined;
  /** The hits of the search; undefined without a search. */
  readonly found:
    | { readonly frames: ReadonlySet<TreeFrame>; readonly boxes: ReadonlySet<number>; readonly text: string }
    | undefined;
}

/** A box in which a stack of the finding ends. */
export function isAccused({ box }: Item, { finding }: Highlights): boolean {
  return box !== undefined && (finding?.boxes.has(box.key) ?? false);
}

/** A row with a search hit. */
export function isHit(row: Row, item: Item, highlights: Highlights): boolean {
  const { found } = highlights;
  if (!found || !item.box) return false;
  if (row.kind === 'frame') return found.frames.has(row.frame);
  return row.kind !== 'gap' && found.text !== '' && found.boxes.has(item.box.key) && row.text.toLowerCase().includes(found.text);
}
