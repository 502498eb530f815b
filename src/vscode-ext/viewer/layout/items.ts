// The visible items of a tree of boxes: the boxes that are not folded away, one "+N more" for the children beyond the limit, and who holds a resource.
import type { Box, BoxTree, Direction } from '../merge/boxes';
import type { Folds } from '../merge/folds';
import { counted, grouped } from '../model/numbers';
import { holdersOf } from '../model/resources';
import { states } from '../model/states';
import { type Beside, holderItems } from './beside';
import { type Face, fitRows, heightOf, metrics, type Row, rowHeight, rowsOf, widthOf } from './rows';
import { spread } from './spread';

export interface Item {
  /** For a box, its key; for "+N more", a text derived from its parent's key. */
  readonly key: string;
  /** Undefined for "+N more", and for who holds a resource. */
  readonly box: Box | undefined;
  /** The stack or thread that holds the resource beside it. */
  readonly beside?: Beside;
  readonly parent: Item | undefined;
  readonly children: Item[];
  /** Those that hold it, if it is a resource: on its other side. */
  readonly holders: Item[];
  rows: readonly Row[];
  readonly count: number;
  readonly states: readonly number[];
  readonly level: number;
  /** Number of its column; that of its level, except for boxes that are spread over the width. */
  column: number;
  /** From 1, among its siblings. */
  readonly position: number;
  readonly siblings: number;
  readonly open: boolean;
  /** In reading order. */
  order: number;
  x: number;
  y: number;
  width: number;
  height: number;
  /** Of each row. */
  heights: readonly number[];
}

export interface Shown {
  readonly tree: BoxTree;
  /** In reading order: a box, then its descendants. */
  readonly items: readonly Item[];
  readonly byKey: ReadonlyMap<string, Item>;
}

/** The items of a tree; boxes are measured once and cached in `sizes`. */
export function showItems(tree: BoxTree, folds: Folds, face: Face, apart?: ReadonlySet<number>): Shown {
  const items: Item[] = [];
  const byKey = new Map<string, Item>();
  const hasHolders = tree.roots.some((root) => root.resource !== undefined && holdersOf(tree.forest, root.resource).length > 0);
  const first = hasHolders ? 2 : 1;
  const add = (item: Item): void => {
    item.order = items.length;
    items.push(item);
    byKey.set(item.key, item);
  };
  const open = below(tree.roots, undefined, folds, tree, face, first).reverse();
  for (let item = open.pop(); item; item = open.pop()) {
    add(item);
    if (item.box?.resource !== undefined && hasHolders) {
      item.holders.push(...holderItems(item, tree, face));
      item.holders.forEach(add);
    }
    if (!item.box || !item.open) continue;
    item.children.push(...below(item.box.children, item, folds, tree, face, first));
    for (let at = item.children.length - 1; at >= 0; at--) open.push(item.children[at] as Item);
  }
  spread(items, face, apart);
  fitColumns(items, face);
  return { tree, items, byKey };
}

/** All boxes of a column are as wide as the widest, and as high as that width requires. */
function fitColumns(items: readonly Item[], face: Face): void {
  const widths: number[] = [];
  for (const item of items) widths[item.column] = Math.max(widths[item.column] ?? 0, item.width);
  for (const item of items) {
    item.width = widths[item.column] ?? item.width;
    if (!item.box && !item.beside) continue;
    item.rows = fitRows(item.rows, item.width, face);
    item.heights = item.rows.map((row) => rowHeight(row, item.width, face));
    item.height = heightOf(item.heights);
  }
}

function below(boxes: readonly Box[], parent: Item | undefined, folds: Folds, tree: BoxTree, face: Face, first: number): Item[] {
  const shown = folds.shown(boxes, parent?.box?.key ?? 0);
  const siblings = shown.boxes.length + (shown.rest.length > 0 ? 1 : 0);
  const level = parent ? parent.level + 1 : first;
  const items = shown.boxes.map((box, at): Item => {
    const rows = rowsOf(tree, box, { most: folds.rows.get(box.key), frame: folds.frames.get(box.key) });
    return {
      ...{ key: String(box.key), box, parent, children: [], holders: [], rows, count: box.count, states: box.states, level },
      ...{
        column: level - 1,
        position: at + 1,
        siblings,
        open: folds.isOpen(box) && box.children.length > 0,
        order: 0,
        x: 0,
        y: 0,
      },
      ...{ width: widthOf(rows, box, face), height: 0, heights: [] },
    };
  });
  if (shown.rest.length > 0) items.push(moreItem(shown.rest, parent, level, siblings, face));
  return items;
}

function moreItem(rest: readonly Box[], parent: Item | undefined, level: number, siblings: number, face: Face): Item {
  const count = rest.reduce((sum, box) => sum + box.count, 0);
  const text = `+${grouped(rest.length)} more (${counted(count, 'stack')})`;
  return {
    ...{
      key: `more ${parent?.key ?? ''}`,
      box: undefined,
      parent,
      children: [],
      holders: [],
      rows: [{ kind: 'title', text }],
      count,
    },
    states: states.map((_, state) => rest.reduce((sum, box) => sum + (box.states[state] ?? 0), 0)),
    ...{ level, column: level - 1, position: siblings, siblings, open: false, order: 0, x: 0, y: 0 },
    ...{ width: Math.max(metrics.narrowest, Math.round(face.measure(text) + 40)), height: 30, heights: [metrics.row] },
  };
}

/** The item that shows a box: its own, or the nearest visible ancestor's. */
export function itemOf(shown: Shown, box: Box | undefined): Item | undefined {
  for (let at = box; at; at = at.parent) {
    const item = shown.byKey.get(String(at.key));
    if (item) return item;
  }
  return undefined;
}

/** The user's innermost visible frame, or the innermost one. */
export function usualFrame(item: Item, direction: Direction): number {
  const frames = item.rows.filter((row) => row.kind === 'frame');
  const inwards = direction === 'inner' ? frames : frames.reverse();
  return (inwards.find((row) => !row.frame.framework && row.frame.file) ?? inwards[0])?.index ?? -1;
}
