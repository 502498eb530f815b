// One method in the middle: what it has called, inwards, and who called it, outwards.

import { Forest } from '../model/forest';
import { childKey, textKey } from '../model/keys';
import { shortName } from '../model/names';
import { type Box, type BoxOrder, type BoxTree, finish, newBox } from './boxes';
import { Growth } from './outermost';

/** A stack through the method: its nodes from the innermost on, and which of them is the method. */
interface Through {
  readonly stack: number;
  readonly nodes: readonly number[];
  readonly at: number;
}

export function mergeAround(forest: Forest, keep: (stack: number) => boolean, method: string, order: BoxOrder = {}): BoxTree {
  const view = new Forest();
  view.head = forest.head;
  view.complete = forest.complete;
  view.takeFrames(forest);
  view.takeStacks(forest, () => -1);
  const found = through(forest, keep, method);
  const boxes: Box[] = [];
  const [first] = found;
  const name = first ? shortName(forest.frameOf(first.nodes[first.at] ?? -1)) : method;
  const sides = [
    { title: `Callers of ${name}`, ways: found.map(({ stack, nodes, at }) => ({ stack, way: nodes.slice(at) })) },
    {
      title: `Called by ${name}`,
      ways: found.map(({ stack, nodes, at }) => ({ stack, way: nodes.slice(0, at + 1).reverse() })),
    },
  ];
  for (const { title, ways } of sides) {
    const root = newBox(textKey(title), undefined, -1, 0, { title });
    boxes.push(root);
    const ends = planted(view, forest, ways, textKey(title));
    new Growth(view).grow(ends, root, boxes);
  }
  const places = new Map(found.map((one) => [one.stack, one]));
  const indexOf = (box: Box, row: number, stack: number): number => {
    const one = places.get(stack);
    if (!one) return 0;
    const steps = (view.depth[box.inner] ?? 0) - (box.length - 1) + row;
    const isCaller = rootOf(box).title === sides[0]?.title;
    return framesBefore(forest, one.nodes, isCaller ? one.at + steps : one.at - steps);
  };
  const tree = finish(view, 'method', boxes, order);
  // Each stack stands on both sides.
  const [side] = tree.roots;
  return { ...tree, count: side?.count ?? 0, states: side?.states ?? [], indexOf };
}

function rootOf(box: Box): Box {
  let root = box;
  while (root.parent) root = root.parent;
  return root;
}

function framesBefore(forest: Forest, nodes: readonly number[], at: number): number {
  return nodes.slice(0, Math.max(0, at)).reduce((sum, node) => sum + Math.max(1, forest.frameOf(node).frames ?? 1), 0);
}

/** The innermost call of the method counts, if there are several. */
function through(forest: Forest, keep: (stack: number) => boolean, method: string): Through[] {
  const found: Through[] = [];
  forest.stacks.forEach(({ node: end }, stack) => {
    if (!keep(stack)) return;
    const nodes: number[] = [];
    for (let node = end; node >= 0; node = forest.outer[node] ?? -1) nodes.push(node);
    const at = nodes.findIndex((node) => forest.frameOf(node).method === method);
    if (at >= 0) found.push({ stack, nodes, at });
  });
  return found;
}

/** Nodes for ways that begin at the method; where each ends. */
function planted(
  view: Forest,
  forest: Forest,
  ways: readonly { stack: number; way: readonly number[] }[],
  seed: number,
): [number, number][] {
  const byPath = new Map<number, number>();
  return ways.map(({ stack, way }) => {
    let last = -1;
    for (const node of way) {
      const path = childKey(last < 0 ? seed : (view.path[last] ?? 0), forest.frameKey(node));
      const known = byPath.get(path) ?? view.append(forest.frame[node] ?? -1, last, path);
      byPath.set(path, known);
      last = known;
    }
    return [stack, last];
  });
}
