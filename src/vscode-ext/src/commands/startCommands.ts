// Commands that start a session: for a dump, for a process.
import * as vscode from 'vscode';
import { pickProcess } from '../processes/processPicker';
import { dumpConfiguration, processConfiguration } from '../session/configurationProvider';
import type { ToolLocator } from '../tool/toolLocator';

export function startCommands(tools: ToolLocator): vscode.Disposable[] {
  return [
    vscode.commands.registerCommand('async2.openDump', async (file?: vscode.Uri) => {
      const path = file instanceof vscode.Uri ? file.fsPath : await pickDump();
      if (path !== undefined) await start(dumpConfiguration(path));
    }),
    vscode.commands.registerCommand('async2.attach', async () => {
      const row = await pickProcess(tools);
      if (row) await start(processConfiguration(row.pid, row.name));
    }),
    // Variables of launch.json; undefined ends the start silently.
    vscode.commands.registerCommand('async2.pickDump', pickDump),
    vscode.commands.registerCommand('async2.pickProcess', async () => {
      const row = await pickProcess(tools);
      return row && String(row.pid);
    }),
  ];
}

async function start(configuration: vscode.DebugConfiguration): Promise<void> {
  // There is nothing to step through, and no code of the user runs.
  const options: vscode.DebugSessionOptions = { suppressDebugToolbar: true, suppressSaveBeforeStart: true };
  if (await vscode.debug.startDebugging(vscode.workspace.workspaceFolders?.[0], configuration, options))
    await vscode.commands.executeCommand('workbench.view.debug');
}

async function pickDump(): Promise<string | undefined> {
  const files = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Open Dump'),
    openLabel: vscode.l10n.t('Open'),
    defaultUri: vscode.workspace.workspaceFolders?.[0]?.uri,
    // "All files" comes first: the kernel names a core dump `core.4711`.
    filters: { [vscode.l10n.t('All files')]: ['*'], [vscode.l10n.t('Dumps')]: ['dmp', 'core', 'async2snap'] },
  });
  return files?.[0]?.fsPath;
}
