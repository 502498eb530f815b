// What the tree says of an earlier look (schema async2.tree/1, docs/dap.md). Absent means unknown.
// Made from the records in src/Async2.Analysis/Rendering/Tree by the tests: "npm run accept" writes it again.

import type { ChangesRecord, GroupRow } from './diff';

/** What became of stacks since an earlier look. */
export interface SinceRecord {
  /** When the earlier look was taken; absent if that is not known. */
  readonly takenAt?: string;
  /** Milliseconds between the two looks; absent if that is not known. */
  readonly apartMs?: number;
  /** True if it is a look that was pinned, not the last one. */
  readonly pinned?: boolean;
  readonly totals: ChangesRecord;
  /** Stacks of the earlier look with operations that are gone, most first. */
  readonly gone: readonly GoneRow[];
  /** How many more operations are gone than those of the list. */
  readonly moreGone?: number;
}

/** Stacks of which operations are gone. */
export interface GoneRow extends GroupRow {
  /** How many are gone. */
  readonly count: number;
}
