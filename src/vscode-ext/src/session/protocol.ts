// Answers to custom requests (docs/dap.md). Everything from an adapter is checked, not trusted.
import type { TreePage } from '../../viewer/model/tree';

export interface StackRow {
  readonly id: string;
  readonly thread: number;
  readonly count: number;
  readonly state: string;
  readonly name: string;
  readonly wait?: string;
  /** The user's innermost frame, with its line. */
  readonly frame?: string;
  /** For how long it has waited. */
  readonly age?: string;
  /** For whom it works. */
  readonly labels?: string;
}

/** Idle loops of frameworks: the last stacks of a list. */
export interface IdleRows {
  readonly entries: number;
  /** `111 idle loops`. */
  readonly name: string;
  /** `56 Kestrel receive, 55 Kestrel send`. */
  readonly text: string;
}

/** A step of a finding, with its place on this machine if there is one. */
export interface StepRow {
  readonly text: string;
  readonly stack?: string;
  readonly path?: string;
  readonly line?: number;
}

export interface FindingRow {
  readonly id: string;
  readonly rule: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly confidence: string;
  readonly text: string;
  readonly blocked?: number;
  readonly next?: string;
  readonly stacks: readonly string[];
  readonly steps: readonly StepRow[];
}

export interface FindingList {
  readonly findings: readonly FindingRow[];
  readonly summary: string;
  /** When the target was read; undefined for a dump. */
  readonly takenAt?: string;
  /** A process that runs on. */
  readonly live: boolean;
}

/** A line of source at which stacks stand. */
export interface PlaceRow {
  readonly path: string;
  readonly line: number;
  readonly stacks: number;
  readonly stack: string;
  readonly oldest?: string;
  readonly wait?: string;
}

export interface StackPage {
  readonly total: number;
  readonly stacks: readonly StackRow[];
  readonly idle?: IdleRows;
}

export interface FrameRow {
  readonly id: number;
  readonly name: string;
  readonly line: number;
  readonly column: number;
  readonly label: boolean;
  readonly subtle: boolean;
  readonly source?: SourceRow;
}

/** A source of DAP; the other fields are the adapter's own. */
export interface SourceRow {
  readonly name?: string;
  readonly path?: string;
  readonly sourceReference?: number;
}

export interface FramePage {
  readonly total?: number;
  readonly frames: readonly FrameRow[];
}

export interface Place {
  readonly source?: SourceRow;
  readonly line: number;
  readonly column: number;
}

export function readStackPage(answer: unknown): StackPage {
  const { total, stacks, idle } = fieldsOf(answer);
  const rows = listOf(stacks)
    .map(readStack)
    .filter((row) => row !== undefined);
  return { total: numberOr(total, rows.length), stacks: rows, idle: readIdle(idle) };
}

function readIdle(value: unknown): IdleRows | undefined {
  const { entries, name, text } = fieldsOf(value);
  const count = numberOr(entries, 0);
  return count > 0 && Number.isSafeInteger(count)
    ? { entries: count, name: textOr(name, 'idle loops'), text: textOr(text, '') }
    : undefined;
}

export function readFramePage(answer: unknown): FramePage {
  const { totalFrames, stackFrames } = fieldsOf(answer);
  return {
    total: typeof totalFrames === 'number' ? totalFrames : undefined,
    frames: listOf(stackFrames).map((entry) => {
      const frame = fieldsOf(entry);
      return {
        id: numberOr(frame.id, 0),
        name: textOr(frame.name, '?'),
        ...readPosition(frame),
        label: frame.presentationHint === 'label',
        subtle: frame.presentationHint === 'subtle',
        source: readSource(frame.source),
      };
    }),
  };
}

export function readPlace(answer: unknown): Place {
  const place = fieldsOf(answer);
  return { ...readPosition(place), source: readSource(place.source) };
}

