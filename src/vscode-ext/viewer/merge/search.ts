// Searches the text of boxes: methods, files, what is waited for, ids.

import type { Forest } from '../model/forest';
import { type Condition, parseQuery, plain } from '../model/query';
import type { TreeFrame, TreeStack } from '../model/tree';
import { type Box, type BoxTree, nodesOf } from './boxes';

export interface Hit {
  readonly box: Box;
  /** Index of the frame in the box; -1 if the text is elsewhere in the box. */
  readonly frame: number;
}

export interface Found {
  /** The part of the search that is plain text. */
  readonly text: string;
  /** In reading order. */
  readonly hits: readonly Hit[];
  /** There are more hits; the search has stopped. */
  readonly more: boolean;
  readonly frames: ReadonlySet<TreeFrame>;
  /** Keys of the boxes with hits. */
  readonly boxes: ReadonlySet<number>;
  /** Why the search is not valid. */
  readonly wrong?: string | undefined;
}

const mostHits = 10_000;

/** Which stacks match all words. */
export function stacksWith(forest: Forest, typed: string): (stack: number) => boolean {
  const query = parseQuery(typed, forest.head?.findings ?? []);
  const conditions = query.text === '' ? query.filters : [...query.filters, plain(query.text)];
  const tests = conditions.map((condition) => testOf(forest, condition));
  return (number) => {
    const stack = forest.stacks[number];
    return stack !== undefined && query.wrong === undefined && tests.every((test) => test(stack));
  };
}

function testOf(forest: Forest, { frame, stack, without = false }: Condition): (stack: TreeStack) => boolean {
  const nodes = frame ? nodesWith(forest, frame) : undefined;
  return (one) => ((nodes?.[one.node] ?? 0) === 1 || (stack?.(one) ?? false)) !== without;
}

/** By node: it or an outer node has a frame that matches. */
function nodesWith(forest: Forest, passes: (frame: TreeFrame) => boolean): Uint8Array {
  const frames = forest.frames.map(passes);
  const nodes = new Uint8Array(forest.frame.length);
  for (let node = 0; node < nodes.length; node++) {
    const inherited = nodes[forest.outer[node] ?? -1] ?? 0;
    nodes[node] = inherited || (frames[forest.frame[node] ?? -1] ? 1 : 0);
  }
  return nodes;
}

/** The places to step through, box by box. */
interface Search {
  readonly tree: BoxTree;
  /** Each of these shows where it holds. */
  readonly conditions: readonly Condition[];
  readonly frames: ReadonlySet<TreeFrame>;
  /** The matching stacks, and the boxes that they run through; undefined without a filter, when every hit is a text match. */
  readonly meant: { readonly stack: (number: number) => boolean; readonly boxes: ReadonlySet<Box> } | undefined;
}

/** All places with hits; undefined without a search. */
export function search(tree: BoxTree, typed: string): Found | undefined {
  if (typed === '') return undefined;
  const query = parseQuery(typed, tree.forest.head?.findings ?? []);
  const shown = query.filters.filter((filter) => !filter.without);
  const conditions = query.text === '' ? shown : [...shown, plain(query.text)];
  const frames = new Set(tree.forest.frames.filter((frame) => conditions.some((condition) => condition.frame?.(frame) ?? false)));
  const meant = query.filters.length > 0 ? meantOf(tree, typed) : undefined;
  const hits: Hit[] = [];
  const open = query.wrong === undefined ? [...tree.roots].reverse() : [];
  for (let box = open.pop(); box && hits.length <= mostHits; box = open.pop()) {
    if (meant && !meant.boxes.has(box)) continue;
    addHits({ tree, conditions, frames, meant }, box, hits);
    for (let at = box.children.length - 1; at >= 0; at--) open.push(box.children[at] as Box);
  }
  const more = hits.length > mostHits;
  if (more) hits.length = mostHits;
  return { text: query.text, hits, more, frames, boxes: new Set(hits.map((hit) => hit.box.key)), wrong: query.wrong };
}

function meantOf(tree: BoxTree, typed: string): Search['meant'] {
  const stack = stacksWith(tree.forest, typed);
  const boxes = new Set<Box>();
  for (let at = tree.boxes.length - 1; at >= 0; at--) {
    const box = tree.boxes[at] as Box;
    if (!boxes.has(box) && !box.ends.some(stack)) continue;
    boxes.add(box);
    if (box.parent) boxes.add(box.parent);
  }
  return { stack, boxes };
}

function addHits({ tree, conditions, frames, meant }: Search, box: Box, hits: Hit[]): void {
  const { title } = box;
  const isTitle = title !== undefined && conditions.some((condition) => condition.title?.(title) ?? false);
  // When merged by wait, a stack ends at its outermost frame: its own hits are shown at the root.
  const isRoot =
    meant !== undefined && tree.direction === 'inner' && !box.parent && conditions.every((condition) => !condition.frame);
  if (isTitle || isRoot) hits.push({ box, frame: -1 });
  if (frames.size > 0) {
    nodesOf(tree, box).forEach((node, frame) => {
      if (frames.has(tree.forest.frameOf(node))) hits.push({ box, frame });
    });
  }
  if (tree.direction === 'inner') return;
  const ends = box.ends.some((end) => {
    const stack = tree.forest.stacks[end];
    if (stack === undefined || (meant && !meant.stack(end))) return false;
    return conditions.length === 0 || conditions.some((condition) => condition.stack?.(stack) ?? false);
  });
  if (ends) hits.push({ box, frame: -1 });
}
