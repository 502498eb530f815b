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
  const rows = document.processes.filter(isRow);
  return rows.sort((left, right) => rank(left) - rank(right) || (right.stacks ?? 0) - (left.stacks ?? 0) || left.pid - right.pid);
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
  return [runtime, [stacks, row.verdict].filter(Boolean).join(', ')].filter(Boolean).join(' - ');
}

function rank(row: ProcessRow): number {
  return row.verdict === 'unreadable' ? 1 : 0;
}

function isRow(value: unknown): value is ProcessRow {
  const row = value as Partial<ProcessRow> | null;
  return Number.isInteger(row?.pid) && typeof row?.name === 'string' && typeof row.verdict === 'string';
}
