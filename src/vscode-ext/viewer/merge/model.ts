// What is shown and how: the stacks, the way of merging, filters, folds and the search. Knows no element.

import { type Fate, fateOf } from '../model/fates';
import type { FindingRecord } from '../model/findings';
import { Forest } from '../model/forest';
import { type HiddenFrames, hidesOf } from '../model/hidden';
import { type Link, linksOf, stacksOf } from '../model/links';
import { type Hides, wholeIndex, withoutFrames } from '../model/ownForest';
import { Pins } from '../model/pins';
import { ranks, ranksOf } from '../model/ranks';
import { stateIndex, states } from '../model/states';
import type { StackState, TreePage } from '../model/tree';
import type { Box, BoxTree, Direction } from './boxes';
import { Folds } from './folds';
import { mergeFromInnermost } from './innermost';
import { mergeFromOutermost } from './outermost';
import { mergeByLabel } from './routes';
import { mergeAround } from './sandwich';
import { type Found, search, stacksWith } from './search';

/** Number of boxes that are open at first, and when all are unfolded. */
const budgets = { first: 32, all: 20_000 } as const;

/** More boxes than these are not looked at one by one. */
const mostAccused = 200;

/** What a finding is known by. */
export function nameOf({ key, id, rule }: FindingRecord): string {
  return key ?? id ?? rule;
}

export class Model {
  /** All stacks, as they came. */
  forest = new Forest();
  direction: Direction = 'outer';
  /** The label by which stacks are grouped in the direction `route`. */
  label = 'route';
  /** The method in the middle in the direction `method`. */
  method = '';
  query = '';
  /** Hides stacks that the search does not find. */
  onlyFound = false;
  oldestFirst = false;
  /** Also draws idle loops of frameworks. By default they are drawn only if there is nothing else, or a search finds them. */
  withIdle = false;
  /** Key of the finding whose cycle is shown; it is the same after the target was read again. */
  chosen: string | undefined;
  readonly hidden = new Set<StackState>();
  readonly hiddenFates = new Set<Fate>();
  readonly hiddenFrames: HiddenFrames = { frameworks: false, names: new Set() };
  readonly pins = new Pins();
  tree: BoxTree = mergeFromOutermost(this.forest, () => true);
  found: Found | undefined;
  /** Rank of each stack, the worst first. */
  ranks: Uint8Array = new Uint8Array();
  /** Stacks by state, filtered out or not, except idle loops that are not drawn. */
  totals: readonly number[] = states.map(() => 0);
  /** Idle loops by name, the most frequent first. */
  idle: readonly (readonly [name: string, count: number])[] = [];
  private onlyIdle = false;
  private hides: Hides | undefined;

  private readonly folds = { outer: new Folds(), inner: new Folds(), route: new Folds(), method: new Folds() };

  get fold(): Folds {
    return this.folds[this.direction];
  }

  add(page: TreePage): boolean {
    const news = this.forest.add(page);
    if (news) this.count();
    if (page.head?.notes) this.pins.take(page.head.notes);
    return news;
  }

  /** Later looks are compared with one that was chosen. */
  pinned = false;

  /** Some frame belongs to a framework. */
  get hasFrameworks(): boolean {
    return this.forest.frames.some(({ framework }) => framework === true);
  }

  /** The age of some stack is known. */
  get hasAges(): boolean {
    return this.forest.stacks.some(({ age, idle }) => age !== undefined && idle === undefined);
  }

  /** Whether idle loops are drawn now. */
  get drawsIdle(): boolean {
    return this.withIdle || this.onlyIdle || (this.onlyFound && this.query !== '');
  }

  private count(): void {
    const totals = states.map(() => 0);
    const idle = new Map<string, number>();
    const { stacks } = this.forest;
    for (const { idle: name, count } of stacks) if (name !== undefined) idle.set(name, (idle.get(name) ?? 0) + count);
    this.idle = [...idle].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    this.onlyIdle = stacks.every((stack) => stack.idle !== undefined);
    for (const stack of stacks) {
      const state = stateIndex(stack.state);
      if (stack.idle === undefined || this.drawsIdle) totals[state] = (totals[state] ?? 0) + stack.count;
    }
    this.totals = totals;
  }

