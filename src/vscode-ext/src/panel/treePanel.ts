// The panel "Parallel Async Stacks" of one session.
import * as vscode from 'vscode';
import type { FromViewer, ToViewer } from '../../viewer/model/messages';
import { openStack, textOfError } from '../session/openPlace';
import { readTreePage } from '../session/protocol';
import { readFromViewer } from './messages';
import { pageOf } from './page';
import { PageLoader } from './pageLoader';

export class TreePanel {
  private readonly panel: vscode.WebviewPanel;
  private readonly loader: PageLoader;
  private ready = false;
  private ended = false;
  private wanted: string | undefined;

  constructor(
    private readonly session: vscode.DebugSession,
    extension: vscode.Uri,
    onDispose: () => void,
  ) {
    const files = vscode.Uri.joinPath(extension, 'dist');
    const title = vscode.l10n.t('Stacks: {0}', session.name);
    this.panel = vscode.window.createWebviewPanel('async2.tree', title, vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [files],
      // Folds, search and selection survive a change of tabs.
      retainContextWhenHidden: true,
    });
    this.loader = new PageLoader(
      async (page) => readTreePage(await session.customRequest('async2/tree', { page })),
      (message) => this.tell(message),
    );
    const { webview } = this.panel;
    const address = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(files, name)).toString();
    this.panel.onDidDispose(() => {
      this.loader.stop();
      onDispose();
    });
    webview.onDidReceiveMessage((message: unknown) => void this.hear(readFromViewer(message)));
    webview.html = pageOf({ source: webview.cspSource, script: address('viewer.js'), style: address('viewer.css'), title });
  }

  reveal(): void {
    this.panel.reveal();
  }

  /** Shows a stack, now or as soon as the viewer has loaded. */
  focus(stack: string): void {
    this.wanted = stack;
    this.tellWanted();
  }

  /** The stacks have changed. */
  reload(): void {
    if (!this.ready || this.ended) return;
    if (this.panel.visible) this.stayInFront();
    void this.loader.load();
  }

  /** The picture stays; actions that need the session show a message. */
  end(): void {
    this.ended = true;
    this.loader.stop();
    this.panel.title = vscode.l10n.t('{0} (ended)', this.panel.title);
  }

  dispose(): void {
    this.panel.dispose();
  }

  /**
   * VS Code opens the source of the stopped thread, and may do so twice. A user who looked at the graph during a refresh wants to keep
   * looking at it.
   */
  private stayInFront(): void {
    let times = 0;
    const watch = this.panel.onDidChangeViewState(() => {
      if (this.panel.visible) return;
      if (++times === 3) watch.dispose();
      this.panel.reveal(undefined, true);
    });
    setTimeout(() => watch.dispose(), 3000);
  }

  private async hear(message: FromViewer | undefined): Promise<void> {
    if (!message) return;
    if (this.ended) {
      void vscode.window.showInformationMessage(vscode.l10n.t('The session "{0}" has ended.', this.session.name));
      return;
    }
    try {
      switch (message.type) {
        case 'ready':
          this.ready = true;
          await this.loader.load();
          this.tellWanted();
          break;
        case 'open':
          await openStack(this.session, message.stack, message.frame);
          break;
        case 'export':
          await vscode.commands.executeCommand('async2.exportHtml', this.session);
          break;
        case 'refresh':
          await vscode.commands.executeCommand('async2.refresh', this.session);
      }
    } catch (error) {
      void vscode.window.showErrorMessage(textOfError(error));
    }
  }

  private tellWanted(): void {
    if (!this.ready || this.wanted === undefined) return;
    this.tell({ type: 'focus', stack: this.wanted });
    this.wanted = undefined;
  }

  private tell(message: ToViewer): void {
    void this.panel.webview.postMessage(message);
  }
}
