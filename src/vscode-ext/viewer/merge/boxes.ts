// A merged tree of boxes: the result of every way of merging, and the input of folding, layout and search. A box is a straight run of
// frames in which no stack branches off or ends before the last row.
import type { Forest } from '../model/forest';
import { childKey } from '../model/keys';
import { ranks } from '../model/ranks';
import { deadlocked, stateIndex, states } from '../model/states';
import type { TreeStack } from '../model/tree';

/**
 * `outer`: merged from the outermost frame inwards. `inner`: by what is waited for, then outwards. `route`: by the route that they work for, then inwards.
 * `method`: around one method, its callees and its callers.
 */
export type Direction = 'outer' | 'inner' | 'route' | 'method';

export interface Box {
  /** Unique in the tree. */
  key: number;
  readonly parent: Box | undefined;
  /** Node at its inner end, of one of its stacks; -1 when it has no frames. */
  inner: number;
  /** The number of its frames. */
  length: number;
  /** Of boxes that are read outwards: the number of nodes inside of it in each of its stacks. */
  readonly inside: number;
  /** Text of a box without frames. */
  readonly title?: string;
  /** What is waited for, if the box stands for a resource: its id in the answer. */
  readonly resource?: string;
  readonly children: Box[];
  /** Numbers of the stacks that end at its last row. */
  readonly ends: number[];
  /** Stacks in it and below; equal stacks count individually. */
  count: number;
  /** The same, by state. */
  readonly states: number[];
  /** Rank of its worst stack. */
  worst: number;
  /** For how long its oldest stack has waited, in milliseconds; 0 if nothing is known. */
  oldest: number;
}

export interface BoxTree {
  readonly forest: Forest;
  readonly direction: Direction;
  readonly roots: Box[];
  /** Every box; outer boxes come before inner ones. */
  readonly boxes: readonly Box[];
  readonly count: number;
  readonly states: readonly number[];
  /** Index of a row's frame in a stack that runs through the box, where that is not by its nodes. */
  readonly indexOf?: (box: Box, row: number, stack: number) => number;
}

/** In which order boxes are listed, and how many of equal stacks count. */
export interface BoxOrder {
  /** By number of a stack; all are alike without it. */
  readonly ranks?: Uint8Array;
  readonly oldestFirst?: boolean;
  /** How many of a stack belong below a root; all without it. */
  readonly share?: (root: Box, stack: number) => number | undefined;
}

export interface BoxWish {
  readonly inside?: number;
  readonly title?: string;
  readonly resource?: string;
}

export function newBox(key: number, parent: Box | undefined, inner: number, length: number, wish: BoxWish = {}): Box {
  const { inside = 0, title, resource } = wish;
  return {
    ...{ key, parent, inner, length, inside, children: [], ends: [], count: 0, states: states.map(() => 0) },
    ...{ worst: ranks.idle, oldest: 0 },
    ...(title === undefined ? {} : { title }),
    ...(resource === undefined ? {} : { resource }),
  };
}

/** Rows are read from the inside out. */
export function readsOutwards({ direction }: BoxTree): boolean {
  return direction === 'inner';
}

/** Computes counts, sorts the worst and then the bigger boxes first, and completes the tree. `boxes` has parents before children. */
export function finish(forest: Forest, direction: Direction, boxes: readonly Box[], order: BoxOrder = {}): BoxTree {
  const roots = boxes.filter((box) => !box.parent);
  makeUnique(boxes);
  const rootOf = new Map<Box, Box>();
  if (order.share) for (const box of boxes) rootOf.set(box, (box.parent && rootOf.get(box.parent)) ?? box);
  for (let at = boxes.length - 1; at >= 0; at--) {
    const box = boxes[at];
    if (!box) continue;
    for (const end of box.ends) addStack(box, forest.stacks[end], order.share?.(rootOf.get(box) ?? box, end), order.ranks?.[end]);
    sortBoxes(box.children, order.oldestFirst === true);
    if (box.parent) addTo(box.parent, box);
  }
  sortBoxes(roots, order.oldestFirst === true);
  return {
    forest,
    direction,
    roots,
    boxes,
    count: roots.reduce((sum, root) => sum + root.count, 0),
    states: states.map((_, state) => roots.reduce((sum, root) => sum + (root.states[state] ?? 0), 0)),
  };
}

/** Keys are hashes, and an adapter may send anything: if two boxes have the same key, one of them gets another, always the same one. */
function makeUnique(boxes: readonly Box[]): void {
  const taken = new Set<number>();
  for (const box of boxes) {
    for (let turn = 1; taken.has(box.key); turn++) box.key = childKey(box.key, turn);
    taken.add(box.key);
  }
}

function addStack(box: Box, stack: TreeStack | undefined, share: number | undefined, rank: number = ranks.own): void {
  if (!stack) return;
  const state = stateIndex(stack.state);
  const count = share ?? stack.count;
  box.count += count;
  box.states[state] = (box.states[state] ?? 0) + count;
  box.worst = Math.min(box.worst, stack.state === 'deadlocked' ? Math.min(rank, ranks.deadlocked) : rank);
  box.oldest = Math.max(box.oldest, stack.age?.atLeastMs ?? 0);
}

function addTo(parent: Box, box: Box): void {
  parent.count += box.count;
  parent.worst = Math.min(parent.worst, box.worst);
  parent.oldest = Math.max(parent.oldest, box.oldest);
  box.states.forEach((count, state) => {
    parent.states[state] = (parent.states[state] ?? 0) + count;
  });
}

// What is wrong must be visible at once. Sorting is stable, so equal boxes keep the tool's order.
function sortBoxes(boxes: Box[], oldestFirst: boolean): void {
  boxes.sort((one, other) => one.worst - other.worst || (oldestFirst ? other.oldest - one.oldest : 0) || other.count - one.count);
}

/** Some stack in it is part of a cycle of waits. */
export function isStuck(box: Box): boolean {
  return (box.states[deadlocked] ?? 0) > 0;
}

/** Nodes of a box's rows, in display order: from the outside in, or from the inside out. */
export function nodesOf(tree: BoxTree, box: Box): number[] {
  const nodes: number[] = [];
  for (let node = box.inner, left = box.length; left > 0 && node >= 0; left--) {
    nodes.push(node);
    node = tree.forest.outer[node] ?? -1;
  }
  return readsOutwards(tree) ? nodes : nodes.reverse();
}

/** Numbers of the stacks in a box and below, at most `most`. */
export function stacksIn(box: Box, most: number): number[] {
  const found: number[] = [];
  const open = [box];
  for (let next = open.pop(); next && found.length < most; next = open.pop()) {
    found.push(...next.ends.slice(0, most - found.length));
    for (let at = next.children.length - 1; at >= 0; at--) open.push(next.children[at] as Box);
  }
  return found;
}

/** Index of a row's frame in a stack that runs through the box: 0 is the innermost, and recursion counts in full. */
export function frameIndex(tree: BoxTree, box: Box, row: number, stack: number): number {
  if (tree.indexOf) return tree.indexOf(box, row, stack);
  const { forest } = tree;
  const outwards = readsOutwards(tree);
  let node = forest.stacks[stack]?.node ?? -1;
  const target = outwards ? -1 : (nodesOf(tree, box)[row] ?? -1);
  let index = 0;
  for (let steps = box.inside + row; node >= 0 && (outwards ? steps > 0 : node !== target); steps--) {
    index += Math.max(1, forest.frameOf(node).frames ?? 1);
    node = forest.outer[node] ?? -1;
  }
  return index;
}
