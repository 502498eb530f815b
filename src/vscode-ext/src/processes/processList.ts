// The list of `dotnet-async2 ps --format json` (async2.ps/1), as rows of a picker.

export interface ProcessRow {
  readonly pid: number;
  readonly name: string;
  readonly runtime?: string;
  readonly stacks?: number;
  readonly complete?: boolean;
  /** `idle`, `awaiting`, `running`, `blocked`, `deadlock` or the rule of another finding, or `unreadable`. */
  readonly verdict: string;
  /** Why the process cannot be read. */
  readonly reason?: string;
  readonly commandLine?: string;
}

/** Processes with stacks first, unreadable ones last. */
export function parseProcesses(json: string): ProcessRow[] {
  const document = JSON.parse(json) as { schema?: unknown; processes?: unknown } | null;
  if (document?.schema !== 'async2.ps/1' || !Array.isArray(document.processes)) throw new Error('not a list of async2.ps/1');
  return inOrder(document.processes.filter(isRow));
}

/** A line of `ps --format ndjson`; undefined if it is none. */
export function parseLine(line: string): ProcessRow | undefined {
  try {
    const row = JSON.parse(line) as unknown;
    return isRow(row) ? row : undefined;
  } catch {
    return undefined;
  }
}

/** In the order of a list: what is wrong first, then those with stacks, unreadable ones last. */
export function inOrder(rows: Iterable<ProcessRow>): ProcessRow[] {
  return [...rows].sort(
    (left, right) => rank(left) - rank(right) || (right.stacks ?? 0) - (left.stacks ?? 0) || left.pid - right.pid,
  );
}

/** Whether it was not read yet. */
export function isPending({ verdict }: ProcessRow): boolean {
  return verdict === 'pending';
}

/** `shop (4711)`. */
export function labelOf(row: ProcessRow): string {
  return `${row.name} (${row.pid})`;
}

/** `.NET 10.0.12 - 412 stacks, awaiting`. */
export function descriptionOf(row: ProcessRow): string {
  const runtime = row.runtime ? `.NET ${row.runtime}` : '';
  const atLeast = row.complete === false ? 'at least ' : '';
  const stacks =
    row.stacks === undefined ? '' : `${atLeast}${row.stacks.toLocaleString('en')} ${row.stacks === 1 ? 'stack' : 'stacks'}`;
  return [runtime, [stacks, isPending(row) ? '...' : row.verdict].filter(Boolean).join(', ')].filter(Boolean).join(' - ');
}

/** What is said of a process in which nothing is wrong. */
const fine: readonly string[] = ['no async', 'unknown', 'idle', 'awaiting', 'running', 'blocked', 'pending'];

/** Something is wrong with it: its verdict is the rule of a finding. */
export function isWrong({ verdict }: ProcessRow): boolean {
  return verdict !== 'unreadable' && !fine.includes(verdict);
}

function rank(row: ProcessRow): number {
  return row.verdict === 'unreadable' ? 2 : isWrong(row) ? 0 : 1;
}

function isRow(value: unknown): value is ProcessRow {
  const row = value as Partial<ProcessRow> | null;
  return Number.isInteger(row?.pid) && typeof row?.name === 'string' && typeof row.verdict === 'string';
}
