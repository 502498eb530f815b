// Everything about the selected box: its stacks, and the frames of one of them in full.

import { glyph } from '../draw/card';
import { button, el, fill, foreign, shape } from '../draw/dom';
import { endText } from '../layout/rows';
import { type Box, stacksIn } from '../merge/boxes';
import type { Model } from '../merge/model';
import { type AgeBar, ageBars, ageText } from '../model/ages';
import { fateWords } from '../model/fates';
import { clip, kindWords, placeOf } from '../model/names';
import { counted, times } from '../model/numbers';
import type { TreeFrame, TreeStack } from '../model/tree';
import type { Actions } from './actions';
import { editorLink } from './host';
import { Members } from './members';

const steps = { stacks: 12, frames: 60 } as const;

export class Details {
  readonly element = el('aside', 'details');
  private box: Box | undefined;
  private model: Model | undefined;
  private stack = -1;
  private shownStacks: number = steps.stacks;
  private shownFrames: number = steps.frames;
  /** The stack whose note is being written. */
  private noting = -1;
  readonly members: Members;

  constructor(
    private readonly actions: Actions,
    private readonly links: boolean,
    private readonly close: () => void,
  ) {
    this.members = new Members(actions, !links, () => this.draw());
    this.element.setAttribute('aria-label', 'Details of the selected box');
    this.element.hidden = true;
  }

  /** The stack whose frames are shown; -1 if there is none. */
  get current(): number {
    return this.stack;
  }

  /** Shows a stack by its number, wherever it is drawn. */
  showStack(model: Model, stack: number, box: Box | undefined): void {
    this.stack = stack;
    this.shownFrames = steps.frames;
    this.update(model, box);
  }

  /** Asks for the note of a stack. */
  askNote(model: Model, stack: number, box: Box | undefined): void {
    this.noting = stack;
    this.element.hidden = false;
    this.showStack(model, stack, box);
    this.element.querySelector<HTMLElement>('.noting input')?.focus();
  }

  update(model: Model, box: Box | undefined): void {
    if (box?.key !== this.box?.key || model !== this.model) {
      this.shownStacks = steps.stacks;
      this.shownFrames = steps.frames;
    }
    this.model = model;
    this.box = box;
    const stacks = box ? stacksIn(box, this.shownStacks + 1) : [];
    if (!stacks.includes(this.stack)) this.stack = stacks[0] ?? -1;
    this.draw();
  }

  private draw(): void {
    const { model, box } = this;
    this.element.hidden = !box;
    if (!box || !model) return;
    const more = button(
      'icon more',
      'More actions',
      () => {
        const place = more.getBoundingClientRect();
        this.actions.menu(this.stack, undefined, place.left, place.bottom);
      },
      shape('M2.5 6h.1M6 6h.1M9.5 6h.1', ''),
    );
    more.setAttribute('aria-haspopup', 'menu');
    const head = el(
      'div',
      'bar',
      el('h2', '', `${counted(box.count, 'stack')} in this box`),
      el('div', 'group', more, button('close', 'Close', this.close)),
    );
    const stack = model.forest.stacks[this.stack];
    this.members.show(stack);
    fill(
      this.element,
      head,
      this.stackList(model, box),
      stack && this.note(model, stack),
      stack && this.about(stack),
      this.members.draw(),
      stack && this.frameList(model, stack),
    );
  }

  private note(model: Model, stack: TreeStack): HTMLElement | undefined {
    const text = model.pins.of(stack);
    if (this.noting === this.stack) return this.noteInput(text ?? '');
    if (text === undefined) return undefined;
    const edit = button('link', text === '' ? 'Pinned; add a note' : 'Edit', () => {
      this.noting = this.stack;
      this.draw();
      this.element.querySelector<HTMLElement>('.noting input')?.focus();
    });
    return el('p', 'noted', ...(text === '' ? [] : [foreign('', clip(text, 2000)), ' ']), edit);
  }

