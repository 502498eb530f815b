// Async2Diag for VS Code: what is registered where. `dotnet-async2 dap`, which the extension starts, does the work.
import * as vscode from 'vscode';
import { rowCommands } from './commands/rowCommands';
import { sessionCommands } from './commands/sessionCommands';
import { startCommands } from './commands/startCommands';
import { TreePanels } from './panel/treePanels';
import { AdapterFactory } from './session/adapterFactory';
import { debugType } from './session/configuration';
import { ConfigurationProvider, FoundConfigurations } from './session/configurationProvider';
import { Consent } from './session/consent';
import { Sessions } from './session/sessions';
import { StacksView } from './stacks/stacksView';
import { ToolLocator } from './tool/toolLocator';

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Async Stacks', { log: true });
  const tools = new ToolLocator(context.globalState);
  const sessions = new Sessions();
  const view = new StacksView(sessions);
  const panels = new TreePanels(context.extensionUri, sessions);
  context.subscriptions.push(
    log,
    sessions,
    view,
    panels,
    ...startCommands(tools),
    ...sessionCommands(sessions, panels),
    ...rowCommands(view, panels),
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
