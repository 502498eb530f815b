// In the status bar: what is looked at, of when it is, and a way to read it again.
import * as vscode from 'vscode';
import { readFindings } from '../session/protocol';
import type { Sessions } from '../session/sessions';
import { plain } from '../stacks/stackText';

export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('async2.status', vscode.StatusBarAlignment.Left, 50);
  private readonly subscription: vscode.Disposable;
  private turn = 0;

  constructor(private readonly sessions: Sessions) {
    this.item.name = vscode.l10n.t('Async stacks');
    this.subscription = sessions.onDidChange(() => void this.update());
  }

  dispose(): void {
    this.subscription.dispose();
    this.item.dispose();
  }

  private async update(): Promise<void> {
    const mine = ++this.turn;
    const session = this.sessions.current;
    if (!session || !this.sessions.isRunning(session)) {
      this.item.hide();
      return;
    }
    const answer = await Promise.resolve(session.customRequest('async2/findings')).then(readFindings, () => undefined);
    if (mine !== this.turn || !answer) return;
    const worst = answer.findings.find(({ severity }) => severity !== 'info');
    const time = answer.takenAt === undefined ? '' : ` ${new Date(answer.takenAt).toTimeString().slice(0, 8)}`;
    const icon = worst ? (worst.severity === 'error' ? '$(error)' : '$(warning)') : answer.live ? '$(refresh)' : '$(file-binary)';
    this.item.text = `${icon} ${plain(session.name)}${answer.live ? time : ''}`;
    this.item.tooltip = plain(worst?.text ?? answer.summary);
    this.item.command = worst ? 'async2.showGraph' : answer.live ? 'async2.refresh' : 'async2.showGraph';
    this.item.show();
    await vscode.commands.executeCommand('setContext', 'async2.live', answer.live);
  }
}
