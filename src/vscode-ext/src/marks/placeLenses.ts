// "398 waiting here, oldest 4 min" above the lines at which stacks stand, as long as a session or a snapshot is open.
import * as vscode from 'vscode';
import { type PlaceRow, readPlaces } from '../session/protocol';
import type { Sessions } from '../session/sessions';
import { plain } from '../stacks/stackText';

export class PlaceLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[];
  private places: Promise<ReadonlyMap<string, readonly PlaceRow[]>> | undefined;

  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(private readonly sessions: Sessions) {
    this.subscriptions = [
      this.changed,
      vscode.languages.registerCodeLensProvider([{ scheme: 'file', pattern: '**/*.{cs,fs,vb}' }], this),
      sessions.onDidChange(() => this.forget()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('async2.codeLens')) this.forget();
      }),
    ];
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    // Not before a source is in view: of ten thousand stacks it takes a second, in which the adapter answers nothing else.
    this.places ??= this.load();
    const rows = (await this.places).get(document.uri.fsPath) ?? [];
    return rows.flatMap((row) => {
      if (row.line > document.lineCount) return [];
      return [new vscode.CodeLens(document.lineAt(row.line - 1).range, commandOf(row))];
    });
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private forget(): void {
    this.places = undefined;
    this.changed.fire();
  }

  private async load(): Promise<ReadonlyMap<string, readonly PlaceRow[]>> {
    const { source } = this.sessions;
    const wanted = vscode.workspace.getConfiguration('async2').get('codeLens', true);
    const rows = source && wanted ? await source.request('async2/places').then(readPlaces, () => []) : [];
    const places = new Map<string, PlaceRow[]>();
    for (const row of rows) places.set(row.path, [...(places.get(row.path) ?? []), row]);
    return places;
  }
}

function commandOf({ stacks, oldest, wait, stack }: PlaceRow): vscode.Command {
  const count = stacks.toLocaleString('en');
  const title =
    oldest === undefined
      ? vscode.l10n.t('{0} waiting here', count)
      : vscode.l10n.t('{0} waiting here, oldest {1}', count, oldest);
  return { title: wait === undefined ? title : `${title} - ${plain(wait)}`, command: 'async2.showPlace', arguments: [stack] };
}
