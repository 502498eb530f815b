// Shows a place in source: a file, or the adapter's text if there is no file on this machine.
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { type Place, readPlace, type SourceRow } from './protocol';
import { type StackSource, sourceOf } from './stackSource';
import { virtualSource } from './virtualSource';

export async function openPlace(from: vscode.DebugSession | StackSource, place: Place): Promise<void> {
  const source = 'request' in from ? from : sourceOf(from);
  const uri = uriOf(source, place.source);
  if (!uri) {
    vscode.window.setStatusBarMessage(vscode.l10n.t('The place of this frame in the source is not known'), 5000);
    return;
  }
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    const line = Math.min(place.line, document.lineCount) - 1;
    const position = new vscode.Position(line, Math.min(place.column - 1, document.lineAt(line).text.length));
    await vscode.window.showTextDocument(document, {
      selection: new vscode.Range(position, position),
      viewColumn: columnForSource(),
      preview: true,
    });
  } catch (error) {
    void vscode.window.showErrorMessage(vscode.l10n.t('{0} cannot be opened: {1}', uri.path, textOfError(error)));
  }
}

/** Shows frame `frame` (0 = innermost) of a stack and makes the stack the one of the Call Stack view. */
export async function openStack(from: vscode.DebugSession | StackSource, stack: string, frame: number): Promise<void> {
  const source = 'request' in from ? from : sourceOf(from);
  const place = readPlace(await source.request('async2/locate', { stack, frame }));
  if (!source.session) return openPlace(source, place);
  // VS Code opens the source of the stack in the group that has the focus: it must not be that of the picture.
  if (isPicture(vscode.window.tabGroups.activeTabGroup)) await openPlace(source, place);
  // Select before: the editor that VS Code opens for the selection must not be the last one.
  await source.request('async2/select', { stack });
  await openPlace(source, place);
}

export function textOfError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function uriOf(from: StackSource, source: SourceRow | undefined): vscode.Uri | undefined {
  if (!source) return undefined;
  // Without a path there is no address. The address has to be the one that VS Code itself makes of the name.
  if (source.sourceReference)
    return from.session
      ? vscode.debug.asDebugSourceUri({ ...source, path: source.path ?? source.name ?? 'source' }, from.session)
      : virtualSource(from.id, source.sourceReference, source.name);
  return source.path !== undefined && existsSync(source.path) ? vscode.Uri.file(source.path) : undefined;
}

function isPicture(group: vscode.TabGroup): boolean {
  const input = group.activeTab?.input;
  return (
    input instanceof vscode.TabInputWebview || (input instanceof vscode.TabInputCustom && input.viewType === 'async2.snapshot')
  );
}

/** Not over the picture: in a column beside it. */
function columnForSource(): vscode.ViewColumn {
  const groups = vscode.window.tabGroups;
  const active = groups.activeTabGroup;
  if (!isPicture(active)) return active.viewColumn;
  const other = groups.all.find((group) => group !== active && !isPicture(group));
  return other?.viewColumn ?? vscode.ViewColumn.Beside;
}
