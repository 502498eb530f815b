// Merging from the outermost frame inwards. The pages come merged like that; what remains is to remove
// filtered stacks, and to join straight runs of frames into boxes.
import { type Box, type BoxTree, finish, newBox } from './boxes';
import type { Forest } from './forest';
import { childKey } from './keys';

/** `keep` decides by number which stacks remain. */
export function mergeFromOutermost(forest: Forest, keep: (stack: number) => boolean): BoxTree {
  const kept = keptNodes(forest, keep);
  const boxes: Box[] = [];
  const boxOf: (Box | undefined)[] = [];
  for (let node = 0; node < forest.frame.length; node++) {
    if (!kept.used[node]) continue;
    const outer = forest.outer[node] ?? -1;
    const parent = outer < 0 ? undefined : boxOf[outer];
    if (parent && kept.branches[outer] === 1 && !kept.ends.has(outer)) {
      parent.inner = node;
      parent.length++;
      boxOf[node] = parent;
    } else {
      const box = newBox(forest.path[node] ?? 0, parent, node, 1);
      parent?.children.push(box);
      boxes.push(box);
      boxOf[node] = box;
    }
    boxOf[node]?.ends.push(...(kept.ends.get(node) ?? []));
  }
  const bare = kept.ends.get(-1);
  if (bare) {
    const box = newBox(childKey(0, 1), undefined, -1, 0, 0, 'no frames');
    box.ends.push(...bare);
    boxes.push(box);
  }
  return finish(forest, 'outer', boxes);
}

interface KeptNodes {
  readonly used: Uint8Array;
  /** How many used nodes are directly inside of a node. */
  readonly branches: Uint32Array;
  readonly ends: ReadonlyMap<number, number[]>;
}

function keptNodes(forest: Forest, keep: (stack: number) => boolean): KeptNodes {
  const used = new Uint8Array(forest.frame.length);
  const branches = new Uint32Array(forest.frame.length);
  const ends = new Map<number, number[]>();
  forest.stacks.forEach((stack, number) => {
    if (!keep(number)) return;
    const list = ends.get(stack.node);
    if (list) list.push(number);
    else ends.set(stack.node, [number]);
    for (let node = stack.node; node >= 0 && !used[node]; node = forest.outer[node] ?? -1) used[node] = 1;
  });
  for (let node = 0; node < used.length; node++) {
    const outer = forest.outer[node] ?? -1;
    if (used[node] && outer >= 0) branches[outer] = (branches[outer] ?? 0) + 1;
  }
  return { used, branches, ends };
}
