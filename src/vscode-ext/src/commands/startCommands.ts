// Commands that start a session: for a dump, for a process.
import { statSync } from 'node:fs';
import * as vscode from 'vscode';
import { compareFiles } from '../files/compare';
import { linkHandler } from '../files/links';
import { pickProcess } from '../processes/processPicker';
import { dumpConfiguration, processConfiguration } from '../session/configurationProvider';
import type { SnapshotEditor } from '../snapshots/snapshotEditor';
import type { ToolLocator } from '../tool/toolLocator';

export function startCommands(tools: ToolLocator, snapshots: SnapshotEditor): vscode.Disposable[] {
  return [
    vscode.commands.registerCommand('async2.compare', async (file?: vscode.Uri, files?: vscode.Uri[]) => {
      const chosen = files?.length === 2 ? files.map(({ fsPath }) => fsPath) : await pickTwo(file);
      if (chosen?.length === 2) await compareFiles(tools, ...inTime(chosen as [string, string]));
    }),
    linkHandler(async (file, stack) => {
      if (file.endsWith('.async2snap')) return snapshots.open(file, stack);
      await startDump(file);
    }),
    vscode.commands.registerCommand('async2.openDump', async (file?: vscode.Uri) => {
      const path = file instanceof vscode.Uri ? file.fsPath : await pickDump();
      if (path !== undefined) await startDump(path);
    }),
    vscode.commands.registerCommand('async2.attach', async () => {
      const row = await pickProcess(tools);
      if (row) await start(processConfiguration(row.pid, row.name));
    }),
    // Variables of launch.json; undefined ends the start silently.
    vscode.commands.registerCommand('async2.pickDump', () => pickDump()),
    vscode.commands.registerCommand('async2.pickProcess', async () => {
      const row = await pickProcess(tools);
      return row && String(row.pid);
    }),
  ];
}

export async function startDump(path: string): Promise<void> {
  await start(dumpConfiguration(path));
}

/** The earlier file first. */
function inTime([one, other]: [string, string]): [string, string] {
  const written = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return written(one) <= written(other) ? [one, other] : [other, one];
}

async function pickTwo(first: vscode.Uri | undefined): Promise<string[] | undefined> {
  const one = first?.fsPath ?? (await pickDump(vscode.l10n.t('The earlier dump or snapshot')));
  const other = one === undefined ? undefined : await pickDump(vscode.l10n.t('The other dump or snapshot'));
  return one === undefined || other === undefined ? undefined : [one, other];
}

async function start(configuration: vscode.DebugConfiguration): Promise<void> {
  // There is nothing to step through, and no code of the user runs.
  const options: vscode.DebugSessionOptions = { suppressDebugToolbar: true, suppressSaveBeforeStart: true };
  if (await vscode.debug.startDebugging(vscode.workspace.workspaceFolders?.[0], configuration, options))
    await vscode.commands.executeCommand('workbench.view.debug');
}

async function pickDump(title: string = vscode.l10n.t('Open Dump')): Promise<string | undefined> {
  const files = await vscode.window.showOpenDialog({
    title,
    openLabel: vscode.l10n.t('Open'),
    defaultUri: vscode.workspace.workspaceFolders?.[0]?.uri,
    // "All files" comes first: the kernel names a core dump `core.4711`.
    filters: { [vscode.l10n.t('All files')]: ['*'], [vscode.l10n.t('Dumps')]: ['dmp', 'core', 'async2snap'] },
  });
  return files?.[0]?.fsPath;
}
