// Shows a place in source: a file, or the adapter's text if there is no file on this machine.
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { type Place, readPlace, type SourceRow } from './protocol';

export async function openPlace(session: vscode.DebugSession, place: Place): Promise<void> {
  const uri = uriOf(session, place.source);
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
export async function openStack(session: vscode.DebugSession, stack: string, frame: number): Promise<void> {
  // Select first: the editor that VS Code opens for the selection must not be the last one.
  await session.customRequest('async2/select', { stack });
  await openPlace(session, readPlace(await session.customRequest('async2/locate', { stack, frame })));
}

export function textOfError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function uriOf(session: vscode.DebugSession, source: SourceRow | undefined): vscode.Uri | undefined {
  if (!source) return undefined;
  // Without a path there is no address. The address has to be the one that VS Code itself makes of the name.
  if (source.sourceReference)
    return vscode.debug.asDebugSourceUri({ ...source, path: source.path ?? source.name ?? 'source' }, session);
  return source.path !== undefined && existsSync(source.path) ? vscode.Uri.file(source.path) : undefined;
}

/** Not over the graph, if there is a column beside it. */
function columnForSource(): vscode.ViewColumn {
  const groups = vscode.window.tabGroups;
  const active = groups.activeTabGroup;
  if (!(active.activeTab?.input instanceof vscode.TabInputWebview)) return active.viewColumn;
  const other = groups.all.find((group) => group !== active);
  return other?.viewColumn ?? vscode.ViewColumn.Beside;
}
