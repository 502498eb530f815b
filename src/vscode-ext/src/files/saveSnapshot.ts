// Writes what a session or an editor shows as a snapshot file, with notes.
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { NoteRecord } from '../../viewer/model/tree';
import { readSnapshot } from '../session/protocol';
import type { StackSource } from '../session/stackSource';
import { defaultFile } from './fileNames';

interface Content extends vscode.QuickPickItem {
  readonly args: { readonly locals?: boolean; readonly redact?: boolean };
}

/** The file; undefined if the user did not want it. */
export async function saveSnapshot(source: StackSource, notes?: readonly NoteRecord[]): Promise<vscode.Uri | undefined> {
  const contents: Content[] = [
    { label: vscode.l10n.t('Stacks'), detail: vscode.l10n.t('Methods, waits, findings, labels'), args: {} },
    {
      label: vscode.l10n.t('Stacks and variables'),
      detail: vscode.l10n.t('Also arguments and locals of each frame: data of the program'),
      args: { locals: true },
    },
    {
      label: vscode.l10n.t('Without data of people'),
      detail: vscode.l10n.t('No values, SQL, hosts, paths or command line'),
      args: { redact: true },
    },
  ];
  const content = await vscode.window.showQuickPick(contents, { placeHolder: vscode.l10n.t('What shall be in the snapshot?') });
  if (!content) return undefined;
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save snapshot'),
    defaultUri: defaultFile({ ...source, file: source.file?.replace(/\.async2snap$/i, '') }, 'async2snap'),
    filters: { [vscode.l10n.t('Snapshots')]: ['async2snap'] },
  });
  if (!target) return undefined;
  const bytes = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Writing {0}', basename(target.path)) },
    async () => readSnapshot(await source.request('async2/snapshot', { ...content.args, ...(notes ? { notes } : {}) })),
  );
  await vscode.workspace.fs.writeFile(target, bytes);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Written: {0}', basename(target.fsPath)), 5000);
  return target;
}
