// The editor of .async2snap files: their picture, without a debug session.
import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { type PanelCommands, TreePanel } from '../panel/treePanel';
import { AdapterClient } from '../session/adapterClient';
import { withDefaults } from '../session/configuration';
import { sessionDefaults } from '../session/configurationProvider';
import { textOfError } from '../session/openPlace';
import type { Sessions } from '../session/sessions';
import type { StackSource } from '../session/stackSource';
import { provideSources } from '../session/virtualSource';
import type { ToolLocator } from '../tool/toolLocator';

export const snapshotEditor = 'async2.snapshot';

export class SnapshotEditor implements vscode.CustomReadonlyEditorProvider {
  /** Stacks to show as soon as their file is open. */
  private readonly wanted = new Map<string, string>();
  private readonly panels = new Map<string, TreePanel>();

  constructor(
    private readonly extension: vscode.Uri,
    private readonly tools: ToolLocator,
    private readonly commands: PanelCommands,
    private readonly sessions: Sessions,
  ) {}

  /** Opens a file, and shows one of its stacks. */
  async open(file: string, stack?: string): Promise<void> {
    const panel = this.panels.get(file);
    if (panel && stack !== undefined) {
      panel.reveal();
      panel.focus(stack);
      return;
    }
    if (stack !== undefined) this.wanted.set(file, stack);
    await vscode.commands.executeCommand('vscode.openWith', vscode.Uri.file(file), snapshotEditor);
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => {} };
  }

  async resolveCustomEditor({ uri }: vscode.CustomDocument, view: vscode.WebviewPanel): Promise<void> {
    const tool = await this.tools.locate(vscode.workspace.getWorkspaceFolder(uri));
    if (!tool) {
      view.dispose();
      return;
    }
    const client = new AdapterClient(tool);
    const id = randomUUID();
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    const places = { folder: folder?.uri.fsPath, home: homedir(), windows: process.platform === 'win32' };
    // Messages of a debug session are traced, not those of a picture.
    const opened = client.open(withDefaults({ dumpPath: uri.fsPath }, { ...sessionDefaults(folder), trace: '' }, places));
    const source: StackSource = {
      ...{ id, name: basename(uri.fsPath), session: undefined, file: uri.fsPath },
      request: (command, args) => opened.then(() => client.request(command, args)),
    };
    const texts = provideSources(source);
    const shown = this.sessions.addFile(source);
    const panel = new TreePanel(source, view, this.commands, this.extension, () => {
      texts.dispose();
      shown.dispose();
      client.dispose();
      this.panels.delete(uri.fsPath);
    });
    this.panels.set(uri.fsPath, panel);
    const stack = this.wanted.get(uri.fsPath);
    this.wanted.delete(uri.fsPath);
    if (stack !== undefined) panel.focus(stack);
    // The picture itself says why nothing can be shown: its first request fails with it.
    opened.catch((error: unknown) => panel.fail(textOfError(error)));
  }
}
