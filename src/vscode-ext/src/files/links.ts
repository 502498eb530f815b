// Addresses that lead to a stack of a dump or snapshot: vscode://async2diag.async2diag/open?file=...&stack=...
import { statSync } from 'node:fs';
import * as vscode from 'vscode';
import type { StackSource } from '../session/stackSource';

const extension = 'async2diag.async2diag';

/** An address for a file; for a process, which is gone tomorrow, the key of the stack. */
export function linkTo({ file, name }: StackSource, key: string): string {
  if (file === undefined) return `${name}, stack ${key}`;
  const query = `file=${encodeURIComponent(file)}&stack=${encodeURIComponent(key)}`;
  return vscode.Uri.from({ scheme: vscode.env.uriScheme, authority: extension, path: '/open', query }).toString(true);
}

/** VS Code asks before it lets an address in; only files that exist are opened. */
export function linkHandler(open: (file: string, stack: string | undefined) => Promise<void>): vscode.Disposable {
  return vscode.window.registerUriHandler({
    async handleUri({ path, query }): Promise<void> {
      const parts = new URLSearchParams(query);
      const file = parts.get('file');
      if (path !== '/open' || !file) return;
      if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
        void vscode.window.showErrorMessage(vscode.l10n.t('There is no file {0}.', file));
        return;
      }
      await open(file, parts.get('stack') ?? undefined);
    },
  });
}
