// The tree of all stacks as it comes from `dotnet-async2` (schema async2.tree/1, docs/dap.md). Absent means unknown.

export type StackState = 'awaiting' | 'scheduled' | 'active' | 'blocked' | 'deadlocked' | 'completed';

export type WaitKind =
  | 'task'
  | 'timer'
  | 'semaphore'
  | 'channel'
  | 'pipe'
  | 'socket'
  | 'pool'
  | 'lock'
  | 'event'
  | 'thread'
  | 'process'
  | 'custom'
  | 'none';

/** A distinct frame; many nodes can have it. */
export interface TreeFrame {
  readonly method: string;
  readonly name?: string;
  readonly type?: string;
  readonly module?: string;
  readonly file?: string;
  readonly line?: number;
  /** `Orders.cs:42` with a mark that says how sure it is. */
  readonly place?: string;
  readonly kind: 'continuation' | 'tasklet' | 'state-machine' | 'pooled' | 'task' | 'thread' | 'elided';
  readonly exactness: 'exact' | 'order' | 'approximate' | 'none';
  readonly framework?: boolean;
  /** Frames of frameworks on its inner side that are not shown, at most. */
  readonly folded?: number;
  /** How many frames of a stack it stands for; 1 when absent. */
  readonly frames?: number;
  /** Words for recursion: `2 frames, 5,000 more times`. */
  readonly repeat?: string;
}

export interface TreeWait {
  readonly kind: WaitKind;
  readonly text: string;
  readonly short: string;
  readonly address?: string;
  readonly type?: string;
  readonly stack?: string;
  readonly pending?: readonly string[];
}

/** A logical stack, or `count` equal ones. */
export interface TreeStack {
  readonly id: string;
  readonly count: number;
  readonly state: StackState;
  readonly thread?: number;
  readonly task?: string;
  /** Frames in all, folded recursion included. */
  readonly frames: number;
  /** Number of its innermost node; -1 for a stack without frames. */
  readonly node: number;
  readonly wait?: TreeWait;
  readonly awaitedBy?: readonly string[];
  /** A loop of a framework that waits for work, by its name. */
  readonly idle?: string;
  /** Variables by the index of their frame (0 = innermost); only where they were asked for. Of equal stacks, those of the first. */
  readonly locals?: Readonly<
    Record<string, readonly { readonly name: string; readonly type?: string; readonly value: string }[]>
  >;
}

export interface TreeFinding {
  readonly rule: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly confidence: 'certain' | 'likely' | 'possible';
  readonly text: string;
  readonly stacks: readonly string[];
}

export interface TreeProblem {
  readonly code: string;
  readonly text: string;
  readonly address?: string;
}

export interface TreeHead {
  readonly target: {
    readonly kind: 'process' | 'dump' | 'snapshot';
    readonly pid?: number;
    readonly path?: string;
    readonly os: string;
    readonly architecture: string;
    readonly runtime?: string;
    readonly families: readonly string[];
    readonly freezeMs?: number;
  };
  readonly totals: { readonly stacks: number; readonly frames: number; readonly groups: number };
  readonly complete: boolean;
  readonly verdict: string;
  readonly findings: readonly TreeFinding[];
  readonly problems: readonly TreeProblem[];
}

export interface TreePage {
  readonly schema: 'async2.tree/1';
  readonly page: number;
  /** Number of the next page; absent on the last one. */
  readonly next?: number;
  /** On page 0. */
  readonly head?: TreeHead;
  readonly frames: readonly TreeFrame[];
  readonly nodes: {
    /** Frame of each node. */
    readonly frame: readonly number[];
    /** Node and the one outside of it (-1 for none); where a node has no pair, it is the one before. */
    readonly joins: readonly (readonly [node: number, outer: number])[];
  };
  readonly stacks: readonly TreeStack[];
}
