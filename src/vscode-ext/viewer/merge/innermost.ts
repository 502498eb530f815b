// Merging by what stacks wait for, the semaphore, lock or channel itself where that is known, and from the innermost frame outwards: the wait, and its callers.
// Stacks that have reached the same node share the rest of their path, so they are not followed individually any further.

import type { Forest } from '../model/forest';
import { childKey, textKey } from '../model/keys';
import { resourceOf, resourceTitle } from '../model/resources';
import type { TreeStack } from '../model/tree';
import { type Box, type BoxOrder, type BoxTree, finish, newBox } from './boxes';

/** Stacks that wait for the same thing, and how far out they have been followed. */
interface Way {
  readonly parent: Box;
  readonly inside: number;
  /** Pairs of a stack's number and the node it has reached. */
  readonly stacks: Int32Array;
}

export function mergeFromInnermost(forest: Forest, keep: (stack: number) => boolean, order: BoxOrder = {}): BoxTree {
  const boxes: Box[] = [];
  const open: Way[] = [];
  for (const [key, { title, resource, pairs }] of byWait(forest, keep)) {
    const root = newBox(textKey(key), undefined, -1, 0, { title, ...(resource === undefined ? {} : { resource }) });
    boxes.push(root);
    const ways = branch(forest, root, 0, pairs);
    const [only] = ways;
    // Only one way: its frames belong to what is waited for. A resource stays apart: it has holders, too.
    if (only && ways.length === 1 && root.ends.length === 0 && resource === undefined) open.push(...extend(forest, root, only));
    else open.push(...ways);
  }
  for (let way = open.pop(); way; way = open.pop()) {
    const { parent, inside } = way;
    const box = newBox(childKey(parent.key, forest.frameKey(way.stacks[1] ?? -1)), parent, -1, 0, { inside });
    parent.children.push(box);
    boxes.push(box);
    open.push(...extend(forest, box, way));
  }
  return finish(forest, 'inner', boxes, order);
}

/** Text of a stack's root in this direction, if it does not wait for a resource that is known. */
export function waitTitle(stack: TreeStack): string {
  if (stack.wait && stack.wait.kind !== 'none') return stack.wait.short;
  return stack.state === 'awaiting' ? 'awaiting something unknown' : stack.state;
}

interface WaitGroup {
  readonly title: string;
  readonly resource: string | undefined;
  readonly pairs: number[];
}

function byWait(forest: Forest, keep: (stack: number) => boolean): Map<string, WaitGroup> {
  const groups = new Map<string, WaitGroup>();
  forest.stacks.forEach((stack, number) => {
    if (!keep(number)) return;
    const resource = resourceOf(forest, stack);
    const title = resource ? resourceTitle(resource) : waitTitle(stack);
    const key = resource ? `${title} ${resource.id}` : title;
    const group = groups.get(key) ?? { title, resource: resource?.id, pairs: [] };
    groups.set(key, group);
    group.pairs.push(number, stack.node);
  });
  return groups;
}

/** Splits stacks by the frame they have reached; those without another frame end in `parent`. */
function branch(forest: Forest, parent: Box, inside: number, pairs: ArrayLike<number>): Way[] {
  const groups = new Map<number, number[]>();
  for (let at = 0; at < pairs.length; at += 2) {
    const stack = pairs[at] ?? -1;
    const node = pairs[at + 1] ?? -1;
    if (node < 0) {
      parent.ends.push(stack);
      continue;
    }
    const frame = forest.frame[node] ?? -1;
    const group = groups.get(frame);
    if (group) group.push(stack, node);
    else groups.set(frame, [stack, node]);
  }
  return [...groups.values()].map((group) => ({ parent, inside, stacks: Int32Array.from(group) })).reverse();
}

/** Follows stacks outwards as long as they have the same frames and none ends; returns where they branch. */
function extend(forest: Forest, box: Box, { stacks, inside }: Way): Way[] {
  box.inner = stacks[1] ?? -1;
  box.length = 1;
  while (!haveMet(stacks)) {
    for (let at = 1; at < stacks.length; at += 2) stacks[at] = forest.outer[stacks[at] ?? -1] ?? -1;
    if (!agree(forest, stacks)) return branch(forest, box, inside + box.length, stacks);
    box.length++;
  }
  box.length += forest.depth[stacks[1] ?? -1] ?? 0;
  for (let at = 0; at < stacks.length; at += 2) box.ends.push(stacks[at] ?? -1);
  return [];
}

function haveMet(stacks: Int32Array): boolean {
  for (let at = 3; at < stacks.length; at += 2) if (stacks[at] !== stacks[1]) return false;
  return true;
}

function agree(forest: Forest, stacks: Int32Array): boolean {
  const first = stacks[1] ?? -1;
  if (first < 0) return false;
  for (let at = 3; at < stacks.length; at += 2) {
    const node = stacks[at] ?? -1;
    if (node < 0 || forest.frame[node] !== forest.frame[first]) return false;
  }
  return true;
}
