// The tree of all stacks as it comes from `dotnet-async2` (schema async2.tree/1, docs/dap.md). Absent means unknown.
// Made from the records in src/Async2.Analysis/Rendering/Tree by the tests: "npm run accept" writes it again.

import type { AgeRecord } from './ageRecords';
import type { FindingRecord, LabelShareRecord } from './findings';
import type { SinceRecord } from './since';
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
  /** What several stacks wait for, or what somebody holds: semaphores, locks, channels, pools. What else is waited for, its stack says. */
  readonly resources?: readonly ResourceRecord[];
  /** Where and when it was read. */
  readonly capture?: CaptureRecord;
  /** What somebody has noted about stacks. */
  readonly notes?: readonly NoteRecord[];
  /** What became of the stacks since an earlier look; absent after the first one. */
  readonly since?: SinceRecord;
}

/** A distinct frame for readers of the tree: no address, and nothing harmful on a page. Many nodes can have it. */
export interface TreeFrame extends FrameFields {
  /** `Orders.cs:42` with a mark for its certainty. */
  readonly place?: string;
  readonly framework?: boolean;
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
export interface TreeStack extends StackFields {
  /** The same in every run of one build: made of methods, IL offsets and kinds. */
  readonly key?: string;
  /** Number of frames, including folded recursion. */
  readonly frames: number;
  /** Number of its innermost node; -1 for a stack without frames. */
  readonly node: number;
  readonly wait?: TreeWait;
  /** The labels in one line, with counts: `GET /orders/{id}, 398 requests, e.g. trace 4bf92f35`. */
  readonly labelText?: string;
  /** Of labels of which equal stacks have several values: which, and how many have each. Absent where there are more than twenty. */
  readonly shares?: Readonly<Record<string, readonly LabelShareRecord[]>>;
  /** What became of its operations since the earlier look. */
  readonly fates?: FatesRecord;
  /** Variables by the index of their frame (0 = innermost); only if requested. For equal stacks, those of the first. */
  readonly locals?: Readonly<Record<string, readonly LocalRecord[]>>;
  /** What each of equal stacks has for itself; only if requested. */
  readonly equal?: EqualRecord;
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

/** A semaphore, lock, channel, timer, socket or promise that stacks wait for, a context in which they go on, or a combinator such as WhenAll. */
export interface ResourceRecord {
  /** What edges call it: its address; the thread pool is pool. */
  readonly id: string;
  /** What it is in the graph. */
  readonly node: AsyncNodeKind;
  /** Of a resource, what it is; a promise that somebody has to complete is a task. */
  readonly kind?: WaitKind;
  readonly address?: string;
  /** C# name of its type. */
  readonly type?: string;
  /** The name by which the program knows it, Orders._till; of a context what it is. */
  readonly name?: string;
  /** Its state: 0 free, 3 waiting. */
  readonly text?: string;
  /** How many nodes of the whole target wait for it, whatever is shown. */
  readonly waiting: number;
  /** Managed ids of the threads that hold it. */
  readonly heldBy?: readonly number[];
  /** True if stacks that wait for it are not grouped with stacks that wait for another one of its kind. */
  readonly shared?: boolean;
  /** Generation of the object, 0 to 2. */
  readonly generation?: number;
}

/** Where and when a target was read. */
export interface CaptureRecord {
  /** When, as 2026-11-25T19:41:07Z; absent for a dump, which does not record when it was written. */
  readonly takenAt?: string;
  /** Name of the machine that read it. */
  readonly host?: string;
  /** Name of the process. */
  readonly process?: string;
  /** Command line, program first; not with --redact. */
  readonly commandLine?: string;
}

/** What somebody has noted about stacks. */
export interface NoteRecord {
  /** Key of the stacks. */
  readonly key: string;
  /** The note; empty if they are only pinned. */
  readonly text: string;
}

/** The fields of every JSON form of a frame. */
export interface FrameFields {
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
  /** How certain line and ilOffset are. */
  readonly exactness: Exactness;
  /** Number of folded framework frames that it called. */
  readonly folded?: number;
}

/** The fields of every JSON form of a stack: one stack, or Count equal ones. */
export interface StackFields {
  readonly id: string;
  /** Number of equal stacks; more than 1 only if coalesced. */
  readonly count: number;
  readonly state: StackState;
  /** Address of the task that completes when the outermost frame returns. */
  readonly task?: string;
  /** Managed id of the thread that runs or blocks in it. */
  readonly thread?: number;
  /** Ids of separate stacks that wait for this one. */
  readonly awaitedBy?: readonly string[];
  /** Name of the framework's idle loop, Kestrel receive: it waits for a client. */
  readonly idle?: string;
  /** For whom it works: request (GET /orders/42), route, trace, span, activity, requestId, call (a request that it sends), scope, culture, and AsyncLocals of the program by Type.field. Of equal stacks those of the first that has one. */
  readonly labels?: Readonly<Record<string, string>>;
  /** For how long it has waited, or has not moved: of equal stacks the oldest. Absent if nothing is known of that. */
  readonly age?: AgeRecord;
}

/** What the innermost frame waits for, escaped for a page. */
export interface TreeWait extends WaitFields {
  /** The thing without details, the same for all waiters of such a thing. */
  readonly short: string;
}

/** What became of the operations of a stack. */
export interface FatesRecord {
  /** They are where they were, waiting for the same. */
  readonly stuck: number;
  /** They have gone on, to here. */
  readonly moved: number;
  /** They were not there. */
  readonly new: number;
}

/** An argument or a local of a frame, as text in C# form. */
export interface LocalRecord {
  readonly name: string;
  readonly type?: string;
  readonly value: string;
}

/** What each of equal stacks has for itself, and how far their variables differ. */
export interface EqualRecord {
  /** The first ones, those that have waited longest first. */
  readonly members: readonly MemberRecord[];
  /** Of how many stacks variables were read; absent for none. */
  readonly read?: number;
  /** Variables with more than one value, frame by frame from the innermost. */
  readonly spread?: readonly SpreadRecord[];
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

/** What a node of a model is. */
export type AsyncNodeKind =
  | 'runtime-async'
  | 'tasklet'
  | 'state-machine'
  | 'pooled'
  | 'f-sharp-async'
  | 'thread-segment'
  | 'combinator'
  | 'task'
  | 'resource'
  | 'context'
  | 'thread';

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

/** What a frame of a logical stack consists of in the target. */
export type FrameKind = 'continuation' | 'tasklet' | 'state-machine' | 'pooled' | 'task' | 'thread' | 'elided';

/** How certain the source position of a frame is. A frame never claims more than was proven. */
export type Exactness = 'none' | 'approximate' | 'order' | 'exact';

/** State of a logical stack, in the words of Visual Studio's Tasks window. */
export type StackState = 'awaiting' | 'scheduled' | 'active' | 'blocked' | 'deadlocked' | 'completed';

/** What the innermost frame waits for, in every JSON form. */
export interface WaitFields {
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
}

/** One of several equal stacks. */
export interface MemberRecord {
  /** Address of its task. */
  readonly task?: string;
  /** Managed id of the thread that runs or blocks in it. */
  readonly thread?: number;
  readonly age?: AgeRecord;
  readonly labels?: Readonly<Record<string, string>>;
  /** Variables by the index of their frame (0 = innermost). */
  readonly locals?: Readonly<Record<string, readonly LocalRecord[]>>;
}

/** How far the values of a variable differ between equal stacks. */
export interface SpreadRecord {
  /** Index of its frame (0 = innermost). */
  readonly frame: number;
  /** Its name. */
  readonly name: string;
  /** How many different values there are. */
  readonly values: number;
  /** How many stacks have a value. */
  readonly of: number;
  /** The values that most have; absent if all differ. */
  readonly largest?: readonly LabelShareRecord[];
}