  /** Another tree follows; search, filters and folds apply to it, too. */
  reset(): void {
    this.forest = new Forest();
    this.count();
    this.merge();
  }

  /** Which stacks the search finds. */
  get matches(): (stack: number) => boolean {
    return stacksWith(this.forest, this.query);
  }

  /** Which stacks the filters leave. */
  get keeps(): (stack: number) => boolean {
    const { forest } = this;
    const matches = this.onlyFound && this.query !== '' ? stacksWith(forest, this.query) : undefined;
    return (number) => {
      const stack = forest.stacks[number];
      if (stack === undefined || this.hidden.has(stack.state)) return false;
      if (stack.idle !== undefined && !this.drawsIdle) return false;
      if (this.hiddenFrames.frameworks && (this.ranks[number] ?? 0) === ranks.framework) return false;
      const fate = this.hiddenFates.size === 0 ? undefined : fateOf(stack);
      if (fate !== undefined && this.hiddenFates.has(fate)) return false;
      return matches?.(number) ?? true;
    };
  }

  /** Merges again, after pages, direction or filters have changed. */
  merge(): void {
    this.count();
    this.ranks = ranksOf(this.forest);
    this.hides = hidesOf(this.hiddenFrames);
    const forest = this.hides ? withoutFrames(this.forest, this.hides) : this.forest;
    const order = { ranks: this.ranks, oldestFirst: this.oldestFirst };
    const { keeps } = this;
    if (this.direction === 'outer') this.tree = mergeFromOutermost(forest, keeps, order);
    else if (this.direction === 'inner') this.tree = mergeFromInnermost(forest, keeps, order);
    else if (this.direction === 'route') this.tree = mergeByLabel(forest, keeps, this.label, order);
    else this.tree = mergeAround(forest, keeps, this.method, order);
    this.applySearch();
    if (!this.fold.touched) this.openFirst();
  }

  /** Index of a shown frame among all frames of its stack, those included that are not drawn. */
  wholeIndex(stack: number, index: number): number {
    return this.hides ? wholeIndex(this.forest, this.hides, stack, index) : index;
  }

  /** Searches again. */
  applySearch(): void {
    this.found = search(this.tree, this.query);
  }

  private openFirst(): void {
    this.fold.open.clear();
    this.fold.openBest(this.tree, budgets.first);
  }

  openAll(): void {
    this.fold.close();
    this.fold.openBest(this.tree, budgets.all);
  }

  /** The finding that is shown in the picture. */
  get finding(): FindingRecord | undefined {
    return this.forest.head?.findings.find((finding) => this.chosen !== undefined && nameOf(finding) === this.chosen);
  }

  /** Who waits for whom in it. */
  get links(): readonly Link[] {
    const { finding } = this;
    return finding ? linksOf(this.forest, finding) : [];
  }

  /** The boxes in which its stacks end, worst first. */
  get accused(): Box[] {
    const { finding } = this;
    const numbers = finding ? stacksOf(finding).map((id) => this.forest.numberOf(id)) : [];
    const wanted = new Set(numbers.slice(0, mostAccused));
    return this.tree.boxes.filter((box) => box.ends.some((end) => wanted.has(end)));
  }

  /** The finding, and the keys of its boxes. */
  get shownFinding(): { readonly record: FindingRecord; readonly boxes: ReadonlySet<number> } | undefined {
    const { finding } = this;
    return finding && { record: finding, boxes: new Set(this.accused.map(({ key }) => key)) };
  }

  /** The box in which a stack ends. */
  boxOf(stack: number): Box | undefined {
    return this.tree.boxes.find((box) => box.ends.includes(stack));
  }
}
