// What the tree says is wrong (schema async2.tree/1, docs/dap.md). Absent means unknown.
// Made from the records in src/Async2.Analysis/Rendering by the tests: "npm run accept" writes it again.

import type { AgeRecord } from './ageRecords';
import type { EdgeKind } from './tree';

/** A conclusion of an analysis. */
export interface FindingRecord {
  readonly id?: string;
  readonly key?: string;
  readonly rule: string;
  readonly severity: Severity;
  readonly confidence: Confidence;
  readonly text: string;
  readonly stacks: readonly string[];
  readonly blocked?: number;
  readonly evidence?: readonly EvidenceRecord[];
  /** Whether what it is about has moved between two looks; absent if that is not known. */
  readonly motion?: Motion;
  /** For how long looks have seen what it is about in the same place; absent if it has moved, and after one look. */
  readonly still?: StillRecord;
  /** For how long the oldest of those that it is about has waited; only of rules that tell so much. */
  readonly age?: AgeRecord;
  /** For whom the stacks work that hang on it: requests first, then the program's own AsyncLocals. */
  readonly labels?: readonly FindingLabelRecord[];
  readonly disprovedBy?: string;
  readonly next?: string;
}

/** How bad a finding is. */
export type Severity = 'info' | 'warning' | 'error';

/** How certain a finding is. */
export type Confidence = 'possible' | 'likely' | 'certain';

/** A step of a finding. */
export interface EvidenceRecord {
  /** One sentence. */
  readonly text: string;
  readonly method?: string;
  readonly file?: string;
  readonly line?: number;
  readonly stack?: string;
  readonly relation?: EdgeKind;
  readonly to?: string;
}

/** Whether something has moved between two looks at a process. */
export type Motion = 'unknown' | 'still' | 'moved';

/** For how long something has not moved. */
export interface StillRecord {
  /** Milliseconds from the first of these looks to the last. */
  readonly atLeastMs: number;
  /** In how many looks it was there, the last one included. */
  readonly looks: number;
  /** How many looks there were. */
  readonly ofLooks: number;
}

/** What the labels of one name say. */
export interface FindingLabelRecord {
  /** request, or the field of an AsyncLocal. */
  readonly name: string;
  /** How many requests; of an AsyncLocal, how many stacks have a value. */
  readonly count: number;
  /** How many different values; of requests, how many routes. */
  readonly values: number;
  /** The values that most have, at most ten. */
  readonly largest: readonly LabelShareRecord[];
  /** All of it in a line, with the three largest values; absent if they are all left out. */
  readonly text?: string;
}

/** A value of a label, and how many have it. */
export interface LabelShareRecord {
  /** Of requests method and route, or the path where no route is known. */
  readonly value: string;
  /** How many requests; of an AsyncLocal, how many stacks. */
  readonly count: number;
  /** Trace id of one of the requests. */
  readonly trace?: string;
}
