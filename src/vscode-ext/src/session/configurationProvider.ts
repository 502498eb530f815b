// Completes debug configurations: F5 without launch.json, settings, an installed tool.
import { homedir } from 'node:os';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { ToolLocator } from '../tool/toolLocator';
import { type ConfigurationFault, debugType, faultOf, harmfulFields, type SessionDefaults, withDefaults } from './configuration';
import type { Consent } from './consent';

/** What VS Code asks when a session of ours is about to start. */
export class ConfigurationProvider implements vscode.DebugConfigurationProvider {
  constructor(
    private readonly tools: ToolLocator,
    private readonly consent: Consent,
  ) {}

  async resolveDebugConfiguration(
    _folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): Promise<vscode.DebugConfiguration | undefined> {
    // F5 without launch.json comes with an empty configuration.
    if (configuration.type || configuration.request || configuration.name) return configuration;
    const open = { label: vscode.l10n.t('Open a dump...'), make: openConfiguration };
    const attach = { label: vscode.l10n.t('Attach to a .NET process...'), make: attachConfiguration };
    const choice = await vscode.window.showQuickPick([open, attach], {
      placeHolder: vscode.l10n.t('Which async stacks do you want to open?'),
    });
    return choice?.make();
  }

  async resolveDebugConfigurationWithSubstitutedVariables(
    folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): Promise<vscode.DebugConfiguration | undefined> {
    const places = { folder: folder?.uri.fsPath, home: homedir(), windows: process.platform === 'win32' };
    const whole = withDefaults(configuration, sessionDefaults(folder), places);
    const fault = faultOf(whole);
    if (fault) {
      void vscode.window.showErrorMessage(faultText(fault, whole), { modal: true });
      return undefined;
    }
    // The user's own setting needs no confirmation; a configuration does.
    const own = harmfulFields(configuration).map(({ field }) => [field, whole[field]]);
    if (!(await this.consent.allows({ name: whole.name, ...Object.fromEntries(own) }))) return undefined;
    return (await this.tools.locate(folder)) ? whole : undefined;
  }
}

/** What "Select and Start Debugging" offers without launch.json: the dumps in the workspace, and a process. */
export class FoundConfigurations implements vscode.DebugConfigurationProvider {
  async provideDebugConfigurations(folder: vscode.WorkspaceFolder | undefined): Promise<vscode.DebugConfiguration[]> {
    const files = folder
      ? await vscode.workspace.findFiles(new vscode.RelativePattern(folder, '{*,*/*}.{dmp,async2snap}'), null, 20)
      : [];
    return [...files.map((file) => dumpConfiguration(file.fsPath)), openConfiguration(), attachConfiguration()];
  }
}

export function dumpConfiguration(dumpPath: string): vscode.DebugConfiguration {
  return { type: debugType, request: 'launch', name: vscode.l10n.t('Async stacks of {0}', basename(dumpPath)), dumpPath };
}

export function processConfiguration(processId: number, processName: string): vscode.DebugConfiguration {
  return {
    type: debugType,
    request: 'attach',
    name: vscode.l10n.t('Async stacks of {0} ({1})', processName, processId),
    processId,
  };
}

function openConfiguration(): vscode.DebugConfiguration {
  return {
    type: debugType,
    request: 'launch',
    name: vscode.l10n.t('Async stacks: open a dump'),
    dumpPath: '${command:async2.pickDump}',
  };
}

function attachConfiguration(): vscode.DebugConfiguration {
  return {
    type: debugType,
    request: 'attach',
    name: vscode.l10n.t('Async stacks: attach to a process'),
    processId: '${command:async2.pickProcess}',
  };
}

export function sessionDefaults(folder: vscode.WorkspaceFolder | undefined): SessionDefaults {
  const settings = vscode.workspace.getConfiguration('async2', folder);
  return {
    maxThreads: settings.get('maxThreads', 2000),
    groupStacks: settings.get('groupStacks', true),
    justMyCode: settings.get('justMyCode', true),
    symbolPath: settings.get<string[]>('symbolPath', []),
    trace: settings.get('trace', ''),
  };
}

function faultText(fault: ConfigurationFault, configuration: vscode.DebugConfiguration): string {
  switch (fault) {
    case 'dumpPath':
      return vscode.l10n.t('The configuration "{0}" has no dumpPath: the path of a core dump.', configuration.name);
    case 'processId':
      return vscode.l10n.t('The configuration "{0}" has no processId: the id of a process.', configuration.name);
    case 'request':
      return vscode.l10n.t(
        'The configuration "{0}" needs "request": "launch" for a dump, or "attach" for a process.',
        configuration.name,
      );
  }
}
