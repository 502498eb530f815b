// Merging from the outermost frame inwards. The pages come merged like that; what remains is to remove
// filtered stacks, and to join straight runs of frames into boxes.

import type { Forest } from '../model/forest';
import { childKey } from '../model/keys';
import { type Box, type BoxOrder, type BoxTree, finish, newBox } from './boxes';

/** `keep` decides by number which stacks remain. */
export function mergeFromOutermost(forest: Forest, keep: (stack: number) => boolean, order: BoxOrder = {}): BoxTree {
  const boxes: Box[] = [];
  const ends: (readonly [stack: number, node: number])[] = [];
  forest.stacks.forEach(({ node }, stack) => {
    if (keep(stack)) ends.push([stack, node]);
  });
  new Growth(forest).grow(ends, undefined, boxes);
  return finish(forest, 'outer', boxes, order);
}

/** Joins runs of nodes to boxes, for some stacks after the other. */
export class Growth {
  private readonly used: Uint8Array;
  /** How many used nodes are directly inside of a node. */
  private readonly branches: Uint32Array;

  constructor(private readonly forest: Forest) {
    this.used = new Uint8Array(forest.frame.length);
    this.branches = new Uint32Array(forest.frame.length);
  }

  /** Adds the boxes of stacks that end at these nodes, below a parent. */
  grow(stacks: readonly (readonly [stack: number, node: number])[], root: Box | undefined, boxes: Box[]): void {
    const { forest } = this;
    const { nodes, ends } = this.take(stacks);
    const boxOf = new Map<number, Box>();
    for (const node of nodes) {
      const outer = forest.outer[node] ?? -1;
      const parent = outer < 0 ? root : boxOf.get(outer);
      if (parent && parent !== root && this.branches[outer] === 1 && !ends.has(outer)) {
        parent.inner = node;
        parent.length++;
        boxOf.set(node, parent);
      } else {
        const path = forest.path[node] ?? 0;
        const box = newBox(root ? childKey(root.key, path) : path, parent, node, 1);
        parent?.children.push(box);
        boxes.push(box);
        boxOf.set(node, box);
      }
      boxOf.get(node)?.ends.push(...(ends.get(node) ?? []));
    }
    this.addBare(ends.get(-1), root, boxes);
    for (const node of nodes) {
      this.used[node] = 0;
      this.branches[node] = 0;
    }
  }

  private addBare(bare: readonly number[] | undefined, root: Box | undefined, boxes: Box[]): void {
    if (!bare) return;
    const box = newBox(childKey(root?.key ?? 0, 1), root, -1, 0, { title: 'no frames' });
    root?.children.push(box);
    box.ends.push(...bare);
    boxes.push(box);
  }

  /** The nodes that these stacks run through, callers first, and which stacks end where. */
  private take(stacks: readonly (readonly [stack: number, node: number])[]): {
    nodes: readonly number[];
    ends: ReadonlyMap<number, number[]>;
  } {
    const { forest, used, branches } = this;
    const nodes: number[] = [];
    const ends = new Map<number, number[]>();
    for (const [stack, end] of stacks) {
      const list = ends.get(end);
      if (list) list.push(stack);
      else ends.set(end, [stack]);
      for (let node = end; node >= 0 && !used[node]; node = forest.outer[node] ?? -1) {
        used[node] = 1;
        nodes.push(node);
      }
    }
    nodes.sort((one, other) => one - other);
    for (const node of nodes) {
      const outer = forest.outer[node] ?? -1;
      if (outer >= 0) branches[outer] = (branches[outer] ?? 0) + 1;
    }
    return { nodes, ends };
  }
}
