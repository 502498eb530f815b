// What the tree says of the target and its thread pool (schema async2.tree/1, docs/dap.md). Absent means unknown.
// Made from the records in src/Async2.Analysis/Rendering by the tests: "npm run accept" writes it again.

/** The target. */
export interface TargetRecord {
  readonly kind: TargetKind;
  readonly pid?: number;
  readonly path?: string;
  readonly os: string;
  readonly architecture: string;
  /** Version of the runtime, 10.0.12. */
  readonly runtime?: string;
  /** Async families in use: runtime-async, state-machine, pooled, tasklet. */
  readonly families: readonly string[];
  /** Layouts by which stacks were read. */
  readonly layouts?: readonly LayoutRecord[];
  /** Milliseconds for which a live target was stopped. */
  readonly freezeMs?: number;
  /** How often it was read for this answer, so that what has moved is known; absent for once. */
  readonly looks?: number;
  /** Milliseconds between the first reading and the last. */
  readonly apartMs?: number;
  /** The newest tick count found in a dump: its ages count to it, because it does not record when it was written. */
  readonly lastTick?: number;
  /** Where lastTick comes from: timer, timer-queue, pool, activity. */
  readonly lastTickFrom?: string;
  /** State of the thread pool; absent if it is not used, or could not be read. */
  readonly pool?: PoolRecord;
  /** True if a debugger had already stopped it. */
  readonly held?: boolean;
}

/** Kind of source of a snapshot. */
export type TargetKind = 'process' | 'dump' | 'snapshot';

/** A layout by which stacks were read. */
export interface LayoutRecord {
  /** What it describes: Async2Continuations, Async2Tasklets. */
  readonly contract: string;
  /** Version of the algorithm, 1. */
  readonly version: string;
  /** Source of the layout: metadata, file my.json, built in net10. */
  readonly source: string;
}

/** The thread pool. */
export interface PoolRecord {
  /** Workers that run a work item, or block in one. */
  readonly working: number;
  /** All workers. */
  readonly existing: number;
  /** How many the pool wants to have at work. */
  readonly goal: number;
  readonly min?: number;
  readonly max?: number;
  /** Workers that block in a task's Wait or Result. */
  readonly blockedInTask?: number;
  /** Workers that the pool has added because of these. */
  readonly addedForBlocking?: number;
  /** Use of all processors, in percent, as the pool last measured it. */
  readonly cpuPercent?: number;
  /** Milliseconds since a worker last took or completed an item. */
  readonly sinceProgressMs?: number;
  /** True if it was at least so long: a dump does not record when it was written. */
  readonly atLeast?: boolean;
  /** Items in the queue that workers look at first. */
  readonly highPriority: number;
  /** Items in the common queue. */
  readonly global: number;
  /** Items in the queues of workers. */
  readonly local: number;
  /** What is queued, by name; at most 50 names. */
  readonly queue?: readonly QueuedRecord[];
  /** Managed ids of the workers. */
  readonly workers?: readonly number[];
  /** The last change of the number of workers. */
  readonly lastAdjustment?: AdjustmentRecord;
}

/** Items of the pool's queue with the same name. */
export interface QueuedRecord {
  readonly kind: QueuedWorkKind;
  /** The method that they call or resume; of others their type. */
  readonly name: string;
  readonly count: number;
}

/** A change of the number of workers. */
export interface AdjustmentRecord {
  /** The runtime's name for it: Starvation, CooperativeBlocking, ClimbingMove. */
  readonly reason: string;
  /** How many were wanted from then on. */
  readonly goal: number;
  /** Milliseconds ago; absent if that is unknown, as it may be in a dump. */
  readonly agoMs?: number;
}

/** What is queued to the thread pool. */
export type QueuedWorkKind = 'callback' | 'resumption' | 'timers' | 'input-output' | 'other';
