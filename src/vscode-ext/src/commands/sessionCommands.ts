// Commands that need a session: the graph, search, export, refresh.
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import type { TreePanels } from '../panel/treePanels';
import { debugType } from '../session/configuration';
import { openStack, textOfError } from '../session/openPlace';
import { readHtml } from '../session/protocol';
import type { Sessions } from '../session/sessions';
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
    forSession('async2.exportHtml', exportHtml),
    forSession('async2.refresh', refresh),
  ];
}

async function exportHtml(session: vscode.DebugSession): Promise<void> {
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export HTML'),
    defaultUri: vscode.Uri.file(join(folderOf(session), `${nameOf(session)}.html`)),
    filters: { HTML: ['html'] },
  });
  if (!target) return;
  const html = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Writing {0}', basename(target.path)) },
    async () => readHtml(await session.customRequest('async2/html')),
  );
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(html));
  const open = vscode.l10n.t('Open');
  const choice = await vscode.window.showInformationMessage(vscode.l10n.t('Written: {0}', target.fsPath), open);
  if (choice === open) await vscode.env.openExternal(target);
}

async function refresh(session: vscode.DebugSession): Promise<void> {
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

function folderOf(session: vscode.DebugSession): string {
  return session.workspaceFolder?.uri.fsPath ?? vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? process.cwd();
}

function nameOf(session: vscode.DebugSession): string {
  const { dumpPath, processId } = session.configuration;
  return typeof dumpPath === 'string' ? basename(dumpPath) : `process-${processId}`;
}
