// Where a file goes that is made of a session, unless the user chooses another place.
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { StackSource } from '../session/stackSource';

/** `shop.dmp.html`, `process-4711.html`, beside the dump or in the workspace. */
export function defaultFile({ file, session }: StackSource, extension: string): vscode.Uri {
  const folder =
    session?.workspaceFolder?.uri.fsPath ??
    vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ??
    (file === undefined ? process.cwd() : dirname(file));
  const name = file === undefined ? `process-${session?.configuration.processId}` : basename(file);
  return vscode.Uri.file(join(folder, `${name}.${extension}`));
}
