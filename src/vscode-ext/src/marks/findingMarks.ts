// What is wrong, in the Problems panel, at the lines that block.
import * as vscode from 'vscode';
import { type FindingRow, readFindings } from '../session/protocol';
import type { Sessions } from '../session/sessions';
import { plain } from '../stacks/stackText';

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
} as const;

/** A message of a page helps nobody. */
const longest = 2000;

export class FindingMarks implements vscode.Disposable {
  private readonly problems = vscode.languages.createDiagnosticCollection('async2');
  private readonly subscriptions: vscode.Disposable[];
  private turn = 0;

  constructor(private readonly sessions: Sessions) {
    this.subscriptions = [
      this.problems,
      sessions.onDidChange(() => void this.update()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('async2.showProblems')) void this.update();
      }),
    ];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private async update(): Promise<void> {
    const mine = ++this.turn;
    const { source } = this.sessions;
    const wanted = vscode.workspace.getConfiguration('async2').get('showProblems', true);
    if (!source || !wanted) {
      this.problems.clear();
      return;
    }
    const answer = await source.request('async2/findings').then(readFindings, () => undefined);
    if (mine !== this.turn) return;
    this.problems.clear();
    const files = new Map<string, vscode.Diagnostic[]>();
    for (const finding of answer?.findings ?? []) addTo(files, finding);
    for (const [path, marks] of files) this.problems.set(vscode.Uri.file(path), marks);
  }
}

function addTo(files: Map<string, vscode.Diagnostic[]>, finding: FindingRow): void {
  // What is merely slow, or a hint, does not belong to a line.
  if (finding.severity === 'info') return;
  const places = finding.steps.filter((step) => step.path !== undefined && step.line !== undefined);
  const [first] = places;
  if (!first) return;
  const mark = new vscode.Diagnostic(
    rangeOf(first.line ?? 1),
    plain(finding.text).slice(0, longest),
    severities[finding.severity],
  );
  mark.source = 'async stacks';
  mark.code = finding.rule;
  mark.relatedInformation = places.map(
    ({ path = '', line = 1, text }) =>
      new vscode.DiagnosticRelatedInformation(new vscode.Location(vscode.Uri.file(path), rangeOf(line)), plain(text)),
  );
  const path = first.path ?? '';
  files.set(path, [...(files.get(path) ?? []), mark]);
}

function rangeOf(line: number): vscode.Range {
  return new vscode.Range(line - 1, 0, line - 1, 1000);
}
