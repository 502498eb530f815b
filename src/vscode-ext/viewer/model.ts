// What is looked at and how: the stacks, the way of merging, filters, folds and the search. Knows no element.
import type { Box, BoxTree, Direction } from './boxes';
import { Folds } from './folds';
import { Forest } from './forest';
import { mergeFromInnermost } from './innermost';
import { mergeFromOutermost } from './outermost';
import { type Found, search, stacksWith } from './search';
import { stateIndex, states } from './states';
import type { StackState, TreePage } from './tree';

/** Boxes that are open at first, and when all are asked for. */
const budgets = { first: 32, all: 20_000 } as const;

export class Model {
  forest = new Forest();
  direction: Direction = 'outer';
  query = '';
  /** Leaves out stacks that the search does not find. */
  onlyFound = false;
  readonly hidden = new Set<StackState>();
  tree: BoxTree = mergeFromOutermost(this.forest, () => true);
  found: Found | undefined;
  /** Stacks by state, filtered away or not. */
  totals: readonly number[] = states.map(() => 0);

  private readonly folds = { outer: new Folds(), inner: new Folds() };

  get fold(): Folds {
    return this.folds[this.direction];
  }

  add(page: TreePage): boolean {
    const news = this.forest.add(page);
    if (!news) return false;
    const totals = states.map(() => 0);
    for (const stack of this.forest.stacks) {
      const state = stateIndex(stack.state);
      totals[state] = (totals[state] ?? 0) + stack.count;
    }
    this.totals = totals;
    return true;
  }

  /** Another tree follows; what is looked for, filtered and unfolded holds for it, too. */
  reset(): void {
    this.forest = new Forest();
    this.totals = states.map(() => 0);
    this.merge();
  }

  /** Merges anew, after pages, direction or filters have changed. */
  merge(): void {
    const { forest } = this;
    const matches = this.onlyFound && this.query !== '' ? stacksWith(forest, this.query) : undefined;
    const keep = (stack: number): boolean => {
      const state = forest.stacks[stack]?.state;
      return state !== undefined && !this.hidden.has(state) && (matches?.(stack) ?? true);
    };
    this.tree = this.direction === 'outer' ? mergeFromOutermost(forest, keep) : mergeFromInnermost(forest, keep);
    this.look();
    if (!this.fold.touched) this.openFirst();
  }

  /** Searches anew. */
  look(): void {
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

  /** The box in which a stack ends. */
  boxOf(stack: number): Box | undefined {
    return this.tree.boxes.find((box) => box.ends.includes(stack));
  }
}
