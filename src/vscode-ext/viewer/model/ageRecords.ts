// What the tree says of ages (schema async2.tree/1, docs/dap.md). Absent means unknown.
// Made from the records in src/Async2.Analysis/Rendering by the tests: "npm run accept" writes it again.

/** For how long something has waited or has not moved. */
export interface AgeRecord {
  /** At least so long, in milliseconds; 0 if nothing is known. */
  readonly atLeastMs: number;
  /** How that is known; without another bound, how atMostMs is. */
  readonly clock: AgeClock;
  /** At most so long, in milliseconds; the same as atLeastMs where it is exact. Absent if there is no such bound. */
  readonly atMostMs?: number;
  /** How atMostMs is known. */
  readonly atMostClock?: AgeClock;
  /** How many of the equal stacks have an age, if not all. */
  readonly stacks?: number;
  /** How many of equal stacks are how old, from the youngest on. */
  readonly shares?: readonly AgeShareRecord[];
}

/** How an age is known. */
export type AgeClock = 'two-looks' | 'timer' | 'neighbours' | 'collection' | 'activity' | 'http-timer';

/** How many stacks are of an age. */
export interface AgeShareRecord {
  /** They have waited at least so long, in milliseconds. */
  readonly fromMs: number;
  /** How many, that are not counted for a longer time. */
  readonly stacks: number;
}
