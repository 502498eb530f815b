// The same stacks without frames of frameworks, or others that are hidden: their callers and callees are joined, and nodes that become equal are one.
import { Forest } from './forest';
import { childKey } from './keys';
import type { TreeFrame } from './tree';

export type Hides = (frame: TreeFrame) => boolean;

/** A forest with the same stacks under the same numbers. */
export function withoutFrames(forest: Forest, hides: Hides): Forest {
  const own = new Forest();
  own.head = forest.head;
  own.complete = forest.complete;
  own.takeFrames(forest);
  const hidden = forest.frames.map(hides);
  const byPath = new Map<number, number>();
  // Nodes come after their callers.
  const kept = new Int32Array(forest.frame.length);
  for (let node = 0; node < kept.length; node++) {
    const outer = forest.outer[node] ?? -1;
    const parent = outer < 0 ? -1 : (kept[outer] ?? -1);
    const frame = forest.frame[node] ?? -1;
    if (hidden[frame]) {
      kept[node] = parent;
      continue;
    }
    const path = childKey(parent < 0 ? 0 : (own.path[parent] ?? 0), forest.frameKey(node));
    const known = byPath.get(path) ?? own.append(frame, parent, path);
    byPath.set(path, known);
    kept[node] = known;
  }
  own.takeStacks(forest, (node) => kept[node] ?? -1);
  return own;
}

/** Index of a stack's frame among all of its frames, from its index among those that are shown: both count from the innermost. */
export function wholeIndex(forest: Forest, hides: Hides, stack: number, shownIndex: number): number {
  let index = 0;
  let left = shownIndex;
  for (let node = forest.stacks[stack]?.node ?? -1; node >= 0; node = forest.outer[node] ?? -1) {
    const frame = forest.frameOf(node);
    const frames = Math.max(1, frame.frames ?? 1);
    if (!hides(frame)) {
      if (left < frames) return index + left;
      left -= frames;
    }
    index += frames;
  }
  return index;
}
