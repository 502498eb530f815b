// Lets the user choose a .NET process.
import * as vscode from 'vscode';
import { textOfError } from '../session/openPlace';
import { plain } from '../stacks/stackText';
import { runTool } from '../tool/runTool';
import type { ToolCommand } from '../tool/toolCommand';
import type { ToolLocator } from '../tool/toolLocator';
import { descriptionOf, labelOf, type ProcessRow, parseProcesses } from './processList';

interface ProcessItem extends vscode.QuickPickItem {
  readonly row?: ProcessRow;
}

/** Undefined if nothing was chosen. */
export async function pickProcess(tools: ToolLocator): Promise<ProcessRow | undefined> {
  const tool = await tools.locate(vscode.workspace.workspaceFolders?.[0]);
  if (!tool) return undefined;
  const picker = vscode.window.createQuickPick<ProcessItem>();
  const again = { iconPath: new vscode.ThemeIcon('refresh'), tooltip: vscode.l10n.t('Refresh the list') };
  let request = new AbortController();
  const fill = async () => {
    request.abort();
    request = new AbortController();
    const { signal } = request;
    picker.busy = true;
    const items = await listProcesses(tool, signal);
    if (signal.aborted) return;
    picker.items = items;
    picker.busy = false;
  };
  picker.title = vscode.l10n.t('Attach to .NET Process');
  picker.placeholder = vscode.l10n.t('The process runs on; it is stopped for some milliseconds while it is copied');
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.buttons = [again];
  try {
    return await new Promise((resolve) => {
      picker.onDidTriggerButton(() => void fill());
      picker.onDidAccept(() => resolve(picker.selectedItems[0]?.row));
      picker.onDidHide(() => resolve(undefined));
      picker.show();
      void fill();
    });
  } finally {
    request.abort();
    picker.dispose();
  }
}

async function listProcesses(tool: ToolCommand, signal: AbortSignal): Promise<ProcessItem[]> {
  const run = await runTool(tool, ['ps', '--format', 'json'], { seconds: 60, signal });
  try {
    if (!run.ok) throw new Error(run.error);
    const rows = parseProcesses(run.output);
    return rows.length > 0
      ? rows.map(itemOf)
      : [{ label: vscode.l10n.t('No .NET process found that you are allowed to read'), alwaysShow: true }];
  } catch (error) {
    return [{ label: vscode.l10n.t('The processes could not be listed'), detail: plain(textOfError(error)), alwaysShow: true }];
  }
}

function itemOf(row: ProcessRow): ProcessItem {
  const icon = row.verdict === 'unreadable' ? 'circle-slash' : 'server-process';
  return {
    label: plain(labelOf(row)),
    description: plain(descriptionOf(row)),
    detail: plain(row.reason ?? row.commandLine ?? ''),
    iconPath: new vscode.ThemeIcon(icon),
    row,
  };
}
