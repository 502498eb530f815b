// Runs the tool to its end and returns its output; never throws.
import { spawn } from 'node:child_process';
import type { ToolCommand } from './toolCommand';

export interface ToolRun {
  readonly ok: boolean;
  readonly output: string;
  /** What the tool reported on standard error, or why it could not be started. */
  readonly error: string;
}

export interface RunLimits {
  readonly seconds: number;
  readonly signal?: AbortSignal;
}

/** More than a list of processes ever needs. */
const longestOutput = 16 * 1024 * 1024;

/** @param heard is told each line of its output as it comes */
export function runTool(
  command: ToolCommand,
  args: readonly string[],
  limits: RunLimits,
  heard?: (line: string) => void,
): Promise<ToolRun> {
  return new Promise((resolve) => {
    const child = spawn(command.program, [...command.args, ...args], {
      cwd: command.cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let output = '';
    let error = '';
    const stop = (why: string) => {
      error += why;
      child.kill();
    };
    const timer = setTimeout(() => stop(`no answer within ${limits.seconds} s`), limits.seconds * 1000);
    limits.signal?.addEventListener('abort', () => stop('cancelled'), { once: true });
    let open = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (heard) {
        const lines = (open + text).split('\n');
        open = lines.pop() ?? '';
        lines.forEach(heard);
      }
      if (output.length > longestOutput) stop('too much output');
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (error.length < 10_000) error += text;
    });
    const end = (ok: boolean, why: string) => {
      clearTimeout(timer);
      resolve({ ok, output, error: (error + why).trim() });
    };
    child.on('error', (failure) => end(false, failure.message));
    child.on('close', (code) => end(code === 0, ''));
  });
}
