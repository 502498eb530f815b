// All pages joined: the tree of frames as columns, and the stacks that end in it. Pages may arrive twice or out of
// order, and their numbers are not trusted.
import { childKey, textKey } from './keys';
import { knownState } from './states';
import type { ResourceRecord, TreeFrame, TreeHead, TreePage, TreeStack } from './tree';

const unreadable: TreeFrame = { method: '<unreadable>', kind: 'continuation', exactness: 'none' };

export class Forest {
  private about: TreeHead | undefined;
  /** What several stacks wait for, or what somebody holds, by its id. */
  resources: ReadonlyMap<string, ResourceRecord> = new Map();
  /** All pages have arrived. */
  complete = false;
  readonly frames: TreeFrame[] = [];
  readonly stacks: TreeStack[] = [];
  /** Columns by node: its frame, its outer node, its depth, and the key of its path. */
  readonly frame: number[] = [];
  readonly outer: number[] = [];
  readonly depth: number[] = [];
  readonly path: number[] = [];

  private readonly frameKeys: number[] = [];
  private readonly numbers = new Map<string, number>();
  /** Maps the pages' numbers to our frames and nodes. */
  private readonly framesOfPages: number[] = [];
  private readonly nodesOfPages: number[] = [];
  private readonly byText = new Map<string, number>();
  /** Nodes by the key of their path, once frames of the pages turn out to be equal. */
  private byPath: Map<number, number> | undefined;
  private readonly early = new Map<number, TreePage>();
  private nextPage = 0;

  get head(): TreeHead | undefined {
    return this.about;
  }

  set head(head: TreeHead | undefined) {
    this.about = head;
    this.resources = new Map((head?.resources ?? []).map((resource) => [resource.id, resource]));
  }

  /** Adds a page, and pages that had arrived too early; false if nothing new could be read yet. */
  add(page: TreePage): boolean {
    if (page.schema !== 'async2.tree/1') throw new Error(`This viewer reads async2.tree/1, not ${String(page.schema)}.`);
    if (page.page < this.nextPage || this.complete) return false;
    this.early.set(page.page, page);
    const before = this.nextPage;
    for (let ready = this.early.get(this.nextPage); ready; ready = this.early.get(this.nextPage)) {
      this.early.delete(this.nextPage++);
      this.addPage(ready);
    }
    return this.nextPage > before;
  }

  frameOf(node: number): TreeFrame {
    return this.frames[this.frame[node] ?? -1] ?? unreadable;
  }

  /** The same for equal frames, also after a refresh. */
  frameKey(node: number): number {
    return this.frameKeys[this.frame[node] ?? -1] ?? 0;
  }

  /** Number of the stack with this id; -1 if there is none. */
  numberOf(id: string): number {
    return this.numbers.get(id) ?? -1;
  }

  /** Takes the frames of another forest, under the same numbers. */
  takeFrames({ frames, frameKeys }: Forest): void {
    for (const frame of frames) this.frames.push(frame);
    for (const key of frameKeys) this.frameKeys.push(key);
  }

  /** Adds a node: its frame, its caller's node, and the key of its path. */
  append(frame: number, outer: number, path: number): number {
    this.frame.push(frame);
    this.outer.push(outer);
    this.depth.push(outer < 0 ? 0 : (this.depth[outer] ?? 0) + 1);
    return this.path.push(path) - 1;
  }

  /** Takes the stacks of another forest, under the same numbers, at other nodes. */
  takeStacks({ stacks }: Forest, nodeOf: (node: number) => number): void {
    for (const stack of stacks) {
      this.numbers.set(stack.id, this.stacks.length);
      this.stacks.push({ ...stack, node: stack.node < 0 ? -1 : nodeOf(stack.node) });
    }
  }

  private addPage(page: TreePage): void {
    if (!this.head) this.head = page.head;
    for (const frame of page.frames) this.addFrame(frame);
    const joins = new Map(page.nodes.joins);
    for (const frame of page.nodes.frame) {
      const number = this.nodesOfPages.length;
      this.nodesOfPages.push(this.addNode(this.framesOfPages[frame] ?? -1, joins.get(number) ?? number - 1));
    }
    for (const stack of page.stacks) {
      this.numbers.set(stack.id, this.stacks.length);
      this.stacks.push(this.checked(stack));
    }
    this.complete = page.next === undefined;
  }

  /** Folded frames do not distinguish frames: readers see no difference, and two boxes would have one key. */
  private addFrame(frame: TreeFrame): void {
    const text = JSON.stringify({ ...frame, folded: undefined });
    let number = this.byText.get(text);
    if (number === undefined) {
      number = this.frames.push(frame) - 1;
      this.frameKeys.push(textKey(text));
      this.byText.set(text, number);
    } else {
      const known = this.frames[number] ?? frame;
      if (frame.folded) this.frames[number] = { ...known, folded: Math.max(known.folded ?? 0, frame.folded) };
      this.byPath ??= new Map(this.path.map((path, node) => [path, node]));
    }
    this.framesOfPages.push(number);
  }

  private addNode(frame: number, outer: number): number {
    const parent = this.nodesOfPages[outer] ?? -1;
    const path = childKey(parent < 0 ? 0 : (this.path[parent] ?? 0), this.frameKeys[frame] ?? 0);
    const known = this.byPath?.get(path);
    if (known !== undefined) return known;
    const node = this.append(frame, parent, path);
    this.byPath?.set(path, node);
    return node;
  }

  /** A stack with a known node and state and a valid count. */
  private checked(stack: TreeStack): TreeStack {
    const state = knownState(stack.state);
    const count = Number.isSafeInteger(stack.count) && stack.count > 0 ? stack.count : 1;
    return { ...stack, state, count, node: this.nodesOfPages[stack.node] ?? -1 };
  }
}
