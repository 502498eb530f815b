// Texts of an adapter in place of source files that are not on this machine, for pictures without a debug session.
import * as vscode from 'vscode';
import type { StackSource } from './stackSource';

const scheme = 'async2-source';
const sources = new Map<string, StackSource>();

export function virtualSource(id: string, reference: number, name: string | undefined): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${name ?? 'source'}`, query: `${id}&${reference}` });
}

/** As long as it is shown, its texts can be opened. */
export function provideSources(source: StackSource): vscode.Disposable {
  sources.set(source.id, source);
  return new vscode.Disposable(() => sources.delete(source.id));
}

export function sourceProvider(): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    async provideTextDocumentContent({ query }): Promise<string> {
      const [id = '', reference] = query.split('&');
      const answer = (await sources.get(id)?.request('source', { sourceReference: Number(reference) })) as { content?: unknown };
      return typeof answer?.content === 'string' ? answer.content : '';
    },
  });
}
