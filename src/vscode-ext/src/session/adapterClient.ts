// A debug adapter of our own, for a file that is looked at without a debug session: requests and their answers, nothing else.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { ToolCommand } from '../tool/toolCommand';

interface Pending {
  readonly resolve: (body: unknown) => void;
  readonly reject: (error: Error) => void;
}

const separator = Buffer.from('\r\n\r\n');

export class AdapterClient {
  private readonly process: ChildProcessWithoutNullStreams;
  private readonly pending = new Map<number, Pending>();
  private unread = Buffer.alloc(0);
  private number = 0;
  private gone: string | undefined;

  constructor({ program, args, cwd }: ToolCommand) {
    this.process = spawn(program, [...args, 'dap'], { cwd, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
    let errors = '';
    this.process.stdout.on('data', (chunk: Buffer) => this.read(chunk));
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (errors.length < 5000) errors += text;
    });
    this.process.stdin.on('error', () => {});
    this.process.on('error', (error) => this.end(error.message));
    this.process.on('close', () => this.end(errors.trim() || 'the tool has ended'));
  }

  /** Opens a dump or a snapshot. */
  async open(configuration: Readonly<Record<string, unknown>>): Promise<void> {
    await this.request('initialize', { adapterID: 'async2', linesStartAt1: true, columnsStartAt1: true, pathFormat: 'path' });
    await this.request('launch', configuration);
  }

  request(command: string, args: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    if (this.gone !== undefined) return Promise.reject(new Error(this.gone));
    return new Promise((resolve, reject) => {
      const seq = ++this.number;
      this.pending.set(seq, { resolve, reject });
      const body = Buffer.from(JSON.stringify({ seq, type: 'request', command, arguments: args }));
      this.process.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
      this.process.stdin.write(body);
    });
  }

  dispose(): void {
    this.end('it was closed');
    this.process.kill();
  }

  private read(chunk: Buffer): void {
    this.unread = Buffer.concat([this.unread, chunk]);
    for (let end = this.unread.indexOf(separator); end >= 0; end = this.unread.indexOf(separator)) {
      const length = Number(/Content-Length: (\d+)/i.exec(this.unread.subarray(0, end).toString())?.[1]);
      if (!Number.isSafeInteger(length)) {
        this.end('the tool has sent something that is not an answer');
        return;
      }
      const start = end + separator.length;
      if (this.unread.length < start + length) return;
      const text = this.unread.subarray(start, start + length).toString();
      this.unread = this.unread.subarray(start + length);
      this.take(JSON.parse(text) as Record<string, unknown>);
    }
  }

  private take({ type, request_seq: seq, success, body, message }: Record<string, unknown>): void {
    const asked = type === 'response' && typeof seq === 'number' ? this.pending.get(seq) : undefined;
    if (!asked) return;
    this.pending.delete(seq as number);
    if (success === true) asked.resolve(body);
    else asked.reject(new Error(textIn(body) ?? String(message)));
  }

  private end(why: string): void {
    this.gone ??= why;
    for (const { reject } of this.pending.values()) reject(new Error(why));
    this.pending.clear();
  }
}

/** The error of a response, for people. */
function textIn(body: unknown): string | undefined {
  const { error } = (body ?? {}) as { error?: { format?: unknown; variables?: Record<string, string> } };
  if (typeof error?.format !== 'string') return undefined;
  return error.format.replace(/\{(\w+)\}/g, (whole, name: string) => error.variables?.[name] ?? whole);
}
