// Merging by what stacks work for: a route, a tenant, any label; then from the outermost frame inwards. Equal stacks of several
// routes are below each of them, with their part of the count.

import type { Forest } from '../model/forest';
import { textKey } from '../model/keys';
import type { TreeStack } from '../model/tree';
import { type Box, type BoxOrder, type BoxTree, finish, newBox } from './boxes';
import { Growth } from './outermost';

/** Below which roots a stack is: each value, and how many of the equal stacks have it. */
export function valuesOf(stack: TreeStack, label: string): readonly (readonly [value: string, count: number])[] {
  const shares = stack.shares?.[label];
  if (shares) {
    const rest = stack.count - shares.reduce((sum, { count }) => sum + count, 0);
    const known = shares.map(({ value, count }) => [value, count] as const);
    return rest > 0 ? [...known, [`no ${label}`, rest]] : known;
  }
  return [[stack.labels?.[label] ?? `no ${label}`, stack.count]];
}

interface Group {
  /** How many of a stack belong to it. */
  readonly count: Map<number, number>;
  readonly ends: [stack: number, node: number][];
}

export function mergeByLabel(forest: Forest, keep: (stack: number) => boolean, label: string, order: BoxOrder = {}): BoxTree {
  const groups = new Map<string, Group>();
  forest.stacks.forEach((stack, number) => {
    if (!keep(number)) return;
    for (const [value, count] of valuesOf(stack, label)) {
      const group: Group = groups.get(value) ?? { count: new Map(), ends: [] };
      groups.set(value, group);
      group.count.set(number, count);
      group.ends.push([number, stack.node]);
    }
  });
  const boxes: Box[] = [];
  const counts = new Map<Box, Map<number, number>>();
  const growth = new Growth(forest);
  for (const [value, { count, ends }] of groups) {
    const root = newBox(textKey(`${label}=${value}`), undefined, -1, 0, { title: value });
    boxes.push(root);
    counts.set(root, count);
    growth.grow(ends, root, boxes);
  }
  return finish(forest, 'route', boxes, { ...order, share: (root, stack) => counts.get(root)?.get(stack) });
}

/** Labels by which stacks can be grouped, the most frequent first, and how many stacks have one. */
export function labelsIn(forest: Forest): (readonly [label: string, stacks: number])[] {
  const counts = new Map<string, number>();
  for (const { labels, count, idle } of forest.stacks)
    if (idle === undefined) for (const name of Object.keys(labels ?? {})) counts.set(name, (counts.get(name) ?? 0) + count);
  const first = ['route', 'request', 'trace'];
  const place = (name: string): number => (first.includes(name) ? first.indexOf(name) : first.length);
  return [...counts].sort(([a, m], [b, n]) => place(a) - place(b) || n - m || (a < b ? -1 : 1));
}

/** Values of a label, the most frequent first. */
export function valuesIn(forest: Forest, label: string): (readonly [value: string, stacks: number])[] {
  const counts = new Map<string, number>();
  for (const stack of forest.stacks)
    if (stack.labels?.[label] !== undefined)
      for (const [value, count] of valuesOf(stack, label)) counts.set(value, (counts.get(value) ?? 0) + count);
  counts.delete(`no ${label}`);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}
