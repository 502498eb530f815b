// A launch.json comes with a repository. What it can do harm with is done only if the user agrees, each file asked for once.
import { statSync } from 'node:fs';
import * as vscode from 'vscode';
import { harmfulFields, type RawConfiguration } from './configuration';

export class Consent {
  /** What was agreed to is remembered, as long as the file stays the same. */
  constructor(private readonly memory: vscode.Memento) {}

  async allows(configuration: RawConfiguration): Promise<boolean> {
    for (const { field, path } of harmfulFields(configuration)) {
      if (!(await this.allowsFile(field, path, String(configuration.name)))) return false;
    }
    return true;
  }

  private async allowsFile(field: 'dac' | 'trace', path: string, name: string): Promise<boolean> {
    if (!vscode.workspace.isTrusted) {
      const text = vscode.l10n.t('The configuration "{0}" sets {1}, which is for folders that you trust.', name, field);
      void vscode.window.showErrorMessage(text, { modal: true });
      return false;
    }
    const key = `consent:${field}:${path}`;
    const stamp = field === 'dac' ? stampOf(path) : 'asked';
    if (this.memory.get(key) === stamp) return true;
    const allow = vscode.l10n.t('Allow');
    const choice = await vscode.window.showWarningMessage(questionOf(field, path, name), { modal: true }, allow);
    if (choice === allow) await this.memory.update(key, stamp);
    return choice === allow;
  }
}

function questionOf(field: 'dac' | 'trace', path: string, name: string): string {
  return field === 'dac'
    ? vscode.l10n.t(
        'The configuration "{0}" has native code run on this machine: {1}. Allow it only if you know the file.',
        name,
        path,
      )
    : vscode.l10n.t('The configuration "{0}" has every message of the session written to {1}.', name, path);
}

function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs}:${stat.size}` : 'missing';
}
