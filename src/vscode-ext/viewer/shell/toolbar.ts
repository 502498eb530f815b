// The controls over the drawing: search, how stacks are merged, which are shown; and, beside the header, what is done with the picture.

import { button, el, fill, shape } from '../draw/dom';
import type { Direction } from '../merge/boxes';
import type { Model } from '../merge/model';
import { labelsIn } from '../merge/routes';
import { clip } from '../model/names';
import { grouped } from '../model/numbers';
import { queryOptions } from '../model/queryOptions';
import type { Actions } from './actions';
import { Chips } from './chips';

const shapes = {
  previous: 'M2.5 7.5l3.5-3.5l3.5 3.5',
  next: 'M2.5 4.5l3.5 3.5l3.5-3.5',
  fold: 'M1.5 1.5h9v9h-9zM4 6h4',
  unfold: 'M1.5 1.5h9v9h-9zM4 6h4M6 4v4',
  out: 'M2 6h8',
  in: 'M2 6h8M6 2v8',
  fit: 'M1.5 4v-2.5h2.5M8 1.5h2.5v2.5M10.5 8v2.5h-2.5M4 10.5h-2.5v-2.5',
  export: 'M6 1.5v6M3.5 5l2.5 2.5l2.5-2.5M1.5 10.5h9',
  svg: 'M1.5 2h9v8h-9zM1.5 8.5l2.5-3l2 2l1.5-1.5l3 2.5',
  save: 'M1.5 1.5h7l2 2v7h-9zM3.5 1.5v3h4v-3M3.5 10.5v-3.5h5v3.5',
  refresh: 'M10 6a4 4 0 1 1-1.2-2.8M10 1.5v2.5h-2.5',
  stop: 'M2.5 2.5h7v7h-7z',
  pin: 'M4 1.5h4l-.5 3.5l2 2h-7l2-2zM6 7v4',
  debug: 'M3 1.5l7 4.5l-7 4.5z',
} as const;

const ways: readonly (readonly [direction: Direction, text: string, title: string])[] = [
  ['outer', 'By caller', 'From the outermost frame inwards: where it started'],
  ['inner', 'By resource', 'What is waited for, who holds it, and from there outwards'],
  ['route', 'By label', 'By what the stacks work for: a route, a tenant'],
];

export class Toolbar {
  readonly element = el('div', 'toolbar');
  readonly tools = el('div', 'tools');
  readonly input = el('input', '');
  private readonly hits = el('span', 'hits');
  private readonly only: HTMLButtonElement;
  private readonly ways: ReadonlyMap<Direction, HTMLButtonElement>;
  private readonly labels = el('select', '');
  private readonly method: HTMLButtonElement;
  private readonly table: HTMLButtonElement;
  private readonly live: Readonly<Record<'refresh' | 'stop' | 'pin', HTMLButtonElement>>;
  private readonly chips: Chips;

  constructor(
    private readonly actions: Actions,
    private readonly panel: boolean,
    debugs: boolean,
  ) {
    this.element.setAttribute('role', 'group');
    this.element.setAttribute('aria-label', 'Search and view');
    this.only = button('toggle', 'Only matches', () => actions.filterFound(this.only.getAttribute('aria-pressed') !== 'true'));
    this.ways = new Map(ways.map(([direction, text, title]) => [direction, this.way(direction, text, title)]));
    this.method = button('toggle', 'Around', () => actions.turn('outer'));
    this.table = button('toggle', 'Table', () => actions.showTable(this.table.getAttribute('aria-pressed') !== 'true'));
    this.table.title = 'All stacks as rows that can be sorted';
    this.live = {
      refresh: this.icon('refresh', 'Read the process again', () => actions.refreshTarget()),
      stop: this.icon('stop', 'End the session; the process runs on', () => actions.stop()),
      pin: this.icon('pin', 'Compare later looks with this one', () =>
        actions.pinLook(this.live.pin.getAttribute('aria-pressed') !== 'true'),
      ),
    };
    this.chips = new Chips(actions);
    this.labels.setAttribute('aria-label', 'Label to group by');
    this.labels.addEventListener('change', () => actions.groupBy(this.labels.value));
    const views = el('div', 'group', ...this.ways.values(), this.labels, this.method, this.table);
    views.setAttribute('role', 'group');
    views.setAttribute('aria-label', 'Merge stacks');
    this.element.append(this.searchBox(), this.only, views, this.chips.element);
    this.tools.setAttribute('role', 'group');
    this.tools.setAttribute('aria-label', 'Picture');
    this.tools.append(this.folds(), this.zooms(), this.files(), ...(panel ? [this.session(debugs)] : []));
  }

  private way(direction: Direction, text: string, title: string): HTMLButtonElement {
    const made = button('toggle', text, () => this.actions.turn(direction));
    made.title = title;
    return made;
  }

