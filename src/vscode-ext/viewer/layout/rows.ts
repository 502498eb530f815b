// What a box shows, line by line, and its size.
import { type Box, type BoxTree, nodesOf, readsOutwards } from '../merge/boxes';
import { clip, placeOf, shortName } from '../model/names';
import { counted, times } from '../model/numbers';
import { stateIndex, states } from '../model/states';
import type { StackState, TreeFrame, TreeStack } from '../model/tree';
import { fitName } from './names';

export type Row =
  | { readonly kind: 'title'; readonly text: string }
  /** What more is known of a title. */
  | { readonly kind: 'detail'; readonly text: string }
  /** `index` counts the box's frames in the order in which they are shown. */
  | {
      readonly kind: 'frame';
      readonly index: number;
      readonly frame: TreeFrame;
      readonly name: string;
      readonly place: string;
      /** The name takes two lines. */
      readonly double?: boolean;
    }
  | { readonly kind: 'gap'; readonly text: string }
  /** Stacks that end here, in this state, with this wait. */
  | { readonly kind: 'end'; readonly state: StackState; readonly text: string; readonly count: string };

/** What the size of a box depends on. */
export interface Face {
  /** Width in pixels of a text in the viewer's font. */
  readonly measure: (text: string) => number;
  /** The maximum width of a box; smaller in a narrow panel. */
  readonly widest: number;
  /** Width of the view, over which boxes without children are spread. */
  readonly view?: number;
}

/** Sizes in pixels. Text that can be wrapped or cut makes no box wider than `roomy`. */
export const metrics = { head: 24, row: 19, padding: 7, second: 15, narrowest: 150, roomy: 330, widest: 390 } as const;

const usualFrames = 9;
const framesBeforeGap = 4;
const framesAfterGap = 4;
const usualEnds = 4;

/** Room beside the text of a row. */
const sides = 26;
const endSides = 19;

/** Options for what a box shows. */
export interface Wish {
  /** The maximum number of rows. */
  readonly most?: number | undefined;
  /** A frame that must be shown. */
  readonly frame?: number | undefined;
}

export function rowsOf(tree: BoxTree, box: Box, wish: Wish = {}): Row[] {
  const rows: Row[] = box.title === undefined ? [] : [{ kind: 'title', text: clip(box.title) }];
  const about = box.resource === undefined ? undefined : tree.forest.resources.get(box.resource);
  if (about)
    rows.push({ kind: 'detail', text: clip([about.text, about.name ? about.type : undefined].filter(Boolean).join(' \u00b7 ')) });
  const nodes = nodesOf(tree, box);
  let next = 0;
  for (const index of [...framesShown(nodes.length, wish), nodes.length]) {
    if (index > next) rows.push({ kind: 'gap', text: `\u2026 ${counted(index - next, 'more frame')}` });
    const node = nodes[index];
    if (node !== undefined) rows.push(frameRow(tree.forest.frameOf(node), index));
    next = index + 1;
  }
  if (!readsOutwards(tree)) rows.push(...endRows(tree, box, wish.most ?? usualEnds));
  return rows;
}

/** Indexes of the frames that are shown: the first and the last ones, and those around a requested frame. */
function framesShown(count: number, { most = 0, frame = -1 }: Wish): number[] {
  if (count <= Math.max(most, usualFrames)) return Array.from({ length: count }, (_, index) => index);
  const before = Math.max(framesBeforeGap, most - framesAfterGap - 1);
  const shown = new Set<number>();
  const add = (from: number, to: number): void => {
    for (let index = Math.max(0, from); index < Math.min(count, to); index++) shown.add(index);
  };
  add(0, before);
  if (frame >= 0) add(frame - 1, frame + 2);
  add(count - framesAfterGap, count);
  return [...shown].sort((one, other) => one - other);
}

