// Async2Diag for VS Code: what is registered where. `dotnet-async2 dap`, which the extension starts, does the work.
import * as vscode from 'vscode';
import { rowCommands } from './commands/rowCommands';
import { exportHtml, refresh, sessionCommands } from './commands/sessionCommands';
import { startCommands, startDump } from './commands/startCommands';
import { saveSnapshot } from './files/saveSnapshot';
import { FindingMarks } from './marks/findingMarks';
import { PlaceLenses } from './marks/placeLenses';
import { StatusItem } from './marks/statusItem';
import type { PanelCommands } from './panel/treePanel';
import { TreePanels } from './panel/treePanels';
import { AdapterFactory } from './session/adapterFactory';
import { debugType } from './session/configuration';
import { ConfigurationProvider, FoundConfigurations } from './session/configurationProvider';
import { Consent } from './session/consent';
import { Sessions } from './session/sessions';
import { sourceProvider } from './session/virtualSource';
import { SnapshotEditor, snapshotEditor } from './snapshots/snapshotEditor';
import { StacksView } from './stacks/stacksView';
import { ToolLocator } from './tool/toolLocator';

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Async Stacks', { log: true });
  const tools = new ToolLocator(context.globalState, context.extensionPath);
  const sessions = new Sessions();
  const view = new StacksView(sessions);
  const commands: PanelCommands = {
    exportHtml,
    refresh,
    debug: startDump,
    save: async (source, { notes }) => {
      await saveSnapshot(source, notes);
    },
  };
  const panels = new TreePanels(context.extensionUri, sessions, commands);
  const snapshots = new SnapshotEditor(context.extensionUri, tools, commands, sessions);
  context.subscriptions.push(
    log,
    sessions,
    view,
    panels,
    new FindingMarks(sessions),
    new PlaceLenses(sessions),
    new StatusItem(sessions),
    sourceProvider(),
    vscode.window.registerCustomEditorProvider(snapshotEditor, snapshots, { webviewOptions: { retainContextWhenHidden: true } }),
    ...startCommands(tools, snapshots),
    ...sessionCommands(sessions, panels),
    ...rowCommands(view, panels, snapshots, sessions),
    vscode.debug.registerDebugConfigurationProvider(
      debugType,
      new ConfigurationProvider(tools, new Consent(context.globalState)),
    ),
    vscode.debug.registerDebugConfigurationProvider(
      debugType,
      new FoundConfigurations(),
      vscode.DebugConfigurationProviderTriggerKind.Dynamic,
    ),
    vscode.debug.registerDebugAdapterDescriptorFactory(debugType, new AdapterFactory(tools, log)),
  );
}
