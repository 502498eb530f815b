// The rows of the Async Stacks view, and their appearance.
import * as vscode from 'vscode';
import type { FindingRow, FrameRow, IdleRows, StackRow, StepRow } from '../session/protocol';
import { iconOf, placeOf, plain, spokenFrame, spokenStack } from './stackText';

export interface StackNode {
  readonly kind: 'stack';
  readonly session: vscode.DebugSession;
  readonly row: StackRow;
}

export interface FrameNode {
  readonly kind: 'frame';
  readonly session: vscode.DebugSession;
  readonly stack: StackRow;
  readonly frame: FrameRow;
}

/** Stands for all idle loops of frameworks, the last stacks of the list. */
export interface IdleNode {
  readonly kind: 'idle';
  readonly session: vscode.DebugSession;
  readonly idle: IdleRows;
  /** Number of stacks before them. */
  readonly start: number;
}

/** Stands for rows that were not requested yet. */
export interface MoreNode {
  readonly kind: 'more';
  /** The stack whose frames these are, or the idle loops; undefined for further stacks. */
  readonly of?: StackNode | IdleNode;
  readonly left: number;
}

/** The root of what is wrong. */
export interface FindingsNode {
  readonly kind: 'findings';
  readonly session: vscode.DebugSession;
  readonly findings: readonly FindingRow[];
}

export interface FindingNode {
  readonly kind: 'finding';
  readonly session: vscode.DebugSession;
  readonly finding: FindingRow;
}

/** A step of a finding. */
export interface StepNode {
  readonly kind: 'step';
  readonly session: vscode.DebugSession;
  readonly step: StepRow;
}

/** Says why there are no rows. */
export interface FailedNode {
  readonly kind: 'failed';
  readonly text: string;
}

export type Node = StackNode | FrameNode | IdleNode | MoreNode | FindingsNode | FindingNode | StepNode | FailedNode;

export function itemOf(node: Node): vscode.TreeItem {
  switch (node.kind) {
    case 'stack':
      return stackItem(node);
    case 'frame':
      return frameItem(node);
    case 'idle':
      return idleItem(node);
    case 'more':
      return moreItem(node);
    case 'findings':
      return findingsItem(node);
    case 'finding':
      return findingItem(node);
    case 'step':
      return stepItem(node);
    case 'failed': {
      const item = new vscode.TreeItem(plain(node.text));
      item.iconPath = new vscode.ThemeIcon('warning');
      return item;
    }
  }
}

function stackItem({ session, row }: StackNode): vscode.TreeItem {
  const item = new vscode.TreeItem(plain(row.name), vscode.TreeItemCollapsibleState.Collapsed);
  const icon = iconOf(row.state);
  item.id = `${session.id}/${row.id}`;
  item.iconPath = new vscode.ThemeIcon(icon.icon, new vscode.ThemeColor(icon.colour));
  item.description = [plain(row.wait ?? row.state), row.age].filter(Boolean).join(', ');
  item.tooltip = [
    plain(row.name),
    row.state,
    row.wait && plain(row.wait),
    row.age,
    row.labels && plain(row.labels),
    row.frame && plain(row.frame),
  ]
    .filter(Boolean)
    .join('\n');
  item.accessibilityInformation = { label: spokenStack(row), role: 'treeitem' };
  item.contextValue = 'async2.stack';
  return item;
}

function idleItem({ session, idle }: IdleNode): vscode.TreeItem {
  const item = new vscode.TreeItem(plain(idle.name), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `${session.id}/idle`;
  item.iconPath = new vscode.ThemeIcon('coffee', new vscode.ThemeColor('disabledForeground'));
  item.description = plain(idle.text);
  item.tooltip = `${plain(idle.name)}: ${plain(idle.text)}`;
  item.contextValue = 'async2.idle';
  return item;
}

const findingIcons = {
  error: ['error', 'list.errorForeground'],
  warning: ['warning', 'list.warningForeground'],
  info: ['info', 'foreground'],
} as const;

function findingIcon({ severity }: FindingRow): vscode.ThemeIcon {
  const [icon, colour] = findingIcons[severity];
  return new vscode.ThemeIcon(icon, new vscode.ThemeColor(colour));
}

function findingsItem({ session, findings }: FindingsNode): vscode.TreeItem {
  const [worst] = findings;
  const item = new vscode.TreeItem(vscode.l10n.t('Findings'), vscode.TreeItemCollapsibleState.Expanded);
  item.id = `${session.id}/findings`;
  item.description = findings.length.toLocaleString('en');
  if (worst) item.iconPath = findingIcon(worst);
  item.contextValue = 'async2.findings';
  return item;
}

function findingItem(node: FindingNode): vscode.TreeItem {
  const { session, finding } = node;
  const item = new vscode.TreeItem(`${finding.rule}: ${plain(finding.text)}`);
  item.collapsibleState =
    finding.steps.length > 0 ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None;
  item.id = `${session.id}/${finding.id}`;
  item.iconPath = findingIcon(finding);
  const held = finding.blocked === undefined ? '' : `, ${vscode.l10n.t('{0} stacks', finding.blocked.toLocaleString('en'))}`;
  item.description = `${finding.confidence}${held}`;
  item.tooltip = [plain(finding.text), finding.next && plain(finding.next)].filter(Boolean).join('\n\n');
  item.accessibilityInformation = {
    label: `${finding.severity}, ${finding.confidence}: ${finding.rule}, ${plain(finding.text)}`,
    role: 'treeitem',
  };
  item.contextValue = 'async2.finding';
  item.command = { command: 'async2.showFinding', title: vscode.l10n.t('Show in Parallel Async Stacks'), arguments: [node] };
  return item;
}

function stepItem(node: StepNode): vscode.TreeItem {
  const { step } = node;
  const item = new vscode.TreeItem(plain(step.text));
  item.iconPath = new vscode.ThemeIcon('debug-step-over', new vscode.ThemeColor('disabledForeground'));
  item.tooltip = plain(step.text);
  item.contextValue = 'async2.step';
  if (step.path !== undefined)
    item.command = { command: 'async2.openStep', title: vscode.l10n.t('Open Source'), arguments: [node] };
  return item;
}

function frameItem(node: FrameNode): vscode.TreeItem {
  const { frame } = node;
  const item = new vscode.TreeItem(plain(frame.name));
  const colour = new vscode.ThemeColor(frame.label || frame.subtle ? 'disabledForeground' : 'foreground');
  item.iconPath = new vscode.ThemeIcon(frame.label ? 'info' : 'symbol-method', colour);
  // An adapter may already have put the place into the name.
  item.description = frame.name.includes(placeOf(frame)) ? '' : placeOf(frame);
  item.tooltip = plain(frame.source?.path ?? frame.name);
  item.accessibilityInformation = { label: spokenFrame(frame), role: 'treeitem' };
  item.contextValue = frame.source ? 'async2.frame' : 'async2.label';
  if (frame.source) item.command = { command: 'async2.openFrame', title: vscode.l10n.t('Open Source'), arguments: [node] };
  return item;
}

function moreItem(node: MoreNode): vscode.TreeItem {
  const text = vscode.l10n.t('Show more ({0} left)', node.left.toLocaleString('en'));
  const item = new vscode.TreeItem(text);
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = { command: 'async2.showMore', title: text, arguments: [node] };
  return item;
}
