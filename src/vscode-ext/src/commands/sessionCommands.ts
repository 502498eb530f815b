// Commands that need a session: the graph, search, export, refresh.
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { defaultFile } from '../files/fileNames';
import { saveSnapshot } from '../files/saveSnapshot';
import type { TreePanels } from '../panel/treePanels';
import { debugType } from '../session/configuration';
import { openStack, textOfError } from '../session/openPlace';
import { readHtml } from '../session/protocol';
import type { Sessions } from '../session/sessions';
import { type StackSource, sourceOf } from '../session/stackSource';
import { pickStack } from '../stacks/stackPicker';

export function sessionCommands(sessions: Sessions, panels: TreePanels): vscode.Disposable[] {
  const forSession = (name: string, act: (session: vscode.DebugSession) => unknown) =>
    vscode.commands.registerCommand(name, async (given?: unknown) => {
      const session = isSession(given) ? given : sessions.current;
      if (!session) return void offerStart();
      try {
        await act(session);
      } catch (error) {
        void vscode.window.showErrorMessage(textOfError(error));
      }
    });
  return [
    forSession('async2.showGraph', (session) => panels.show(session)),
    forSession('async2.goToStack', async (session) => {
      const row = await pickStack(session);
      if (row) await openStack(session, row.id, 0);
    }),
    forSession('async2.exportHtml', (session) => exportHtml(sourceOf(session))),
    forSession('async2.refresh', refresh),
    forSession('async2.stop', (session) => vscode.debug.stopDebugging(session)),
    forSession('async2.saveSnapshot', (session) => saveSnapshot(sourceOf(session))),
  ];
}

export async function exportHtml(source: StackSource): Promise<void> {
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export HTML'),
    defaultUri: defaultFile(source, 'html'),
    filters: { HTML: ['html'] },
  });
  if (!target) return;
  const html = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Writing {0}', basename(target.path)) },
    async () => readHtml(await source.request('async2/html')),
  );
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(html));
  const open = vscode.l10n.t('Open');
  const choice = await vscode.window.showInformationMessage(vscode.l10n.t('Written: {0}', target.fsPath), open);
  if (choice === open) await vscode.env.openExternal(target);
}

export async function refresh(session: vscode.DebugSession): Promise<void> {
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Reading {0} again', session.name) },
    () => Promise.resolve(session.customRequest('async2/refresh')),
  );
}

async function offerStart(): Promise<void> {
  const open = vscode.l10n.t('Open Dump...');
  const attach = vscode.l10n.t('Attach...');
  const choice = await vscode.window.showInformationMessage(vscode.l10n.t('No async stacks are open yet.'), open, attach);
  if (choice) await vscode.commands.executeCommand(choice === open ? 'async2.openDump' : 'async2.attach');
}

/** Menus pass other arguments as well: a row, a resource. */
function isSession(value: unknown): value is vscode.DebugSession {
  const session = value as Partial<vscode.DebugSession> | null | undefined;
  return session?.type === debugType && typeof session.customRequest === 'function';
}
