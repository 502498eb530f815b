// Switches for what is shown: states, idle loops, frameworks, what became of stacks, and what was hidden by hand.
import { glyph } from '../draw/card';
import { button, el, fill } from '../draw/dom';
import type { Model } from '../merge/model';
import { fates } from '../model/fates';
import { clip } from '../model/names';
import { counted, grouped } from '../model/numbers';
import { states } from '../model/states';
import type { Actions } from './actions';

export class Chips {
  readonly element = el('div', 'chips');

  constructor(private readonly actions: Actions) {
    this.element.setAttribute('role', 'group');
    this.element.setAttribute('aria-label', 'States');
  }

  update(model: Model): void {
    const focused = this.element.contains(document.activeElement)
      ? document.activeElement?.getAttribute('data-state')
      : undefined;
    const chips = [...this.ofStates(model), ...this.ofIdle(model), ...this.ofFates(model), ...this.others(model)];
    fill(this.element, ...chips);
    if (focused) chips.find((chip) => chip.dataset.state === focused)?.focus();
  }

  private ofStates(model: Model): HTMLButtonElement[] {
    return states.flatMap((state, index) => {
      const count = model.totals[index] ?? 0;
      if (count === 0) return [];
      const words = [el('span', '', ` ${state} `), el('span', 'number', grouped(count))];
      const chip = button('chip', `Show or hide ${state}`, () => this.actions.toggleState(state), glyph(state), ...words);
      return [pressed(chip, state, !model.hidden.has(state))];
    });
  }

  /** Idle loops have one chip with their number and names. */
  private ofIdle(model: Model): HTMLButtonElement[] {
    if (model.idle.length === 0) return [];
    const all = model.idle.reduce((sum, [, count]) => sum + count, 0);
    const words = [el('span', '', ' idle loops '), el('span', 'number', grouped(all))];
    const chip = button('chip', `Show or hide ${idleWords(model)}`, () => this.actions.toggleIdle(), ...words);
    return [pressed(chip, 'idle', model.drawsIdle)];
  }

  private ofFates(model: Model): HTMLButtonElement[] {
    const totals = model.forest.head?.since?.totals;
    if (!totals) return [];
    return fates
      .filter((fate) => totals[fate] > 0)
      .map((fate) => {
        const words = [el('span', '', ` ${fate} `), el('span', 'number', grouped(totals[fate]))];
        const chip = button(
          'chip fate',
          `Show or hide what is ${fate} since the earlier look`,
          () => this.actions.toggleFate(fate),
          ...words,
        );
        return pressed(chip, fate, !model.hiddenFates.has(fate));
      });
  }

  private others(model: Model): HTMLButtonElement[] {
    const { names, frameworks } = model.hiddenFrames;
    const chips: HTMLButtonElement[] = [];
    if (model.hasFrameworks || frameworks) {
      const chip = button(
        'chip',
        'Show or hide frames of frameworks, and stacks without others',
        () => this.actions.toggleFrameworks(),
        el('span', '', 'frameworks'),
      );
      chips.push(pressed(chip, 'frameworks', !frameworks));
    }
    if (names.size > 0) {
      const all = [...names].map((name) => clip(name, 80)).join('\n');
      const chip = button(
        'chip',
        `Show again:\n${all}`,
        () => this.actions.hideName(undefined),
        el('span', '', `${counted(names.size, 'name')} hidden`),
      );
      chips.push(pressed(chip, 'names', false));
    }
    if (model.hasAges) {
      const chip = button(
        'chip',
        'The oldest first, in each list',
        () => this.actions.sortByAge(!model.oldestFirst),
        'oldest first',
      );
      chips.push(pressed(chip, 'oldest', model.oldestFirst));
      chip.classList.add('order');
    }
    return chips;
  }
}

function pressed(chip: HTMLButtonElement, state: string, on: boolean): HTMLButtonElement {
  chip.dataset.state = state;
  chip.setAttribute('aria-pressed', String(on));
  return chip;
}

/** `111 idle loops: 56 Kestrel receive, 55 Kestrel send`; empty without any. */
export function idleWords({ idle }: Model): string {
  if (idle.length === 0) return '';
  const all = idle.reduce((sum, [, count]) => sum + count, 0);
  return `${counted(all, 'idle loop')}: ${idle.map(([name, count]) => `${grouped(count)} ${clip(name, 60)}`).join(', ')}`;
}
