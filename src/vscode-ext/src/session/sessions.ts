// The running async2 sessions, and the one that the user works with.
import * as vscode from 'vscode';
import { debugType } from './configuration';
import { type StackSource, sourceOf } from './stackSource';

export class Sessions implements vscode.Disposable {
  private readonly running: vscode.DebugSession[] = [];
  private readonly files: StackSource[] = [];
  private readonly subscriptions: vscode.Disposable[] = [];
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly readAgain = new vscode.EventEmitter<vscode.DebugSession>();
  private readonly ended = new vscode.EventEmitter<vscode.DebugSession>();

  /** Another session is the current one, or the current one has other stacks than before. */
  readonly onDidChange = this.changed.event;
  /** A session has other stacks than before. */
  readonly onDidReadAgain = this.readAgain.event;
  readonly onDidEnd = this.ended.event;

  constructor() {
    this.subscriptions.push(
      this.changed,
      this.readAgain,
      this.ended,
      // VS Code sends "started" once the target is read, which is when requests make sense.
      vscode.debug.onDidStartDebugSession((session) => this.add(session)),
      vscode.debug.onDidTerminateDebugSession((session) => this.remove(session)),
      vscode.debug.onDidChangeActiveDebugSession(() => this.announce()),
      vscode.debug.onDidReceiveDebugSessionCustomEvent(({ session, event }) => {
        if (session.type !== debugType || event !== 'async2/changed') return;
        this.readAgain.fire(session);
        if (session.id === this.current?.id) this.announce();
      }),
    );
  }

  get current(): vscode.DebugSession | undefined {
    const active = vscode.debug.activeDebugSession;
    return active?.type === debugType ? active : this.running.at(-1);
  }

  /** Who answers for what is looked at: the session, or a file that is open without one. */
  get source(): StackSource | undefined {
    const { current } = this;
    return current && this.isRunning(current) ? sourceOf(current) : this.files.at(-1);
  }

  /** A file is shown without a session, until it is closed. */
  addFile(source: StackSource): vscode.Disposable {
    this.files.push(source);
    this.changed.fire();
    return new vscode.Disposable(() => {
      this.files.splice(this.files.indexOf(source), 1);
      this.changed.fire();
    });
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
