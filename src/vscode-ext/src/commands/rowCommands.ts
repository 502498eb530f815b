// Commands on rows of the Async Stacks view.
import * as vscode from 'vscode';
import type { TreePanels } from '../panel/treePanels';
import { openPlace, textOfError } from '../session/openPlace';
import { readFramePage } from '../session/protocol';
import type { Sessions } from '../session/sessions';
import type { SnapshotEditor } from '../snapshots/snapshotEditor';
import type { FindingNode, FrameNode, MoreNode, StackNode, StepNode } from '../stacks/stackNodes';
import type { StacksView } from '../stacks/stacksView';
import { copied } from '../stacks/stackText';

/** More lines than anybody wants to paste. */
const mostCopied = 2000;

export function rowCommands(
  view: StacksView,
  panels: TreePanels,
  snapshots: SnapshotEditor,
  sessions: Sessions,
): vscode.Disposable[] {
  const forRow = <T>(name: string, act: (node: T) => unknown) =>
    vscode.commands.registerCommand(name, async (node: T | undefined) => {
      if (node === undefined) return;
      try {
        await act(node);
      } catch (error) {
        void vscode.window.showErrorMessage(textOfError(error));
      }
    });
  return [
    forRow('async2.showMore', (node: MoreNode) => view.showMore(node)),
    forRow('async2.openFrame', ({ session, frame }: FrameNode) => openPlace(session, frame)),
    forRow('async2.focusInCallStack', (node: StackNode | FrameNode) => {
      const { id } = node.kind === 'stack' ? node.row : node.stack;
      return node.session.customRequest('async2/select', { stack: id });
    }),
    forRow('async2.showInGraph', (node: StackNode | FrameNode) => {
      const { id } = node.kind === 'stack' ? node.row : node.stack;
      panels.show(node.session).focus(id);
    }),
    forRow('async2.showFinding', ({ session, finding }: FindingNode) => panels.show(session).focusFinding(finding.id)),
    forRow('async2.openStep', ({ session, step }: StepNode) =>
      openPlace(session, { source: { path: step.path }, line: step.line ?? 1, column: 1 }),
    ),
    forRow('async2.showPlace', (stack: string) => {
      const { source } = sessions;
      if (source?.session) panels.show(source.session).focus(stack);
      else if (source?.file !== undefined) return snapshots.open(source.file, stack);
    }),
    forRow('async2.copy', async (node: StackNode | FrameNode) => vscode.env.clipboard.writeText(await textOf(node))),
  ];
}

async function textOf(node: StackNode | FrameNode): Promise<string> {
  if (node.kind === 'frame') return node.frame.name;
  const answer = await node.session.customRequest('stackTrace', { threadId: node.row.thread, startFrame: 0, levels: mostCopied });
  const { frames, total } = readFramePage(answer);
  const left = (total ?? 0) - frames.length;
  return copied(node.row, frames) + (left > 0 ? `  ... ${left.toLocaleString('en')} more\n` : '');
}
