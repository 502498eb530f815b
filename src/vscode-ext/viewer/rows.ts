// What a box shows, line by line, and how big that makes it.
import { type Box, type BoxTree, nodesOf } from './boxes';
import { clip, placeOf, shortName } from './names';
import { counted, times } from './numbers';
import { stateIndex, states } from './states';
import type { StackState, TreeFrame, TreeStack } from './tree';

export type Row =
  | { readonly kind: 'title'; readonly text: string }
  /** `index` counts the box's frames in the order in which they are shown. */
  | { readonly kind: 'frame'; readonly index: number; readonly frame: TreeFrame; readonly name: string; readonly place: string }
  | { readonly kind: 'gap'; readonly text: string }
  /** Stacks that end here, in this state, with this wait. */
  | { readonly kind: 'end'; readonly state: StackState; readonly text: string; readonly count: string; readonly lines: 1 | 2 };

/** Width in pixels of a text in the viewer's font. */
export type Measure = (text: string) => number;

export const metrics = { head: 24, row: 19, padding: 7, second: 15, narrowest: 150, widest: 390 } as const;

const usualRows = 9;
const rowsBeforeGap = 4;
const usualEnds = 4;

/** Room beside the text of a row. */
const sides = 26;

/** `most` frames at most; 0 for the usual number. */
export function rowsOf(tree: BoxTree, box: Box, measure: Measure, most = 0): Row[] {
  const rows: Row[] = box.title === undefined ? [] : [{ kind: 'title', text: clip(box.title) }];
  const nodes = nodesOf(tree, box);
  const limit = Math.max(most, usualRows);
  const shown = nodes.length > limit ? limit - 1 : nodes.length;
  const before = most > 0 ? shown - (usualRows - 1 - rowsBeforeGap) : rowsBeforeGap;
  nodes.forEach((node, index) => {
    const hidden = nodes.length - shown;
    if (hidden === 0 || index < before || index >= before + hidden) rows.push(frameRow(tree.forest.frameOf(node), index));
    else if (index === before) rows.push({ kind: 'gap', text: `\u2026 ${counted(hidden, 'more frame')}` });
  });
  if (tree.direction === 'outer') rows.push(...endRows(tree, box, measure));
  return rows;
}

function frameRow(frame: TreeFrame, index: number): Row {
  const name = frame.repeat === undefined ? shortName(frame) : `${shortName(frame)} \u21bb ${clip(frame.repeat, 80)}`;
  return { kind: 'frame', index, frame, name, place: placeOf(frame) };
}

function endRows(tree: BoxTree, box: Box, measure: Measure): Row[] {
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
  const shown = sorted.slice(0, sorted.length > usualEnds ? usualEnds - 1 : usualEnds);
  const rows = shown.map(({ state, text, count }): Row => {
    const row = { kind: 'end', state, text, count: count === box.count ? '' : times(count), lines: 1 } as const;
    return rowWidth(row, measure) > metrics.widest - sides ? { ...row, lines: 2 } : row;
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

/** What the head of a box says besides the count: each state that is in it. */
export function stateCounts(counts: readonly number[]): { state: StackState; count: number }[] {
  return states.flatMap((state, index) => {
    const count = counts[index] ?? 0;
    return count > 0 ? [{ state, count }] : [];
  });
}

export function heightOf(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + rowHeight(row), metrics.head + metrics.padding);
}

export function rowHeight(row: Row): number {
  return metrics.row + (row.kind === 'end' && row.lines === 2 ? metrics.second : 0);
}

export function widthOf(rows: readonly Row[], box: Box, measure: Measure): number {
  const head = measure(times(box.count)) + 90 + stateCounts(box.states).length * 46;
  const widest = rows.reduce((most, row) => Math.max(most, rowWidth(row, measure)), head);
  return Math.round(Math.min(metrics.widest, Math.max(metrics.narrowest, widest + sides)));
}

function rowWidth(row: Row, measure: Measure): number {
  if (row.kind === 'frame') return measure(row.name) + (row.place === '' ? 0 : measure(row.place) + 18);
  if (row.kind === 'end') return measure(row.text) + (row.count === '' ? 0 : measure(row.count) + 12) + 20;
  return measure(row.text);
}
