// Finds the tool for a workspace folder, checks its version once, and tells the user what to do if there is none.
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { checkTool, type ToolCheck } from './toolCheck';
import { spelled, type ToolCommand } from './toolCommand';
import { findTool, type ToolSearch } from './toolSearch';
import { oldestVersion } from './version';

export class ToolLocator {
  /** A check starts .NET, so a good result is remembered as long as the tool's file stays the same. */
  constructor(
    private readonly memory: vscode.Memento,
    /** Folder of the extension. */
    private readonly extension: string,
  ) {}

  /** Undefined if there is none; the user has been told then. */
  async locate(folder: vscode.WorkspaceFolder | undefined): Promise<ToolCommand | undefined> {
    const search = this.search(folder);
    if (!('found' in search)) {
      void this.complain(missingText(search));
      return undefined;
    }
    const command = search.found;
    const stamp = stampOf(command);
    if (this.memory.get(memoryKey(command)) === stamp) return command;
    const check = await checkTool(command);
    if (check.kind === 'fine') {
      await this.memory.update(memoryKey(command), stamp);
      return command;
    }
    void this.complain(badText(check, command), check.kind, command);
    return undefined;
  }

  search(folder: vscode.WorkspaceFolder | undefined): ToolSearch {
    return findTool({
      setting: vscode.workspace.getConfiguration('async2', folder).get<string>('toolPath', ''),
      folder: folder?.uri.fsPath,
      trusted: vscode.workspace.isTrusted,
      pathVariable: process.env.PATH ?? process.env.Path ?? '',
      home: homedir(),
      extension: this.extension,
      windows: process.platform === 'win32',
      isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false,
      read: readIfThere,
    });
  }

  private async complain(text: string, kind: ToolCheck['kind'] = 'broken', command?: ToolCommand): Promise<void> {
    const fix = fixOf(kind, command);
    const settings = vscode.l10n.t('Open Settings');
    const choice = await vscode.window.showErrorMessage(text, fix.label, settings);
    if (choice === settings) await openSetting();
    if (choice === fix.label) {
      const terminal = vscode.window.createTerminal({ name: 'dotnet-async2', cwd: command?.cwd });
      terminal.show();
      terminal.sendText(fix.line);
    }
  }
}

async function openSetting(): Promise<void> {
  // A path is valid for one machine; for a remote one, VS Code keeps settings apart.
  if (vscode.env.remoteName === undefined)
    await vscode.commands.executeCommand('workbench.action.openSettings', 'async2.toolPath');
  else await vscode.commands.executeCommand('workbench.action.openRemoteSettings', { query: 'async2.toolPath' });
}

/** Where packages are, if that is not the usual feed; quoted for a shell. */
function feedOption(): string {
  const feed = vscode.workspace.getConfiguration('async2').get('toolFeed', '').trim();
  if (feed === '') return '';
  return process.platform === 'win32'
    ? ` --add-source "${feed.replaceAll('"', '')}"`
    : ` --add-source '${feed.replaceAll("'", "'\\''")}'`;
}

function fixOf(kind: ToolCheck['kind'], command: ToolCommand | undefined): { label: string; line: string } {
  const feed = feedOption();
  if (kind === 'not-restored') return { label: vscode.l10n.t('Restore...'), line: 'dotnet tool restore' };
  if (command?.origin === 'manifest')
    return { label: vscode.l10n.t('Update...'), line: `dotnet tool update dotnet-async2${feed}` };
  if (kind === 'too-old') return { label: vscode.l10n.t('Update...'), line: `dotnet tool update --global dotnet-async2${feed}` };
  return { label: vscode.l10n.t('Install...'), line: `dotnet tool install --global dotnet-async2${feed}` };
}

function missingText(search: { missing: 'setting' | 'everywhere'; path?: string }): string {
  return search.missing === 'setting'
    ? vscode.l10n.t('The setting async2.toolPath names {0}, but there is no such file.', search.path ?? '')
    : vscode.l10n.t(
        'The tool dotnet-async2 was not found: not in a tool manifest, not on PATH, not among the global .NET tools. It reads processes and dumps; without it there is nothing to show.',
      );
}

function badText(check: ToolCheck, command: ToolCommand): string {
  switch (check.kind) {
    case 'too-old':
      return vscode.l10n.t('{0} is version {1}, but {2} or later is needed.', spelled(command), check.version, oldestVersion);
    case 'not-restored':
      return vscode.l10n.t('{0} names dotnet-async2, but the tool is not restored yet.', command.file);
    case 'broken':
      return vscode.l10n.t('{0} does not work: {1}', spelled(command), check.text);
    case 'fine':
      return '';
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function memoryKey(command: ToolCommand): string {
  return `tool:${command.file}:${oldestVersion}`;
}

function stampOf(command: ToolCommand): string {
  const stat = statSync(command.file, { throwIfNoEntry: false });
  return `${stat?.mtimeMs}:${stat?.size}`;
}