  private noteInput(text: string): HTMLElement {
    const input = el('input', '');
    input.value = text;
    input.maxLength = 2000;
    input.setAttribute('aria-label', 'Note');
    input.placeholder = 'Note; kept in snapshots';
    const done = (keeps: boolean): void => {
      const { noting } = this;
      this.noting = -1;
      if (keeps) this.actions.pin(noting, input.value.trim());
      else this.draw();
    };
    input.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      done(event.key === 'Enter');
    });
    return el(
      'div',
      'noting',
      input,
      button('', 'Pin', () => done(true)),
    );
  }

  private stackList(model: Model, box: Box): HTMLElement {
    const numbers = stacksIn(box, this.shownStacks + 1);
    const list = el('ul', 'stacks');
    for (const number of numbers.slice(0, this.shownStacks)) {
      const stack = model.forest.stacks[number];
      if (stack) list.append(el('li', '', this.stackButton(stack, number)));
    }
    if (numbers.length > this.shownStacks) {
      const more = button('link', 'Show more stacks', () => {
        this.shownStacks *= 4;
        this.draw();
      });
      list.append(el('li', '', more));
    }
    return list;
  }

  private stackButton(stack: TreeStack, number: number): HTMLButtonElement {
    const words = el('span', 'words', foreign('id', clip(stack.id, 20)), ' ', el('span', 'count', times(stack.count)), ' ');
    words.append(foreign('', endText(stack)));
    const made = button('stack', `Show ${clip(stack.id, 20)}`, () => {
      this.stack = number;
      this.shownFrames = steps.frames;
      this.draw();
      this.element.querySelector<HTMLElement>('.stack[aria-pressed="true"]')?.focus();
    });
    made.replaceChildren(glyph(stack.state), words);
    made.setAttribute('aria-pressed', String(number === this.stack));
    return made;
  }

  private about(stack: TreeStack): HTMLElement {
    const list = el('dl', 'about');
    const say = (name: string, ...value: (Node | string)[]): void => {
      list.append(el('dt', '', name), el('dd', '', ...value));
    };
    const became = fateWords(stack);
    if (became !== '') say('Since the last look', became);
    say('State', stack.thread === undefined ? stack.state : `${stack.state}, thread ${stack.thread}`);
    if (stack.labelText) say('Works for', foreign('', clip(stack.labelText, 1000)));
    if (stack.wait) {
      const { text, type, address } = stack.wait;
      say('Waits for', foreign('', clip(text, 1000)));
      if (type || address) say('Object', foreign('mono', clip([type, address].filter(Boolean).join(' '), 600)));
      const others = [stack.wait.stack, ...(stack.wait.pending ?? [])].filter((id) => id !== undefined);
      if (others.length > 0) say('Stacks', ...this.stackLinks(others));
    }
    if (stack.age) {
      say(stack.count > 1 ? 'Oldest has waited' : 'Has waited', ageText(stack.age));
      const bars = ageBars(stack.age);
      if (bars.length > 0) say('Ages', histogram(bars));
    }
    if (stack.task) say('Task', foreign('mono', clip(stack.task, 40)));
    if (stack.awaitedBy && stack.awaitedBy.length > 0) say('Awaited by', ...this.stackLinks(stack.awaitedBy));
    return list;
  }

  private stackLinks(ids: readonly string[]): (Node | string)[] {
    const links: (Node | string)[] = ids
      .slice(0, 20)
      .flatMap((id) => [button('link', clip(id, 20), () => this.actions.goTo(id)), ' ']);
    if (ids.length > 20) links.push(`and ${counted(ids.length - 20, 'more')}`);
    return links;
  }

  private frameList(model: Model, stack: TreeStack): HTMLElement {
    const { forest } = model;
    const list = el('ol', 'frames');
    let index = 0;
    let shown = 0;
    for (let node = stack.node; node >= 0 && shown < this.shownFrames; node = forest.outer[node] ?? -1, shown++) {
      const frame = forest.frameOf(node);
      const line = this.frameLine(frame, this.stack, index);
      const locals = (this.members.locals ?? stack.locals)?.[String(index)];
      if (locals) line.append(variables(locals));
      list.append(line);
      index += Math.max(1, frame.frames ?? 1);
    }
    const rest = (stack.node < 0 ? 0 : (forest.depth[stack.node] ?? 0) + 1) - shown;
    if (rest > 0) {
      const more = button('link', `${counted(rest, 'more frame')}`, () => {
        this.shownFrames *= 5;
        this.draw();
      });
      list.append(el('li', '', more));
    }
    const title = el('h3', '', `${counted(stack.frames, 'frame')}, innermost first`);
    if (!stack.locals || stack.count === 1 || this.members.locals) return el('section', '', title, list);
    const words = `Each of these equal stacks has its own variables: these are of one of ${counted(stack.count, 'stack')}.`;
    return el('section', '', title, el('p', 'note of-one', words), list);
  }

  private frameLine(frame: TreeFrame, stack: number, index: number): HTMLElement {
    const name = foreign('name mono', clip(frame.method, 600));
    const line = el('li', frame.framework ? 'framework' : '');
    line.addEventListener('contextmenu', (event) => {
      event.preventDefault();
      this.actions.menu(stack, frame, event.clientX, event.clientY);
    });
    const place = placeOf(frame);
    const link = this.links ? editorLink(frame) : undefined;
    line.append(name);
    if (frame.repeat) line.append(' ', el('span', 'note', `\u21bb ${clip(frame.repeat, 80)}`));
    if (link) {
      const anchor = el('a', 'place', place);
      anchor.href = link;
      line.append(' ', anchor);
    } else if (place !== '')
      line.append(
        ' ',
        button('link place', place, () => this.actions.open(stack, index)),
      );
    const words = kindWords(frame);
    if (words !== '') line.append(' ', el('span', 'note', words));
    return line;
  }
}

/** Arguments and locals of a frame, if they were requested. */
function variables(locals: NonNullable<TreeStack['locals']>[string]): HTMLElement {
  const list = el('dl', 'locals');
  for (const { name, type, value } of locals.slice(0, steps.frames)) {
    const shown = el('dd', '', foreign('mono', clip(value, 400)));
    if (type) shown.title = clip(type, 400);
    list.append(el('dt', '', foreign('mono', clip(name, 100))), shown);
  }
  return list;
}

/** A line for each range of ages, as long as it has stacks. */
function histogram(bars: readonly AgeBar[]): HTMLElement {
  const list = el('ul', 'ages');
  for (const { label, stacks, part } of bars) {
    const bar = el('span', 'age');
    bar.style.width = `${Math.max(1, Math.round(part * 100))}px`;
    list.append(el('li', '', bar, ` ${times(stacks)} ${label}`));
  }
  return list;
}
