// Lets the user choose a .NET process.
import * as vscode from 'vscode';
import { textOfError } from '../session/openPlace';
import { plain } from '../stacks/stackText';
import { runTool } from '../tool/runTool';
import type { ToolCommand } from '../tool/toolCommand';
import type { ToolLocator } from '../tool/toolLocator';
import { descriptionOf, inOrder, isPending, isWrong, labelOf, type ProcessRow, parseLine } from './processList';

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
    const show = (items: readonly ProcessItem[]) => {
      if (signal.aborted) return;
      const chosen = picker.activeItems[0]?.row?.pid;
      picker.items = items;
      const again = items.find(({ row }) => chosen !== undefined && row?.pid === chosen);
      if (again) picker.activeItems = [again];
    };
    show(await listProcesses(tool, signal, show));
    if (!signal.aborted) picker.busy = false;
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

/** All names at once, then what is known of each when it was read; a row moves only when all were: a click must not meet another one. */
async function listProcesses(
  tool: ToolCommand,
  signal: AbortSignal,
  show: (items: readonly ProcessItem[]) => void,
): Promise<ProcessItem[]> {
  const rows = new Map<number, ProcessRow>();
  const later = new Later(() => show([...rows.values()].map(itemOf)));
  const run = await runTool(tool, ['ps', '--format', 'ndjson'], { seconds: 60, signal }, (line) => {
    const row = parseLine(line);
    if (!row) return;
    rows.set(row.pid, row);
    later.ask();
  });
  later.stop();
  try {
    if (!run.ok && rows.size === 0) throw new Error(run.error);
    // One that has ended before it could be read has no second line.
    const left = inOrder(rows.values()).filter((row) => !run.ok || !isPending(row));
    return left.length > 0
      ? left.map(itemOf)
      : [{ label: vscode.l10n.t('No .NET process found that you are allowed to read'), alwaysShow: true }];
  } catch (error) {
    return [{ label: vscode.l10n.t('The processes could not be listed'), detail: plain(textOfError(error)), alwaysShow: true }];
  }
}

/** Does something soon, once, however often it is asked to. */
class Later {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly act: () => void) {}

  ask(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.act();
    }, 50);
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}

function itemOf(row: ProcessRow): ProcessItem {
  const icon =
    row.verdict === 'unreadable' ? 'circle-slash' : isPending(row) ? 'loading~spin' : isWrong(row) ? 'error' : 'server-process';
  return {
    label: plain(labelOf(row)),
    description: plain(descriptionOf(row)),
    detail: plain(row.reason ?? row.commandLine ?? ''),
    iconPath: new vscode.ThemeIcon(icon),
    row,
  };
}
