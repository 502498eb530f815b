// What is shown and how: the stacks, the way of merging, filters, folds and the search. Knows no element.
import type { Box, BoxTree, Direction } from './boxes';
import { Folds } from './folds';
import { Forest } from './forest';
import { mergeFromInnermost } from './innermost';
import { type Link, linksOf, stacksOf } from './links';
import { mergeFromOutermost } from './outermost';
import { type Found, search, stacksWith } from './search';
import { stateIndex, states } from './states';
import type { FindingRecord, StackState, TreePage } from './tree';

/** Number of boxes that are open at first, and when all are unfolded. */
const budgets = { first: 32, all: 20_000 } as const;

/** More boxes than these are not looked at one by one. */
const mostAccused = 200;

/** What a finding is known by. */
export function nameOf({ key, id, rule }: FindingRecord): string {
  return key ?? id ?? rule;
}

export class Model {
  forest = new Forest();
  direction: Direction = 'outer';
  query = '';
  /** Hides stacks that the search does not find. */
  onlyFound = false;
  /** Also draws idle loops of frameworks. By default they are drawn only if there is nothing else, or a search finds them. */
  withIdle = false;
  /** Key of the finding whose cycle is shown; it is the same after the target was read again. */
  chosen: string | undefined;
  readonly hidden = new Set<StackState>();
  tree: BoxTree = mergeFromOutermost(this.forest, () => true);
  found: Found | undefined;
  /** Stacks by state, filtered out or not, except idle loops that are not drawn. */
  totals: readonly number[] = states.map(() => 0);
  /** Idle loops by name, the most frequent first. */
  idle: readonly (readonly [name: string, count: number])[] = [];
  private onlyIdle = false;

  private readonly folds = { outer: new Folds(), inner: new Folds() };

  get fold(): Folds {
    return this.folds[this.direction];
  }

  add(page: TreePage): boolean {
    const news = this.forest.add(page);
    if (news) this.count();
    return news;
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

  /** Merges again, after pages, direction or filters have changed. */
  merge(): void {
    const { forest } = this;
    this.count();
    const matches = this.onlyFound && this.query !== '' ? stacksWith(forest, this.query) : undefined;
    const keep = (stack: number): boolean => {
      const { state, idle } = forest.stacks[stack] ?? {};
      return (
        state !== undefined && !this.hidden.has(state) && (idle === undefined || this.drawsIdle) && (matches?.(stack) ?? true)
      );
    };
    this.tree = this.direction === 'outer' ? mergeFromOutermost(forest, keep) : mergeFromInnermost(forest, keep);
    this.applySearch();
    if (!this.fold.touched) this.openFirst();
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
