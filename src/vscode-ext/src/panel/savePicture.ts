// Writes a drawing of the viewer to a file that the user chooses.
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { FromViewer } from '../../viewer/model/messages';
import { defaultFile } from '../files/fileNames';
import type { StackSource } from '../session/stackSource';

export async function savePicture(source: StackSource, picture: FromViewer & { type: 'picture' }): Promise<void> {
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save the picture'),
    defaultUri: defaultFile(source, picture.format),
    filters: { [picture.format.toUpperCase()]: [picture.format] },
  });
  if (!target) return;
  const bytes = Buffer.from(picture.data, picture.format === 'png' ? 'base64' : 'utf8');
  await vscode.workspace.fs.writeFile(target, bytes);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Written: {0}', basename(target.fsPath)), 5000);
}
