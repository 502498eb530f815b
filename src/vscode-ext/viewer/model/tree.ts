// The tree of all stacks as it comes from `dotnet-async2` (schema async2.tree/1, docs/dap.md). Absent means unknown.
// Made from the records in src/Async2.Analysis/Rendering/Tree by the tests: "npm run accept" writes it again.

import type { TargetRecord } from './target';

/** A page of the tree, schema `async2.tree/1` (docs/dap.md). Indexes count through all pages. */
export interface TreePage {
  readonly schema: 'async2.tree/1';
  readonly page: number;
  /** Number of the next page; absent on the last one. */
  readonly next?: number;
  /** On page 0. */
  readonly head?: TreeHead;
  readonly frames: readonly TreeFrame[];
  readonly nodes: NodeColumns;
  readonly stacks: readonly TreeStack[];
}

/** Facts about all stacks together; on the first page. */
export interface TreeHead {
  readonly target: TargetRecord;
  readonly totals: TotalsRecord;
  readonly complete: boolean;
  readonly verdict: string;
  readonly findings: readonly FindingRecord[];
  readonly problems: readonly ProblemRecord[];
  /** Who holds what is waited for, and what findings are about: from a resource to a stack or a thread. */
  readonly edges?: readonly EdgeRecord[];
  /** What several stacks wait for, or what somebody holds. */
  readonly resources?: readonly ResourceRecord[];
  readonly capture?: CaptureRecord;
  readonly notes?: readonly NoteRecord[];
  readonly since?: SinceRecord;
}

export interface ResourceRecord {
  readonly id: string;
  readonly node: string;
  readonly kind?: WaitKind;
  readonly address?: string;
  readonly type?: string;
  readonly name?: string;
  readonly text?: string;
  readonly waiting: number;
  readonly heldBy?: readonly number[];
  readonly shared?: boolean;
  readonly generation?: number;
}

export interface CaptureRecord {
  readonly takenAt?: string;
  readonly host?: string;
  readonly process?: string;
  readonly commandLine?: string;
}

export interface NoteRecord {
  readonly key: string;
  readonly text: string;
}

export interface SinceRecord {
  readonly takenAt?: string;
  readonly apartMs?: number;
  readonly pinned?: boolean;
  readonly totals: ChangesRecord;
  readonly gone: readonly GoneRow[];
  readonly moreGone?: number;
}

export interface ChangesRecord {
  readonly before: number;
  readonly after: number;
  readonly stuck: number;
  readonly moved: number;
  readonly new: number;
  readonly gone: number;
}

export interface GoneRow {
  readonly id: string;
  readonly state: StackState;
  readonly name: string;
  readonly wait?: string;
  readonly waitDetail?: string;
  readonly labels?: string;
  readonly frames: readonly DiffFrame[];
  readonly more?: number;
  readonly count: number;
}

export interface DiffFrame {
  readonly method: string;
  readonly place?: string;
  readonly framework?: boolean;
}

export interface FatesRecord {
  readonly stuck: number;
  readonly moved: number;
  readonly new: number;
}

export interface EqualRecord {
  readonly members: readonly MemberRecord[];
  readonly read?: number;
  readonly spread?: readonly SpreadRecord[];
}

export interface MemberRecord {
  readonly task?: string;
  readonly thread?: number;
  readonly age?: AgeRecord;
  readonly labels?: Readonly<Record<string, string>>;
  readonly locals?: Readonly<Record<string, readonly LocalRecord[]>>;
}

export interface SpreadRecord {
  readonly frame: number;
  readonly name: string;
  readonly values: number;
  readonly of: number;
  readonly largest?: readonly LabelShareRecord[];
}


/** A distinct frame for readers of the tree: no address, and nothing harmful on a page. Many nodes can have it. */
export interface TreeFrame {
  readonly kind: FrameKind;
  /** In C# form, or <unreadable 0x...>. */
  readonly method: string;
  readonly type?: string;
  readonly name?: string;
  readonly module?: string;
  /** Path in the PDB. */
  readonly file?: string;
  /** 1-based line of the await. */
  readonly line?: number;
  /** `Orders.cs:42` with a mark for its certainty. */
  readonly place?: string;
  /** How certain line and ilOffset are. */
  readonly exactness: Exactness;
  readonly framework?: boolean;
  /** Number of folded framework frames that it called. */
  readonly folded?: number;
  /** Number of the stack's frames that it stands for; one if absent. */
  readonly frames?: number;
  /** Text for recursion: `2 frames, 5,000 more times`. */
  readonly repeat?: string;
}

/** Nodes: the frame of each, and pairs of a node and its caller's node. A node without a pair has the node before it as its caller, as it is along a stack. */
export interface NodeColumns {
  /** Frame of each node. */
  readonly frame: readonly number[];
  /** A node and its caller's node (-1 for none); a node without a pair has the node before it as its caller. */
  readonly joins: readonly (readonly [node: number, outer: number])[];
}

