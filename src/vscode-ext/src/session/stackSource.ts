// Who answers the requests of docs/dap.md: a debug session, or an adapter that only shows a file.
import type * as vscode from 'vscode';

export interface StackSource {
  readonly id: string;
  readonly name: string;
  /** Undefined if there is none: then there is no Call Stack either. */
  readonly session: vscode.DebugSession | undefined;
  /** The file that is shown; undefined for a process. */
  readonly file: string | undefined;
  request(command: string, args?: Readonly<Record<string, unknown>>): Promise<unknown>;
}

export function sourceOf(session: vscode.DebugSession): StackSource {
  const { dumpPath } = session.configuration;
  return {
    id: session.id,
    name: session.name,
    session,
    file: typeof dumpPath === 'string' ? dumpPath : undefined,
    request: (command, args) => Promise.resolve(session.customRequest(command, args)),
  };
}
