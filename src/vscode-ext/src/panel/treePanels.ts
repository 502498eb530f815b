// One panel for each session, created on first use.
import type * as vscode from 'vscode';
import type { Sessions } from '../session/sessions';
import { TreePanel } from './treePanel';

export class TreePanels implements vscode.Disposable {
  private readonly panels = new Map<string, TreePanel>();
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly extension: vscode.Uri,
    sessions: Sessions,
  ) {
    this.subscriptions = [
      sessions.onDidEnd((session) => this.panels.get(session.id)?.end()),
      sessions.onDidReadAgain((session) => this.panels.get(session.id)?.reload()),
    ];
  }

  show(session: vscode.DebugSession): TreePanel {
    const known = this.panels.get(session.id);
    if (known) {
      known.reveal();
      return known;
    }
    const panel = new TreePanel(session, this.extension, () => this.panels.delete(session.id));
    this.panels.set(session.id, panel);
    return panel;
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    for (const panel of [...this.panels.values()]) panel.dispose();
  }
}
