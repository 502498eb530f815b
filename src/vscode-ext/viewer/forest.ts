// All pages put together: the tree of frames as columns, and the stacks that end in it. Pages may come twice or out of
// order, and no number in them is believed.
import { childKey, textKey } from './keys';
import { knownState } from './states';
import type { TreeFrame, TreeHead, TreePage, TreeStack } from './tree';

const unreadable: TreeFrame = { method: '<unreadable>', kind: 'continuation', exactness: 'none' };

export class Forest {
  head: TreeHead | undefined;
  /** No page is missing. */
  complete = false;
  readonly frames: TreeFrame[] = [];
  readonly stacks: TreeStack[] = [];
  /** Columns by node: its frame, the node outside of it, how many are outside of it, and the key of its path. */
  readonly frame: number[] = [];
  readonly outer: number[] = [];
  readonly depth: number[] = [];
  readonly path: number[] = [];

  private readonly frameKeys: number[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly early = new Map<number, TreePage>();
  private nextPage = 0;

  /** Takes a page, and those that came before their time; false when nothing new could be read yet. */
  add(page: TreePage): boolean {
    if (page.schema !== 'async2.tree/1') throw new Error(`This viewer reads async2.tree/1, not ${String(page.schema)}.`);
    if (page.page < this.nextPage || this.complete) return false;
    this.early.set(page.page, page);
    const before = this.nextPage;
    for (let ready = this.early.get(this.nextPage); ready; ready = this.early.get(this.nextPage)) {
      this.early.delete(this.nextPage++);
      this.append(ready);
    }
    return this.nextPage > before;
  }

  frameOf(node: number): TreeFrame {
    return this.frames[this.frame[node] ?? -1] ?? unreadable;
  }

  /** The same for equal frames, today and after a refresh. */
  frameKey(node: number): number {
    return this.frameKeys[this.frame[node] ?? -1] ?? 0;
  }

  /** Number of the stack with this id; -1 when there is none. */
  numberOf(id: string): number {
    return this.numbers.get(id) ?? -1;
  }

  private append(page: TreePage): void {
    this.head ??= page.head;
    for (const frame of page.frames) {
      this.frames.push(frame);
      this.frameKeys.push(textKey(`${frame.method}\n${frame.line ?? ''}\n${frame.repeat ?? ''}`));
    }
    const joins = new Map(page.nodes.joins);
    for (const frame of page.nodes.frame) this.addNode(frame, joins.get(this.frame.length) ?? this.frame.length - 1);
    for (const stack of page.stacks) {
      this.numbers.set(stack.id, this.stacks.length);
      this.stacks.push(this.checked(stack));
    }
    this.complete = page.next === undefined;
  }

  private addNode(frame: number, outer: number): void {
    const parent = this.isNode(outer) ? outer : -1;
    this.frame.push(frame);
    this.outer.push(parent);
    this.depth.push(parent < 0 ? 0 : (this.depth[parent] ?? 0) + 1);
    this.path.push(childKey(parent < 0 ? 0 : (this.path[parent] ?? 0), this.frameKeys[frame] ?? 0));
  }

  /** A stack whose node and state are among the known ones, and whose count is one. */
  private checked(stack: TreeStack): TreeStack {
    const state = knownState(stack.state);
    const count = Number.isSafeInteger(stack.count) && stack.count > 0 ? stack.count : 1;
    return { ...stack, state, count, node: this.isNode(stack.node) ? stack.node : -1 };
  }

  private isNode(node: number): boolean {
    return Number.isInteger(node) && node >= 0 && node < this.frame.length;
  }
}