/** A stack, whose frames are those of its node and of all callers' nodes. */
export interface TreeStack {
  readonly id: string;
  /** Number of equal stacks; more than 1 only if coalesced. */
  readonly count: number;
  readonly state: StackState;
  /** Address of the task that completes when the outermost frame returns. */
  readonly task?: string;
  /** Managed id of the thread that runs or blocks in it. */
  readonly thread?: number;
  /** Number of frames, including folded recursion. */
  readonly frames: number;
  /** Number of its innermost node; -1 for a stack without frames. */
  readonly node: number;
  readonly wait?: TreeWait;
  /** The labels in one line, with counts: `GET /orders/{id}, 398 requests, e.g. trace 4bf92f35`. */
  readonly labelText?: string;
  /** Ids of separate stacks that wait for this one. */
  readonly awaitedBy?: readonly string[];
  /** Name of the framework's idle loop, Kestrel receive: it waits for a client. */
  readonly idle?: string;
  /** For whom it works: request (GET /orders/42), route, trace, span, activity, requestId, call (a request that it sends), scope, culture, and AsyncLocals of the program by Type.field. Of equal stacks those of the first that has one. */
  readonly labels?: Readonly<Record<string, string>>;
  /** For how long it has waited, or has not moved: of equal stacks the oldest. Absent if nothing is known of that. */
  readonly age?: AgeRecord;
  readonly key?: string;
  readonly shares?: Readonly<Record<string, readonly LabelShareRecord[]>>;
  readonly fates?: FatesRecord;
  readonly equal?: EqualRecord;
  /** Variables by the index of their frame (0 = innermost); only if requested. For equal stacks, those of the first. */
  readonly locals?: Readonly<Record<string, readonly LocalRecord[]>>;
}

/** Counts over the whole target, independent of limits. */
export interface TotalsRecord {
  /** Logical stacks, not coalesced. */
  readonly stacks: number;
  /** Frames of these stacks. */
  readonly frames: number;
  /** Distinct stacks. */
  readonly groups: number;
  /** How many of the stacks are idle loops of a framework; absent means none. */
  readonly idle?: number;
}

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

/** What could not be read or decided. */
export interface ProblemRecord {
  /** Stable id, `A2D1004`. */
  readonly code: string;
  /** One sentence. */
  readonly text: string;
  readonly address?: string;
}

/** Edges of one kind from a stack or resource to another. */
export interface EdgeRecord {
  /** Id of a stack, or of a resource or thread. */
  readonly from: string;
  readonly relation: EdgeKind;
  /** Id of a stack, resource or thread; an address that is none of these is a task that is not shown. Absent where there are too many to be listed. */
  readonly to?: string;
  /** How it is known. */
  readonly known: EdgeSource;
  /** How many edges it stands for. */
  readonly count: number;
  /** To how many different ones, where these are not listed. */
  readonly targets?: number;
}

/** What a frame of a logical stack consists of in the target. */
export type FrameKind = 'continuation' | 'tasklet' | 'state-machine' | 'pooled' | 'task' | 'thread' | 'elided';

/** How certain the source position of a frame is. A frame never claims more than was proven. */
export type Exactness = 'none' | 'approximate' | 'order' | 'exact';

/** State of a logical stack, in the words of Visual Studio's Tasks window. */
export type StackState = 'awaiting' | 'scheduled' | 'active' | 'blocked' | 'deadlocked' | 'completed';

/** What the innermost frame waits for, escaped for a page. */
export interface TreeWait {
  readonly kind: WaitKind;
  readonly text: string;
  readonly address?: string;
  readonly type?: string;
  /** Address of the semaphore, lock, channel or pool itself: the same for all its waiters. */
  readonly resource?: string;
  /** C# name of the resource's type. */
  readonly resourceType?: string;
  /** The program's name for the resource, Orders._till: a field, or a path of fields from a static one. */
  readonly name?: string;
  /** Id of the stack that this one waits for. */
  readonly stack?: string;
  /** Ids of the stacks that a combinator such as WhenAll still waits for. */
  readonly pending?: readonly string[];
  /** The thing without details, the same for all waiters of such a thing. */
  readonly short: string;
}

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

/** An argument or a local of a frame, as text in C# form. */
export interface LocalRecord {
  readonly name: string;
  readonly type?: string;
  readonly value: string;
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

/** What two nodes have to do with each other. */
export type EdgeKind = 'awaits' | 'blocked-on' | 'held-by' | 'part-of' | 'runs-on' | 'resumes-on' | 'completed-by';

/** How an edge is known: which fact of memory it rests on. Where memory has none, there is no edge. */
export type EdgeSource =
  | 'continuation-object'
  | 'saved-awaiter'
  | 'field'
  | 'wait-queue'
  | 'thread-stack'
  | 'owner-record'
  | 'work-queue'
  | 'captured-context'
  | 'inferred'
  | 'acquired-by-code'
  | 'perhaps-acquired-by-code'
  | 'released-by-code';

/** The kind of thing that a stack or a thread waits for: one list for everything from reading objects to JSON. */
export type WaitKind =
  | 'none'
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
  | 'native';

/** How an age is known. */
export type AgeClock = 'two-looks' | 'timer' | 'neighbours' | 'collection' | 'activity' | 'http-timer';

/** How many stacks are of an age. */
export interface AgeShareRecord {
  /** They have waited at least so long, in milliseconds. */
  readonly fromMs: number;
  /** How many, that are not counted for a longer time. */
  readonly stacks: number;
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
