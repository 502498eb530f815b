// A launch.json comes with a repository. Potentially harmful fields are used only if the user agrees, once for each file.
import { statSync } from 'node:fs';
import * as vscode from 'vscode';
import { harmfulFields, type RawConfiguration } from './configuration';

export class Consent {
  /** Files that the user agreed to are remembered, as long as they do not change. */
  constructor(private readonly memory: vscode.Memento) {}

  async allows(configuration: RawConfiguration): Promise<boolean> {
    for (const { field, path } of harmfulFields(configuration)) {
      if (!(await this.allowsFile(field, path, String(configuration.name)))) return false;
    }
    return true;
  }

  private async allowsFile(field: 'dac' | 'trace', path: string, name: string): Promise<boolean> {
    if (!vscode.workspace.isTrusted) {
      const text = vscode.l10n.t(
        'The configuration "{0}" sets {1}, which is allowed only in folders that you trust.',
        name,
        field,
      );
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
        'The configuration "{0}" runs native code on this machine: {1}. Allow it only if you know the file.',
        name,
        path,
      )
    : vscode.l10n.t('The configuration "{0}" writes every message of the session to {1}.', name, path);
}

function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs}:${stat.size}` : 'missing';
}
