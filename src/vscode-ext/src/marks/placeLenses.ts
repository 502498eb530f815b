// "398 waiting here, oldest 4 min" above the lines at which stacks stand, as long as a session or a snapshot is open.
import * as vscode from 'vscode';
import { type PlaceRow, readPlaces } from '../session/protocol';
import type { Sessions } from '../session/sessions';
import { plain } from '../stacks/stackText';

export class PlaceLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[];
  private places: ReadonlyMap<string, readonly PlaceRow[]> = new Map();
  private turn = 0;

  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(private readonly sessions: Sessions) {
    this.subscriptions = [
      this.changed,
      vscode.languages.registerCodeLensProvider([{ scheme: 'file', pattern: '**/*.{cs,fs,vb}' }], this),
      sessions.onDidChange(() => void this.update()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('async2.codeLens')) void this.update();
      }),
    ];
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const rows = this.places.get(document.uri.fsPath) ?? [];
    return rows.flatMap((row) => {
      if (row.line > document.lineCount) return [];
      return [new vscode.CodeLens(document.lineAt(row.line - 1).range, commandOf(row))];
    });
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private async update(): Promise<void> {
    const mine = ++this.turn;
    const { source } = this.sessions;
    const wanted = vscode.workspace.getConfiguration('async2').get('codeLens', true);
    const rows = source && wanted ? await source.request('async2/places').then(readPlaces, () => []) : [];
    if (mine !== this.turn) return;
    const places = new Map<string, PlaceRow[]>();
    for (const row of rows) places.set(row.path, [...(places.get(row.path) ?? []), row]);
    this.places = places;
    this.changed.fire();
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
