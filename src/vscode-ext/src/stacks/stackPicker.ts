// "Go to Async Stack...": what is typed is a query (docs/dap.md), answered by the adapter.
import * as vscode from 'vscode';
import { textOfError } from '../session/openPlace';
import { readStackPage, type StackRow } from '../session/protocol';
import { iconOf, plain } from './stackText';

interface StackItem extends vscode.QuickPickItem {
  readonly row?: StackRow;
}

const shown = 100;
/** No request for every letter of a word. */
const pauseMs = 150;

export async function pickStack(session: vscode.DebugSession): Promise<StackRow | undefined> {
  const picker = vscode.window.createQuickPick<StackItem>();
  let turn = 0;
  let timer: NodeJS.Timeout | undefined;
  const search = async (query: string) => {
    const mine = ++turn;
    picker.busy = true;
    const { items, title } = await find(session, query);
    if (mine !== turn) return;
    picker.items = items;
    picker.title = title;
    picker.busy = false;
  };
  picker.placeholder = vscode.l10n.t('A word, or method:Pay waiting-on:Semaphore state:blocked with:Gateway.cs:17');
  try {
    return await new Promise((resolve) => {
      picker.onDidChangeValue((query) => {
        clearTimeout(timer);
        timer = setTimeout(() => void search(query), pauseMs);
      });
      picker.onDidAccept(() => resolve(picker.selectedItems[0]?.row));
      picker.onDidHide(() => resolve(undefined));
      picker.show();
      void search('');
    });
  } finally {
    turn++;
    clearTimeout(timer);
    picker.dispose();
  }
}

async function find(session: vscode.DebugSession, query: string): Promise<{ items: StackItem[]; title: string }> {
  const name = vscode.l10n.t('Go to Async Stack');
  try {
    const { total, stacks } = readStackPage(await session.customRequest('async2/stacks', { query, start: 0, count: shown }));
    const count = vscode.l10n.t('{0} of {1}', stacks.length.toLocaleString('en'), total.toLocaleString('en'));
    if (stacks.length === 0) return { items: [{ label: vscode.l10n.t('No stack matches'), alwaysShow: true }], title: name };
    return { items: stacks.map(itemOf), title: `${name} - ${count}` };
  } catch (error) {
    return {
      items: [{ label: plain(textOfError(error)), alwaysShow: true, iconPath: new vscode.ThemeIcon('warning') }],
      title: name,
    };
  }
}

function itemOf(row: StackRow): StackItem {
  const icon = iconOf(row.state);
  return {
    label: plain(row.name),
    description: `${row.id} ${row.state}`,
    detail: plain([row.frame, row.wait].filter(Boolean).join(' - ')),
    iconPath: new vscode.ThemeIcon(icon.icon, new vscode.ThemeColor(icon.colour)),
    // The query has already decided; the picker's own filter does not know "state:".
    alwaysShow: true,
    row,
  };
}