  private searchBox(): HTMLElement {
    const { input, actions } = this;
    input.type = 'search';
    input.placeholder = 'Search (Ctrl+F)';
    input.spellcheck = false;
    input.maxLength = 500;
    input.setAttribute('aria-label', 'Search methods, files, waits and ids');
    input.title = `Methods, files, waits and ids, or ${queryOptions.map(({ name }) => `${name}:`).join(' ')}`;
    input.addEventListener('input', () => actions.search(input.value));
    input.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      actions.step(event.shiftKey ? -1 : 1);
    });
    const previous = this.icon('previous', 'Previous match (Shift+Enter)', () => actions.step(-1));
    const next = this.icon('next', 'Next match (Enter)', () => actions.step(1));
    return el('div', 'group search', input, this.hits, previous, next);
  }

  private folds(): HTMLElement {
    const { actions } = this;
    const fold = this.icon('fold', 'Fold all', () => actions.foldAll());
    return el(
      'div',
      'group',
      fold,
      this.icon('unfold', 'Unfold all', () => actions.unfoldAll()),
    );
  }

  private zooms(): HTMLElement {
    const { actions } = this;
    const out = this.icon('out', 'Zoom out (-)', () => actions.zoom(1 / 1.25));
    const into = this.icon('in', 'Zoom in (+)', () => actions.zoom(1.25));
    return el(
      'div',
      'group',
      out,
      into,
      this.icon('fit', 'Fit (0)', () => actions.fit()),
    );
  }

  private files(): HTMLElement {
    const { actions } = this;
    const picture = this.icon('svg', 'Picture as SVG; with Shift as PNG', () => actions.exportPicture('svg'));
    picture.addEventListener(
      'click',
      (event) => {
        if (!event.shiftKey) return;
        event.stopImmediatePropagation();
        actions.exportPicture('png');
      },
      { capture: true },
    );
    const png = button('png', 'PNG', () => actions.exportPicture('png'));
    png.title = 'Picture as PNG';
    const page = [
      this.icon('save', 'Save snapshot', () => actions.save()),
      this.icon('export', 'Export as HTML', () => actions.export()),
    ];
    return el('div', 'group', ...(this.panel ? page : []), picture, png);
  }

  private session(debugs: boolean): HTMLElement {
    const { refresh, stop, pin } = this.live;
    return debugs
      ? el(
          'div',
          'group',
          this.icon('debug', 'Open in the debugger: Call Stack and Variables', () => this.actions.debug()),
        )
      : el('div', 'group', pin, refresh, stop);
  }

  private icon(name: keyof typeof shapes, label: string, press: () => void): HTMLButtonElement {
    return button('icon', label, press, shape(shapes[name], ''));
  }

  /** Updates all controls; `at` is the number of the current hit, from 0, or -1. */
  update(model: Model, at: number, { table, ended }: { readonly table: boolean; readonly ended: boolean }): void {
    if (this.input.value !== model.query) this.input.value = model.query;
    this.only.setAttribute('aria-pressed', String(model.onlyFound));
    this.only.hidden = model.query === '' && !model.onlyFound;
    for (const [direction, way] of this.ways) way.setAttribute('aria-pressed', String(!table && model.direction === direction));
    this.updateLabels(model);
    this.method.hidden = model.direction !== 'method';
    this.method.textContent = `Around ${clip(model.method.replace(/\(.*$/, '').split('.').slice(-2).join('.'), 40)}`;
    this.method.setAttribute('aria-pressed', 'true');
    this.table.setAttribute('aria-pressed', String(table));
    const isLive = model.forest.head?.target.kind === 'process' && !ended;
    this.live.refresh.hidden = !isLive;
    this.live.pin.hidden = !isLive;
    this.live.pin.setAttribute('aria-pressed', String(model.forest.head?.since?.pinned === true || model.pinned));
    this.live.stop.hidden = ended;
    this.hits.textContent = hitWords(model, at);
    this.chips.update(model);
  }

  private updateLabels(model: Model): void {
    const names = labelsIn(model.forest).map(([name]) => name);
    const way = this.ways.get('route');
    if (way) way.hidden = names.length === 0 && model.direction !== 'route';
    this.labels.hidden = model.direction !== 'route' || names.length < 2;
    const wanted = names.includes(model.label) ? names : [model.label, ...names];
    if (this.labels.dataset.names === wanted.join()) {
      this.labels.value = model.label;
      return;
    }
    this.labels.dataset.names = wanted.join();
    fill(
      this.labels,
      ...wanted.map((name) => {
        const option = el('option', '', clip(name, 60));
        option.value = name;
        return option;
      }),
    );
    this.labels.value = model.label;
  }
}

/** `3 of 17`. */
export function hitWords(model: Model, at: number): string {
  const { found } = model;
  if (!found) return '';
  if (found.wrong !== undefined) return found.wrong;
  if (found.hits.length === 0) return 'no match';
  const all = `${grouped(found.hits.length)}${found.more ? '+' : ''}`;
  return at < 0 ? `${all} found` : `${grouped(at + 1)} of ${all}`;
}