function frameRow(frame: TreeFrame, index: number): Row {
  const name = frame.repeat === undefined ? shortName(frame) : `${shortName(frame)} \u21bb ${clip(frame.repeat, 80)}`;
  return { kind: 'frame', index, frame, name, place: placeOf(frame) };
}

function endRows(tree: BoxTree, box: Box, most: number): Row[] {
  const ends = new Map<string, { state: StackState; text: string; count: number }>();
  for (const number of box.ends) {
    const stack = tree.forest.stacks[number];
    if (!stack) continue;
    const text = endText(stack);
    const same = ends.get(stack.state + text);
    if (same) same.count += stack.count;
    else ends.set(stack.state + text, { state: stack.state, text, count: stack.count });
  }
  const sorted = [...ends.values()].sort((a, b) => stateIndex(a.state) - stateIndex(b.state) || b.count - a.count);
  const shown = sorted.slice(0, sorted.length > most ? most - 1 : most);
  const rows = shown.map(({ state, text, count }): Row => {
    return { kind: 'end', state, text, count: count === box.count || sorted.length === 1 ? '' : times(count) };
  });
  const rest = sorted.length - shown.length;
  return rest === 0 ? rows : [...rows, { kind: 'gap', text: `\u2026 ${counted(rest, 'more wait')}` }];
}

/** `waits for SemaphoreSlim.WaitAsync, 0 free, 398 waiting`. */
export function endText(stack: TreeStack): string {
  const wait = stack.wait && stack.wait.kind !== 'none' ? clip(stack.wait.text) : '';
  if (stack.state === 'awaiting') return wait ? `waits for ${wait}` : 'awaiting';
  const on = stack.thread !== undefined && stack.state !== 'deadlocked' ? ` on thread ${stack.thread}` : '';
  return wait ? `${stack.state}${on}: ${wait}` : `${stack.state}${on}`;
}

/** The head of a box besides the count: each state that occurs in it. */
export function stateCounts(counts: readonly number[]): { state: StackState; count: number }[] {
  return states.flatMap((state, index) => {
    const count = counts[index] ?? 0;
    return count > 0 ? [{ state, count }] : [];
  });
}

/** The rows of a box of this width: names are shortened so that the method's is never cut. */
export function fitRows(rows: readonly Row[], width: number, { measure }: Face): Row[] {
  return rows.map((row) => (row.kind === 'frame' ? { ...row, ...fitName(row.frame, width - sides, measure) } : row));
}

/** Height of a row in a box of this width: what stacks wait for may take two lines, and a long name. */
export function rowHeight(row: Row, width: number, { measure }: Face): number {
  const isDouble = row.kind === 'end' ? endWidth(row, measure) > width - endSides : row.kind === 'frame' && row.double === true;
  return metrics.row + (isDouble ? metrics.second : 0);
}

export function heightOf(heights: readonly number[]): number {
  return heights.reduce((sum, height) => sum + height, metrics.head + metrics.padding);
}

export function widthOf(rows: readonly Row[], box: Box, { measure, widest }: Face): number {
  const head = measure(times(box.count)) + 90 + stateCounts(box.states).length * 46 + (box.oldest > 0 ? 60 : 0);
  const room = rows.reduce((most, row) => Math.max(most, rowWidth(row, measure)), head);
  return Math.ceil(Math.min(widest, Math.max(metrics.narrowest, room + sides)));
}

function rowWidth(row: Row, measure: Face['measure']): number {
  if (row.kind === 'frame') {
    const width = measure(row.name) + (row.place === '' ? 0 : measure(row.place) + 18);
    return row.frame.repeat === undefined ? width : Math.min(width, metrics.roomy - sides);
  }
  if (row.kind === 'end') return Math.min(endWidth(row, measure), metrics.roomy - sides);
  return Math.min(measure(row.text), metrics.roomy - sides);
}

function endWidth(row: Extract<Row, { kind: 'end' }>, measure: Face['measure']): number {
  return measure(row.text) + (row.count === '' ? 0 : measure(row.count) + 12) + 18;
}