/** The viewer reads the rest of a page; here it only has to be a page. */
export function readTreePage(answer: unknown): TreePage {
  const page = fieldsOf(answer);
  if (page.schema !== 'async2.tree/1' || typeof page.page !== 'number')
    throw new Error('the answer is not a page of async2.tree/1');
  return answer as TreePage;
}

export function readHtml(answer: unknown): string {
  const { html } = fieldsOf(answer);
  if (typeof html !== 'string' || html === '') throw new Error('the answer has no html');
  return html;
}

export function readFindings(answer: unknown): FindingList {
  const { findings, summary, takenAt, live } = fieldsOf(answer);
  return {
    findings: listOf(findings).flatMap((entry) => readFinding(fieldsOf(entry))),
    summary: textOr(summary, ''),
    takenAt: textOf(takenAt),
    live: live === true,
  };
}

function readFinding(row: Record<string, unknown>): FindingRow[] {
  const { id, rule, severity } = row;
  if (typeof id !== 'string' || typeof rule !== 'string') return [];
  return [
    {
      id,
      rule,
      severity: severity === 'error' || severity === 'warning' ? severity : 'info',
      confidence: textOr(row.confidence, ''),
      text: textOr(row.text, rule),
      blocked: typeof row.blocked === 'number' ? row.blocked : undefined,
      next: textOf(row.next),
      stacks: listOf(row.stacks).filter((stack) => typeof stack === 'string'),
      steps: listOf(row.steps).map((entry) => {
        const step = fieldsOf(entry);
        const path = typeof step.path === 'string' ? pathOf(step.path) : undefined;
        return { text: textOr(step.text, ''), stack: textOf(step.stack), path, line: lineOf(step.line) };
      }),
    },
  ];
}

export function readPlaces(answer: unknown): PlaceRow[] {
  return listOf(fieldsOf(answer).places).flatMap((entry) => {
    const row = fieldsOf(entry);
    const line = lineOf(row.line);
    if (typeof row.path !== 'string' || line === undefined || typeof row.stack !== 'string') return [];
    const stacks = numberOr(row.stacks, 1);
    return [{ path: pathOf(row.path), line, stacks, stack: row.stack, oldest: textOf(row.oldest), wait: textOf(row.wait) }];
  });
}

/** The bytes of a snapshot file. */
export function readSnapshot(answer: unknown): Uint8Array {
  const { snapshot } = fieldsOf(answer);
  if (typeof snapshot !== 'string' || snapshot === '') throw new Error('the answer has no snapshot');
  return Buffer.from(snapshot, 'base64');
}

function lineOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}

function readStack(entry: unknown): StackRow | undefined {
  const row = fieldsOf(entry);
  if (typeof row.id !== 'string' || typeof row.thread !== 'number') return undefined;
  return {
    id: row.id,
    thread: row.thread,
    count: numberOr(row.count, 1),
    state: textOr(row.state, ''),
    name: textOr(row.name, row.id),
    wait: textOf(row.wait),
    frame: textOf(row.frame),
    age: textOf(row.age),
    labels: textOf(row.labels),
  };
}

function readPosition(fields: Record<string, unknown>): { line: number; column: number } {
  return { line: Math.max(1, numberOr(fields.line, 1)), column: Math.max(1, numberOr(fields.column, 1)) };
}

function readSource(value: unknown): SourceRow | undefined {
  const source = fieldsOf(value);
  const path = typeof source.path === 'string' ? pathOf(source.path) : undefined;
  const sourceReference = numberOr(source.sourceReference, 0);
  return sourceReference > 0 || path !== undefined ? { name: textOf(source.name), path, sourceReference } : undefined;
}

/**
 * If VS Code's window is on another machine than this extension, VS Code rewrites paths in answers to addresses:
 * `vscode-remote://host/src/Orders.cs`. The file is on this machine.
 */
function pathOf(path: string): string {
  if (!/^(file|vscode-remote):\/\//i.test(path)) return path;
  try {
    return decodeURIComponent(new URL(path).pathname).replace(/^\/(?=[a-z]:)/i, '');
  } catch {
    return path;
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
