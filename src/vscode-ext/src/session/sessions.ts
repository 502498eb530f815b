// The async2 sessions that run, and which of them the user means.
import * as vscode from 'vscode';
import { debugType } from './configuration';

export class Sessions implements vscode.Disposable {
  private readonly running: vscode.DebugSession[] = [];
  private readonly subscriptions: vscode.Disposable[] = [];
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly readAnew = new vscode.EventEmitter<vscode.DebugSession>();
  private readonly ended = new vscode.EventEmitter<vscode.DebugSession>();

  /** There is another current session, or it has other stacks than before. */
  readonly onDidChange = this.changed.event;
  /** A session has other stacks than before. */
  readonly onDidReadAnew = this.readAnew.event;
  readonly onDidEnd = this.ended.event;

  constructor() {
    this.subscriptions.push(
      this.changed,
      this.readAnew,
      this.ended,
      // The event says "started" when the target is read, which is when there is something to ask.
      vscode.debug.onDidStartDebugSession((session) => this.add(session)),
      vscode.debug.onDidTerminateDebugSession((session) => this.remove(session)),
      vscode.debug.onDidChangeActiveDebugSession(() => this.announce()),
      vscode.debug.onDidReceiveDebugSessionCustomEvent(({ session, event }) => {
        if (session.type !== debugType || event !== 'async2/changed') return;
        this.readAnew.fire(session);
        if (session.id === this.current?.id) this.announce();
      }),
    );
  }

  get current(): vscode.DebugSession | undefined {
    const active = vscode.debug.activeDebugSession;
    return active?.type === debugType ? active : this.running.at(-1);
  }

  isRunning(session: vscode.DebugSession): boolean {
    return this.running.some(({ id }) => id === session.id);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private add(session: vscode.DebugSession): void {
    if (session.type !== debugType || this.isRunning(session)) return;
    this.running.push(session);
    this.announce();
  }

  private remove(session: vscode.DebugSession): void {
    const index = this.running.findIndex(({ id }) => id === session.id);
    if (index < 0) return;
    this.running.splice(index, 1);
    this.ended.fire(session);
    this.announce();
  }

  private announce(): void {
    void vscode.commands.executeCommand('setContext', 'async2.sessionActive', this.running.length > 0);
    this.changed.fire();
  }
}
