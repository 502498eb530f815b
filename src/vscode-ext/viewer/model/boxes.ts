// A merged tree of boxes: the result of both ways of merging, and the input of folding, layout and search. A box is a straight run of
// frames in which no stack branches off or ends before the last row.
import type { Forest } from './forest';
import { childKey } from './keys';
import { deadlocked, stateIndex, states } from './states';

/** `outer`: merged from the outermost frame inwards. `inner`: merged by what is waited for, then outwards. */
export type Direction = 'outer' | 'inner';

export interface Box {
  /** Unique in the tree. */
  key: number;
  readonly parent: Box | undefined;
  /** Node at its inner end, of one of its stacks; -1 when it has no frames. */
  inner: number;
  /** The number of its frames. */
  length: number;
  /** `inner` direction: the number of nodes inside of it in each of its stacks. */
  readonly inside: number;
  /** Text of a box without frames. */
  readonly title?: string;
  readonly children: Box[];
  /** Numbers of the stacks that end at its last row. */
  readonly ends: number[];
  /** Stacks in it and below; equal stacks count individually. */
  count: number;
  /** The same, by state. */
  readonly states: number[];
}

export interface BoxTree {
  readonly forest: Forest;
  readonly direction: Direction;
  readonly roots: Box[];
  /** Every box; outer boxes come before inner ones. */
  readonly boxes: readonly Box[];
  readonly count: number;
  readonly states: readonly number[];
}

export function newBox(key: number, parent: Box | undefined, inner: number, length: number, inside = 0, title?: string): Box {
  const box = { key, parent, inner, length, inside, children: [], ends: [], count: 0, states: states.map(() => 0) };
  return title === undefined ? box : { ...box, title };
}

/** Computes counts, sorts deadlocked and bigger boxes first, and completes the tree. `boxes` has parents before children. */
export function finish(forest: Forest, direction: Direction, boxes: readonly Box[]): BoxTree {
  const roots = boxes.filter((box) => !box.parent);
  makeUnique(boxes);
  for (let at = boxes.length - 1; at >= 0; at--) {
    const box = boxes[at];
    if (!box) continue;
    for (const end of box.ends) addStack(box, forest, end);
    sortBoxes(box.children);
    if (box.parent) addTo(box.parent, box);
  }
  sortBoxes(roots);
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

function addStack(box: Box, forest: Forest, number: number): void {
  const stack = forest.stacks[number];
  if (!stack) return;
  const state = stateIndex(stack.state);
  box.count += stack.count;
  box.states[state] = (box.states[state] ?? 0) + stack.count;
}

function addTo(parent: Box, box: Box): void {
  parent.count += box.count;
  box.states.forEach((count, state) => {
    parent.states[state] = (parent.states[state] ?? 0) + count;
  });
}

// Deadlocks must be visible at once. Sorting is stable, so equal boxes keep the tool's order.
function sortBoxes(boxes: Box[]): void {
  const stuck = (box: Box): number => ((box.states[deadlocked] ?? 0) > 0 ? 1 : 0);
  boxes.sort((one, other) => stuck(other) - stuck(one) || other.count - one.count);
}

/** Nodes of a box's rows, in display order: from the outside in, or from the inside out. */
export function nodesOf(tree: BoxTree, box: Box): number[] {
  const nodes: number[] = [];
  for (let node = box.inner, left = box.length; left > 0 && node >= 0; left--) {
    nodes.push(node);
    node = tree.forest.outer[node] ?? -1;
  }
  return tree.direction === 'outer' ? nodes.reverse() : nodes;
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
  const { forest } = tree;
  let node = forest.stacks[stack]?.node ?? -1;
  const target = tree.direction === 'outer' ? (nodesOf(tree, box)[row] ?? -1) : -1;
  let index = 0;
  for (let steps = box.inside + row; node >= 0 && (tree.direction === 'outer' ? node !== target : steps > 0); steps--) {
    index += Math.max(1, forest.frameOf(node).frames ?? 1);
    node = forest.outer[node] ?? -1;
  }
  return index;
}
