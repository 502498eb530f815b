// The picture "Parallel Async Stacks" of one session or file, in a panel or in the editor of a snapshot.
import * as vscode from 'vscode';
import type { FromViewer, ToViewer } from '../../viewer/model/messages';
import type { EqualRecord } from '../../viewer/model/tree';
import { linkTo } from '../files/links';
import { openStack, textOfError } from '../session/openPlace';
import { readFindings, readTreePage } from '../session/protocol';
import type { StackSource } from '../session/stackSource';
import { readFromViewer } from './messages';
import { pageOf } from './page';
import { PageLoader } from './pageLoader';
import { savePicture } from './savePicture';

/** What a picture needs of the rest of the extension. */
export interface PanelCommands {
  exportHtml(source: StackSource): Promise<void>;
  save(source: StackSource, notes: FromViewer & { type: 'save' }): Promise<void>;
  refresh(session: vscode.DebugSession): Promise<void>;
  /** Opens a file as a debug session. */
  debug(file: string): Promise<void>;
}

export class TreePanel {
  private readonly loader: PageLoader;
  private readonly title: string;
  private ready = false;
  private ended = false;
  private wanted: ToViewer | undefined;

  constructor(
    private readonly source: StackSource,
    private readonly panel: vscode.WebviewPanel,
    private readonly commands: PanelCommands,
    extension: vscode.Uri,
    onDispose: () => void,
  ) {
    this.title = panel.title;
    this.loader = new PageLoader(
      async (page) => readTreePage(await source.request('async2/tree', { page })),
      (message) => this.tell(message),
    );
    const { webview } = panel;
    const files = vscode.Uri.joinPath(extension, 'dist');
    webview.options = { enableScripts: true, localResourceRoots: [files] };
    const address = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(files, name)).toString();
    panel.onDidDispose(() => {
      this.loader.stop();
      onDispose();
    });
    webview.onDidReceiveMessage((message: unknown) => void this.hear(readFromViewer(message)));
    webview.html = pageOf({
      source: webview.cspSource,
      script: address('viewer.js'),
      style: address('viewer.css'),
      title: this.title,
      debugs: source.session === undefined,
    });
  }

  reveal(): void {
    this.panel.reveal();
  }

  /** Shows a stack, now or as soon as the viewer has loaded. */
  focus(stack: string): void {
    this.want({ type: 'focus', stack });
  }

  /** Shows a finding. */
  focusFinding(id: string): void {
    this.want({ type: 'finding', id });
  }

  /** The stacks have changed. */
  reload(): void {
    if (!this.ready || this.ended) return;
    if (this.panel.visible) this.stayInFront();
    void this.load();
  }

  /** The picture stays; actions that need the session show a message. */
  end(): void {
    this.ended = true;
    this.loader.stop();
    this.tell({ type: 'ended' });
    this.panel.title = vscode.l10n.t('{0} (ended)', this.panel.title);
  }

  /** Nothing can be shown. */
  fail(text: string): void {
    this.tell({ type: 'failed', text });
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

  private async load(): Promise<void> {
    await this.loader.load();
    if (this.ended) return;
    const answer = await this.source.request('async2/findings').then(readFindings, () => undefined);
    // A process goes on: its picture says of when it is.
    if (answer?.live && answer.takenAt && !this.ended)
      this.panel.title = `${this.title} \u00b7 ${new Date(answer.takenAt).toTimeString().slice(0, 8)}`;
  }

  private async hear(message: FromViewer | undefined): Promise<void> {
    if (!message) return;
    if (this.ended && message.type !== 'copy' && message.type !== 'picture') {
      void vscode.window.showInformationMessage(vscode.l10n.t('The session "{0}" has ended.', this.source.name));
      return;
    }
    try {
      if (message.type === 'ready') {
        this.ready = true;
        await this.load();
        this.tellWanted();
      } else if (message.type === 'members') await this.readMembers(message.stack, message.start);
      else await this.act(message);
    } catch (error) {
      void vscode.window.showErrorMessage(textOfError(error));
    }
  }

  private async act(message: FromViewer): Promise<void> {
    const { source, commands } = this;
    const { session } = source;
    switch (message.type) {
      case 'open':
        return openStack(source, message.stack, message.frame);
      case 'select':
        await session?.customRequest('async2/select', { stack: message.stack });
        return;
      case 'copy':
        return vscode.env.clipboard.writeText(message.text);
      case 'link':
        return vscode.env.clipboard.writeText(linkTo(source, message.key));
      case 'picture':
        return savePicture(source, message);
      case 'save':
        return commands.save(source, message);
      case 'export':
        return commands.exportHtml(source);
      case 'pin':
        await source.request('async2/pin', { pinned: message.pinned });
        return;
      case 'stop':
        if (session) await vscode.debug.stopDebugging(session);
        return;
      case 'debug':
        if (source.file !== undefined) await commands.debug(source.file);
        return;
      case 'refresh':
        if (session) await commands.refresh(session);
    }
  }

  private async readMembers(stack: string, start: number): Promise<void> {
    try {
      const equal = (await this.source.request('async2/members', { stack, start })) as EqualRecord;
      this.tell({ type: 'members', stack, start, equal });
    } catch (error) {
      this.tell({ type: 'members', stack, start, failed: textOfError(error) });
    }
  }

  private want(message: ToViewer): void {
    this.wanted = message;
    this.tellWanted();
  }

  private tellWanted(): void {
    if (!this.ready || this.wanted === undefined) return;
    this.tell(this.wanted);
    this.wanted = undefined;
  }

  private tell(message: ToViewer): void {
    void this.panel.webview.postMessage(message);
  }
}
