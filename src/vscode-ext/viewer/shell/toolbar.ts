// The controls over the drawing: what is shown, and, beside the header, how.

import { glyph } from '../draw/card';
import { button, el, fill, shape } from '../draw/dom';
import type { Model } from '../model/model';
import { clip } from '../model/names';
import { counted, grouped } from '../model/numbers';
import { queryOptions } from '../model/queryOptions';
import { states } from '../model/states';
import type { Actions } from './actions';

const shapes = {
  previous: 'M2.5 7.5l3.5-3.5l3.5 3.5',
  next: 'M2.5 4.5l3.5 3.5l3.5-3.5',
  fold: 'M1.5 1.5h9v9h-9zM4 6h4',
  unfold: 'M1.5 1.5h9v9h-9zM4 6h4M6 4v4',
  out: 'M2 6h8',
  in: 'M2 6h8M6 2v8',
  fit: 'M1.5 4v-2.5h2.5M8 1.5h2.5v2.5M10.5 8v2.5h-2.5M4 10.5h-2.5v-2.5',
  export: 'M6 1.5v6M3.5 5l2.5 2.5l2.5-2.5M1.5 10.5h9',
  refresh: 'M10 6a4 4 0 1 1-1.2-2.8M10 1.5v2.5h-2.5',
} as const;

export class Toolbar {
  readonly element = el('div', 'toolbar');
  readonly tools = el('div', 'tools');
  readonly input = el('input', '');
  private readonly hits = el('span', 'hits');
  private readonly chips = el('div', 'chips');
  private readonly only: HTMLButtonElement;
  private readonly ways: { outer: HTMLButtonElement; inner: HTMLButtonElement };
  private readonly refresh: HTMLButtonElement;

  constructor(
    private readonly actions: Actions,
    panel: boolean,
  ) {
    this.element.setAttribute('role', 'group');
    this.element.setAttribute('aria-label', 'Search and view');
    this.only = button('toggle', 'Only matches', () => actions.filterFound(this.only.getAttribute('aria-pressed') !== 'true'));
    this.ways = {
      outer: button('toggle', 'By caller', () => actions.turn('outer')),
      inner: button('toggle', 'By wait', () => actions.turn('inner')),
    };
    this.ways.outer.title = 'From the outermost frame inwards: where it started';
    this.ways.inner.title = 'From the innermost frame outwards: what it waits for';
    this.refresh = this.icon('refresh', 'Read the process again', () => actions.refreshTarget());
    this.chips.setAttribute('role', 'group');
    this.chips.setAttribute('aria-label', 'States');
    const ways = el('div', 'group', this.ways.outer, this.ways.inner);
    ways.setAttribute('role', 'group');
    ways.setAttribute('aria-label', 'Merge stacks');
    this.element.append(this.searchBox(), this.only, ways, this.chips);
    this.tools.setAttribute('role', 'group');
    this.tools.setAttribute('aria-label', 'Picture');
    this.tools.append(this.folds(), this.zooms());
    if (panel)
      this.tools.append(
        el(
          'div',
          'group',
          this.icon('export', 'Export as HTML', () => actions.export()),
          this.refresh,
        ),
      );
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
    return el(
      'div',
      'group',
      this.icon('fold', 'Fold all', () => actions.foldAll()),
      this.icon('unfold', 'Unfold all', () => actions.unfoldAll()),
    );
  }

  private zooms(): HTMLElement {
    const { actions } = this;
    return el(
      'div',
      'group',
      this.icon('out', 'Zoom out (-)', () => actions.zoom(1 / 1.25)),
      this.icon('in', 'Zoom in (+)', () => actions.zoom(1.25)),
      this.icon('fit', 'Fit (0)', () => actions.fit()),
    );
  }

  private icon(name: keyof typeof shapes, label: string, press: () => void): HTMLButtonElement {
    return button('icon', label, press, shape(shapes[name], ''));
  }

  /** Updates all controls; `at` is the number of the current hit, from 0, or -1. */
  update(model: Model, at: number): void {
    if (this.input.value !== model.query) this.input.value = model.query;
    this.only.setAttribute('aria-pressed', String(model.onlyFound));
    this.only.hidden = model.query === '' && !model.onlyFound;
    this.ways.outer.setAttribute('aria-pressed', String(model.direction === 'outer'));
    this.ways.inner.setAttribute('aria-pressed', String(model.direction === 'inner'));
    this.refresh.hidden = model.forest.head?.target.kind !== 'process';
    this.hits.textContent = hitWords(model, at);
    this.updateChips(model);
  }

  /** Idle loops have one chip with their number and names. */
  private idleChip(model: Model): HTMLButtonElement[] {
    if (model.idle.length === 0) return [];
    const all = model.idle.reduce((sum, [, count]) => sum + count, 0);
    const words = [el('span', '', ' idle loops '), el('span', 'number', grouped(all))];
    const chip = button('chip', `Show or hide ${idleWords(model)}`, () => this.actions.toggleIdle(), ...words);
    chip.dataset.state = 'idle';
    chip.setAttribute('aria-pressed', String(model.drawsIdle));
    return [chip];
  }

  private updateChips(model: Model): void {
    const focused = this.chips.contains(document.activeElement) ? document.activeElement?.getAttribute('data-state') : undefined;
    const chips = states.flatMap((state, index) => {
      const count = model.totals[index] ?? 0;
      if (count === 0) return [];
      const words = [el('span', '', ` ${state} `), el('span', 'number', grouped(count))];
      const chip = button('chip', `Show or hide ${state}`, () => this.actions.toggleState(state), glyph(state), ...words);
      chip.dataset.state = state;
      chip.setAttribute('aria-pressed', String(!model.hidden.has(state)));
      return [chip];
    });
    chips.push(...this.idleChip(model));
    fill(this.chips, ...chips);
    if (focused) chips.find((chip) => chip.dataset.state === focused)?.focus();
  }
}

/** `111 idle loops: 56 Kestrel receive, 55 Kestrel send`; empty without any. */
export function idleWords({ idle }: Model): string {
  if (idle.length === 0) return '';
  const all = idle.reduce((sum, [, count]) => sum + count, 0);
  return `${counted(all, 'idle loop')}: ${idle.map(([name, count]) => `${grouped(count)} ${clip(name, 60)}`).join(', ')}`;
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
