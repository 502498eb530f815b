// What the page of `dotnet-async2 diff --format html` draws of three and more targets. Absent means unknown.
// Made from the records in src/Async2.Analysis/Rendering/Changes by the tests: "npm run accept" writes it again.

import type { GroupRow, ProblemRecord } from './diff';
import type { TargetRecord } from './target';

/** What the page of what only grows draws. Text from the target in it is harmless. */
export interface GrowthPage {
  readonly verdict: string;
  readonly first: TargetRecord;
  readonly last: TargetRecord;
  /** How many stacks each look has, oldest first. */
  readonly stacks: readonly number[];
  readonly complete: boolean;
  /** The filters as typed; absent without filters. */
  readonly filter?: string;
  /** Groups that only grow, the biggest growth first. */
  readonly groups: readonly GrowthRow[];
  /** Groups that only grow and are not listed. */
  readonly rest: number;
  /** How many groups of the last look do not only grow. */
  readonly others: number;
  readonly problems: readonly ProblemRecord[];
}

/** A group that only grows. */
export interface GrowthRow extends GroupRow {
  /** How many each look has, oldest first. */
  readonly counts: readonly number[];
  /** By how many, in which time, and how many went on: +15 in 3 min, 5 a minute; none went on. */
  readonly pace: string;
}
