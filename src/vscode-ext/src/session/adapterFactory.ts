// Starts the debug adapter, which is the tool itself.
import * as vscode from 'vscode';
import { spelled } from '../tool/toolCommand';
import type { ToolLocator } from '../tool/toolLocator';

export class AdapterFactory implements vscode.DebugAdapterDescriptorFactory {
  constructor(
    private readonly tools: ToolLocator,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  async createDebugAdapterDescriptor(session: vscode.DebugSession): Promise<vscode.DebugAdapterDescriptor | undefined> {
    const tool = await this.tools.locate(session.workspaceFolder);
    if (!tool) return undefined;
    this.log.info(`${session.name}: ${spelled(tool)} dap`);
    return new vscode.DebugAdapterExecutable(tool.program, [...tool.args, 'dap'], { cwd: tool.cwd });
  }
}
