// The menu of a stack and one of its frames, by the right button, the menu key, or the button in the details.
import { button, el, fill, foreign } from '../draw/dom';
import type { Model } from '../merge/model';
import { namespaceOf } from '../model/hidden';
import { clip, shortName } from '../model/names';
import type { TreeFrame } from '../model/tree';
import type { Actions } from './actions';

interface Entry {
  readonly text: string;
  readonly act: () => void;
}

export class Menu {
  readonly element = el('div', 'menu');
  /** Gets the focus back. */
  private before: HTMLElement | undefined;

  constructor(
    private readonly actions: Actions,
    /** Shown in an editor: there is a Call Stack view. */
    private readonly panel: boolean,
    /** Asks for the note of a stack. */
    private readonly askNote: (stack: number) => void,
  ) {
    this.element.setAttribute('role', 'menu');
    this.element.setAttribute('aria-label', 'Stack');
    this.element.hidden = true;
    this.element.addEventListener('keydown', (event) => this.press(event));
    this.element.addEventListener('focusout', (event) => {
      if (!(event.relatedTarget instanceof Node) || !this.element.contains(event.relatedTarget)) this.close(false);
    });
  }

  open(model: Model, stack: number, frame: TreeFrame | undefined, x: number, y: number): void {
    const groups = [this.ofStack(model, stack), this.ofFrame(frame), this.ofLabels(model, stack)].filter(
      (group) => group.length > 0,
    );
    fill(
      this.element,
      ...groups.map((group) => {
        const list = el('div', 'entries', ...group.map((entry) => this.item(entry)));
        list.setAttribute('role', 'group');
        return list;
      }),
    );
    this.before = document.activeElement instanceof HTMLElement ? document.activeElement : undefined;
    this.element.hidden = false;
    const { offsetWidth, offsetHeight } = this.element;
    this.element.style.left = `${Math.max(4, Math.min(x, innerWidth - offsetWidth - 4))}px`;
    this.element.style.top = `${Math.max(4, Math.min(y, innerHeight - offsetHeight - 4))}px`;
    this.items[0]?.focus();
  }

  close(givesBack = true): boolean {
    if (this.element.hidden) return false;
    this.element.hidden = true;
    if (givesBack) this.before?.focus();
    return true;
  }

  private get items(): HTMLElement[] {
    return [...this.element.querySelectorAll<HTMLElement>('[role=menuitem]')];
  }

  private item({ text, act }: Entry): HTMLButtonElement {
    const made = button('entry', text, () => {
      this.close();
      act();
    });
    fill(made, foreign('', text));
    made.setAttribute('role', 'menuitem');
    made.tabIndex = -1;
    return made;
  }

  private ofStack(model: Model, stack: number): Entry[] {
    const { actions } = this;
    const one = model.forest.stacks[stack];
    if (!one) return [];
    const isPinned = model.pins.of(one) !== undefined;
    return [
      ...(this.panel ? [{ text: 'Focus in Call Stack', act: () => actions.focusStack(stack) }] : []),
      { text: 'Copy stack as text', act: () => actions.copy(stack, 'text') },
      { text: 'Copy stack as Markdown', act: () => actions.copy(stack, 'markdown') },
      { text: 'Copy link', act: () => actions.copy(stack, 'link') },
      ...(one.key === undefined
        ? []
        : [{ text: isPinned ? 'Edit note\u2026' : 'Pin with a note\u2026', act: () => this.askNote(stack) }]),
      ...(isPinned ? [{ text: 'Remove pin', act: () => actions.pin(stack, undefined) }] : []),
    ];
  }

  private ofFrame(frame: TreeFrame | undefined): Entry[] {
    const { actions } = this;
    if (!frame) return [];
    const name = clip(shortName(frame), 60);
    const space = namespaceOf(frame);
    return [
      { text: `Only through ${name}`, act: () => actions.onlyThrough(frame) },
      { text: `Callers and callees of ${name}`, act: () => actions.around(frame) },
      { text: `Hide ${name}`, act: () => actions.hideName(frame.method) },
      ...(space === undefined ? [] : [{ text: `Hide ${clip(space, 60)}*`, act: () => actions.hideName(space) }]),
    ];
  }

  private ofLabels({ forest }: Model, stack: number): Entry[] {
    const labels = forest.stacks[stack]?.labels ?? {};
    return ['route', 'trace'].flatMap((label) => {
      const value = labels[label];
      return value === undefined
        ? []
        : [{ text: `Only ${label} ${clip(value, 60)}`, act: () => this.actions.filterLabel(label, value) }];
    });
  }

  private press(event: KeyboardEvent): void {
    const { items } = this;
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = {
      ArrowDown: (at + 1) % items.length,
      ArrowUp: (at - 1 + items.length) % items.length,
      Home: 0,
      End: items.length - 1,
    }[event.key];
    if (to !== undefined) items[to]?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') this.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
