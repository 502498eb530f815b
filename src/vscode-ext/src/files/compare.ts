// Two snapshots or dumps side by side: the page of `dotnet-async2 diff`.
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { runTool } from '../tool/runTool';
import type { ToolLocator } from '../tool/toolLocator';

/** A dump of some gigabytes takes its time. */
const limits = { seconds: 600 };

export async function compareFiles(tools: ToolLocator, before: string, after: string): Promise<void> {
  const tool = await tools.locate(vscode.workspace.workspaceFolders?.[0]);
  if (!tool) return;
  const run = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Comparing {0} with {1}', basename(before), basename(after)),
      cancellable: true,
    },
    (_progress, cancelled) => {
      const stop = new AbortController();
      cancelled.onCancellationRequested(() => stop.abort());
      return runTool(tool, ['diff', before, after, '--format', 'html'], { ...limits, signal: stop.signal });
    },
  );
  // An incomplete answer is one, too, and says so itself.
  if (!run.output.startsWith('<!DOCTYPE html>')) {
    void vscode.window.showErrorMessage(run.error || vscode.l10n.t('The two could not be compared.'));
    return;
  }
  const title = vscode.l10n.t('{0} and {1}', basename(before), basename(after));
  const panel = vscode.window.createWebviewPanel('async2.diff', title, vscode.ViewColumn.Active, {
    enableScripts: true,
    localResourceRoots: [],
    retainContextWhenHidden: true,
  });
  // The page brings its own policy: one script and one style, by their hashes.
  panel.webview.html = run.output;
}
