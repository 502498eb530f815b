// Which boxes are open, and how many children of each are shown. Stored by key, so it survives a new merge of the same stacks.
import { ranks } from '../model/ranks';
import { type Box, type BoxTree, isStuck } from './boxes';

/** How many children of a box are shown at first. */
export const usualChildren = 10;

const blocked = 1;

export class Folds {
  /** Keys of open boxes. */
  readonly open = new Set<number>();
  /** Number of shown children where it differs from the default, by the key of their parent; 0 is the key of the roots' parent. */
  readonly most = new Map<number, number>();
  /** Keys of boxes shown although they are beyond the limit, because a search hit is there. */
  readonly pinned = new Set<number>();
  /** Number of shown frames where it differs from the default, by the key of their box. */
  readonly rows = new Map<number, number>();
  /** Frames that must be visible within long boxes, because a search hit is there. */
  readonly frames = new Map<number, number>();
  /** The user folded or unfolded something: boxes no longer open automatically. */
  touched = false;

  isOpen(box: Box): boolean {
    return this.open.has(box.key);
  }

  toggle(box: Box): void {
    this.touched = true;
    if (!this.open.delete(box.key)) this.open.add(box.key);
  }

  /** The children that are shown, and the number of hidden ones. */
  shown(children: readonly Box[], parent: number): { boxes: readonly Box[]; rest: readonly Box[] } {
    const most = this.most.get(parent) ?? usualChildren;
    // A "+1 more" would take as much room as the box itself.
    if (children.length <= most + 1) return { boxes: children, rest: [] };
    const boxes = children.filter((child, at) => at < most || this.pinned.has(child.key));
    const rest = children.filter((child, at) => at >= most && !this.pinned.has(child.key));
    return { boxes, rest };
  }

  /** Shows more children of a parent: 10, 50, 250, ... */
  more(parent: number): void {
    this.touched = true;
    this.most.set(parent, (this.most.get(parent) ?? usualChildren) * 5);
  }

  /** Shows more frames of a box. */
  moreRows(box: Box): void {
    this.touched = true;
    this.rows.set(box.key, Math.max(30, (this.rows.get(box.key) ?? 0) * 4));
  }

  close(): void {
    this.touched = true;
    this.open.clear();
    this.most.clear();
    this.pinned.clear();
    this.rows.clear();
    this.frames.clear();
  }

  /** Opens the ancestors of a box, and the part of the box with a given frame. */
  reveal(box: Box, tree: BoxTree, frame = -1): void {
    if (frame >= 0) this.frames.set(box.key, frame);
    for (let at: Box | undefined = box; at; at = at.parent) {
      if (at !== box) this.open.add(at.key);
      const siblings = at.parent ? at.parent.children : tree.roots;
      if (siblings.indexOf(at) >= (this.most.get(at.parent?.key ?? 0) ?? usualChildren)) this.pinned.add(at.key);
    }
  }

  /** Opens boxes until about `budget` are shown: boxes with deadlocks first, then those with most stacks. */
  openBest(tree: BoxTree, budget: number): void {
    const queue = new BoxQueue();
    let shown = this.offer(tree.roots, 0, queue, budget);
    for (let box = queue.take(); box; box = queue.take()) {
      const free = box.children.length === 1 && shown < budget * 1.5;
      const cost = Math.min(box.children.length, usualChildren + 1);
      if (cost === 0 || (!free && shown + cost > budget)) continue;
      this.open.add(box.key);
      shown += this.offer(box.children, box.key, queue, budget - shown);
    }
  }

  /** Shows all children if the budget allows it, otherwise the default number; returns how many. */
  private offer(children: readonly Box[], parent: number, queue: BoxQueue, budget: number): number {
    if (budget > 1000 && children.length <= budget) this.most.set(parent, children.length);
    const { boxes } = this.shown(children, parent);
    for (const child of boxes) queue.put(child, weight(child));
    return boxes.length;
  }
}

function weight(box: Box): number {
  if (isStuck(box) || box.worst < ranks.warning) return box.count + 3e15;
  if (box.worst === ranks.warning) return box.count + 2e15;
  return (box.states[blocked] ?? 0) > 0 ? box.count + 1e15 : box.count;
}

/** A heap with the heaviest box on top; equal boxes keep their order. */
class BoxQueue {
  private readonly entries: { box: Box; weight: number; order: number }[] = [];
  private order = 0;

  put(box: Box, weight: number): void {
    const { entries } = this;
    let at = entries.push({ box, weight, order: this.order++ }) - 1;
    while (at > 0 && this.before(at, (at - 1) >> 1)) {
      this.swap(at, (at - 1) >> 1);
      at = (at - 1) >> 1;
    }
  }

  take(): Box | undefined {
    const { entries } = this;
    if (entries.length === 0) return undefined;
    this.swap(0, entries.length - 1);
    const top = entries.pop()?.box;
    for (let at = 0; ; ) {
      let best = at;
      for (const child of [2 * at + 1, 2 * at + 2]) if (child < entries.length && this.before(child, best)) best = child;
      if (best === at) return top;
      this.swap(at, best);
      at = best;
    }
  }

  private before(one: number, other: number): boolean {
    const a = this.entries[one];
    const b = this.entries[other];
    if (!a || !b) return false;
    return a.weight === b.weight ? a.order < b.order : a.weight > b.weight;
  }

  private swap(one: number, other: number): void {
    const { entries } = this;
    [entries[one], entries[other]] = [entries[other] as (typeof entries)[0], entries[one] as (typeof entries)[0]];
  }
}
