// What the page of `dotnet-async2 diff --format html` draws. Absent means unknown.
// Made from the records in src/Async2.Analysis/Rendering/Changes by the tests: "npm run accept" writes it again.

import type { TargetRecord } from './target';

/** What the page of a comparison draws. Text from the target in it is harmless. */
export interface DiffPage {
  readonly verdict: string;
  readonly before: TargetRecord;
  readonly after: TargetRecord;
  readonly totals: ChangesRecord;
  readonly complete: boolean;
  /** The filters as typed; absent without filters. */
  readonly filter?: string;
  /** Idle loops that are not among the groups. */
  readonly idle: number;
  readonly groups: readonly DiffRow[];
  readonly findings: readonly DiffFinding[];
  readonly queues: readonly QueueRecord[];
  readonly problems: readonly ProblemRecord[];
}

/** What became of stacks. */
export interface ChangesRecord {
  /** How many there were. */
  readonly before: number;
  /** How many there are. */
  readonly after: number;
  /** The same operations, in the same place, waiting for the same. */
  readonly stuck: number;
  /** Operations that were there before, and are in another place now, or in the same one again. */
  readonly moved: number;
  /** Operations that were not there. */
  readonly new: number;
  /** Operations that are not there any more. */
  readonly gone: number;
}

/** A group of stacks with the same frames. */
export interface DiffRow extends GroupRow {
  readonly counts: ChangesRecord;
  /** Operations that were in this group, and are in another one now. */
  readonly left: number;
  /** How stuck ones were known again. */
  readonly known?: string;
  /** To which groups operations of this one went on. */
  readonly ways?: readonly DiffWay[];
}

/** What became of a finding. */
export interface DiffFinding {
  readonly change: FindingFate;
  readonly severity: Severity;
  readonly confidence: Confidence;
  readonly rule: string;
  readonly text: string;
}

/** Something that stacks wait for. */
export interface QueueRecord {
  /** The program's name for it. */
  readonly name: string;
  /** How many waited. */
  readonly before: number;
  /** How many wait. */
  readonly after: number;
}

/** What could not be read or decided. */
export interface ProblemRecord {
  /** Stable id, `A2D1004`. */
  readonly code: string;
  /** One sentence. */
  readonly text: string;
  readonly address?: string;
}

/** A group of stacks with the same frames, as rows of a page show it. */
export interface GroupRow {
  readonly id: string;
  readonly state: StackState;
  /** The innermost method of the user: Orders.PayAsync. */
  readonly name: string;
  /** What they wait for, in a word or two. */
  readonly wait?: string;
  /** The same with all that is known. */
  readonly waitDetail?: string;
  /** For whom they work. */
  readonly labels?: string;
  /** Innermost first. */
  readonly frames: readonly DiffFrame[];
  /** Frames that are not listed, further out. */
  readonly more?: number;
}

/** Operations that went on to another place. */
export interface DiffWay {
  /** Id of the group in which they are; the same one if they came back to it. */
  readonly to: string;
  /** How many. */
  readonly count: number;
}

/** What became of a finding. */
export type FindingFate = 'still' | 'new' | 'gone';

/** How bad a finding is. */
export type Severity = 'info' | 'warning' | 'error';

/** How certain a finding is. */
export type Confidence = 'possible' | 'likely' | 'certain';

/** State of a logical stack, in the words of Visual Studio's Tasks window. */
export type StackState = 'awaiting' | 'scheduled' | 'active' | 'blocked' | 'deadlocked' | 'completed';

/** A frame of a group. */
export interface DiffFrame {
  /** Full C# form. */
  readonly method: string;
  /** `Orders.cs:42`; absent if unknown. */
  readonly place?: string;
  /** Not the user's own. */
  readonly framework?: boolean;
}
