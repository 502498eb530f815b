// The view "Async Stacks": groups of equal stacks and their frames, as native rows that every screen reader supports.
import * as vscode from 'vscode';
import { textOfError } from '../session/openPlace';
import { readFindings, readFramePage, readStackPage } from '../session/protocol';
import type { Sessions } from '../session/sessions';
import { type IdleNode, itemOf, type MoreNode, type Node, type StackNode } from './stackNodes';

const stacksPerPage = 200;
const framesPerPage = 100;

export class StacksView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<Node | undefined>();
  private readonly view: vscode.TreeView<Node>;
  private readonly subscription: vscode.Disposable;
  private readonly shownFrames = new Map<string, number>();
  private shownStacks = stacksPerPage;
  private shownIdle = stacksPerPage;
  private session: vscode.DebugSession | undefined;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly sessions: Sessions) {
    this.session = sessions.current;
    this.view = vscode.window.createTreeView<Node>('async2.stacksView', { treeDataProvider: this, showCollapseAll: true });
    this.subscription = sessions.onDidChange(() => this.reset());
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return itemOf(node);
  }

  async getChildren(node?: Node): Promise<Node[]> {
    const session = this.session;
    if (!session || !this.sessions.isRunning(session)) return [];
    try {
      if (!node) return await this.stacks(session);
      if (node.kind === 'findings')
        return node.findings.map((finding): Node => ({ kind: 'finding', session: node.session, finding }));
      if (node.kind === 'finding') return node.finding.steps.map((step): Node => ({ kind: 'step', session: node.session, step }));
      if (node.kind === 'idle') return await this.idle(node);
      return node.kind === 'stack' ? await this.frames(node) : [];
    } catch (error) {
      return [{ kind: 'failed', text: textOfError(error) }];
    }
  }

  /** The rows after the ones already shown. */
  showMore(node: MoreNode): void {
    if (node.of?.kind === 'idle') this.shownIdle += stacksPerPage;
    else if (node.of) this.shownFrames.set(node.of.row.id, this.framesOf(node.of) + framesPerPage);
    else this.shownStacks += stacksPerPage;
    this.changed.fire(node.of);
  }

  dispose(): void {
    this.subscription.dispose();
    this.view.dispose();
    this.changed.dispose();
  }

  private reset(): void {
    this.session = this.sessions.current;
    this.shownStacks = stacksPerPage;
    this.shownIdle = stacksPerPage;
    this.shownFrames.clear();
    this.view.description = this.session?.name;
    this.changed.fire(undefined);
  }

  private async stacks(session: vscode.DebugSession): Promise<Node[]> {
    const answer = await session.customRequest('async2/stacks', { start: 0, count: this.shownStacks });
    const { total, stacks, idle } = readStackPage(answer);
    const start = total - (idle?.entries ?? 0);
    const nodes: Node[] = stacks.slice(0, Math.max(0, start)).map((row) => ({ kind: 'stack', session, row }));
    const rows = [...(await findingsOf(session)), ...withMore(nodes, start)];
    return idle && start > 0 ? [...rows, { kind: 'idle', session, idle, start }] : rows;
  }

  private async idle(node: IdleNode): Promise<Node[]> {
    const { session, start, idle } = node;
    const answer = await session.customRequest('async2/stacks', { start, count: this.shownIdle });
    const nodes: Node[] = readStackPage(answer).stacks.map((row) => ({ kind: 'stack', session, row }));
    return withMore(nodes, idle.entries, node);
  }

  private async frames(node: StackNode): Promise<Node[]> {
    const answer = await node.session.customRequest('stackTrace', {
      threadId: node.row.thread,
      startFrame: 0,
      levels: this.framesOf(node),
    });
    const { total, frames } = readFramePage(answer);
    const nodes: Node[] = frames.map((frame) => ({ kind: 'frame', session: node.session, stack: node.row, frame }));
    return withMore(nodes, total ?? nodes.length, node);
  }

  private framesOf(node: StackNode): number {
    return this.shownFrames.get(node.row.id) ?? framesPerPage;
  }
}

/** What is wrong comes first; nothing if nothing is. */
async function findingsOf(session: vscode.DebugSession): Promise<Node[]> {
  const answer = await Promise.resolve(session.customRequest('async2/findings')).then(readFindings, () => undefined);
  const findings = answer?.findings ?? [];
  return findings.length > 0 ? [{ kind: 'findings', session, findings }] : [];
}

function withMore(nodes: Node[], total: number, of?: StackNode | IdleNode): Node[] {
  return total > nodes.length && nodes.length > 0 ? [...nodes, { kind: 'more', of, left: total - nodes.length }] : nodes;
}
