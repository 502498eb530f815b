// One panel for each session, created on first use.
import * as vscode from 'vscode';
import type { Sessions } from '../session/sessions';
import { sourceOf } from '../session/stackSource';
import { type PanelCommands, TreePanel } from './treePanel';

export class TreePanels implements vscode.Disposable {
  private readonly panels = new Map<string, TreePanel>();
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly extension: vscode.Uri,
    sessions: Sessions,
    private readonly commands: PanelCommands,
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
    const title = vscode.l10n.t('Stacks: {0}', session.name);
    const view = vscode.window.createWebviewPanel('async2.tree', title, vscode.ViewColumn.Active, {
      // Folds, search and selection survive a change of tabs.
      retainContextWhenHidden: true,
    });
    const panel = new TreePanel(sourceOf(session), view, this.commands, this.extension, () => this.panels.delete(session.id));
    this.panels.set(session.id, panel);
    return panel;
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    for (const panel of [...this.panels.values()]) panel.dispose();
  }
}
