// What each of equal stacks has for itself, one after the other, and how far their variables differ.
import { button, el, foreign } from '../draw/dom';
import { ageText } from '../model/ages';
import { clip } from '../model/names';
import { counted, grouped } from '../model/numbers';
import type { EqualRecord, MemberRecord, TreeStack } from '../model/tree';
import type { Actions } from './actions';

const mostValues = 3;
const mostSpread = 40;

export class Members {
  private stack: TreeStack | undefined;
  private equal: EqualRecord | undefined;
  /** Index of the first of `equal`. */
  private start = 0;
  private at = 0;
  private state: 'none' | 'asked' | 'failed' = 'none';
  private why = '';

  constructor(
    private readonly actions: Actions,
    /** Somebody can be asked for more. */
    private readonly canAsk: boolean,
    private readonly changed: () => void,
  ) {}

  /** Another stack. */
  show(stack: TreeStack | undefined): void {
    if (stack?.id === this.stack?.id && stack?.task === this.stack?.task) return;
    this.stack = stack;
    this.equal = stack?.equal;
    this.start = 0;
    this.at = 0;
    this.state = 'none';
  }

  receive(stack: string, start: number, equal: EqualRecord | undefined, failed: string | undefined): void {
    if (stack !== this.stack?.id || this.state !== 'asked') return;
    this.state = equal ? 'none' : 'failed';
    this.why = failed ?? 'there is no answer';
    if (equal) {
      this.equal = equal;
      this.start = start;
      this.at = start;
    }
    this.changed();
  }

  /** Variables of the member that is shown, by the index of their frame; undefined for those of the stack itself. */
  get locals(): MemberRecord['locals'] {
    return this.current?.locals;
  }

  get current(): MemberRecord | undefined {
    return this.equal?.members[this.at - this.start];
  }

  draw(): HTMLElement | undefined {
    const { stack } = this;
    if (!stack || stack.count < 2) return undefined;
    const section = el('section', 'members', el('h3', '', `${counted(stack.count, 'equal stack')}`));
    if (!this.equal) {
      section.append(this.asking(stack));
      return section;
    }
    section.append(this.pager(stack), this.about());
    if (this.state === 'failed') section.append(el('p', 'note', clip(this.why, 300)));
    const spread = this.spread(this.equal);
    if (spread)
      section.append(
        el('h3', '', `Variables that differ${this.equal.read === undefined ? '' : `, of ${counted(this.equal.read, 'stack')}`}`),
        spread,
      );
    return section;
  }

  private asking(stack: TreeStack): HTMLElement {
    if (this.state === 'failed') return el('p', 'note', clip(this.why, 300));
    if (!this.canAsk) return el('p', 'note', 'A page that is written with --locals shows their variables.');
    if (this.state === 'asked') return el('p', 'note', 'Reading them\u2026');
    return button('link', 'Read each one and compare their variables', () => this.ask(stack, 0));
  }

  private ask({ id }: TreeStack, start: number): void {
    this.state = 'asked';
    this.actions.members(id, start);
    this.changed();
  }

  private pager(stack: TreeStack): HTMLElement {
    const last = this.canAsk ? stack.count - 1 : this.start + (this.equal?.members.length ?? 1) - 1;
    const previous = button('icon previous', '\u2039', () => this.go(stack, this.at - 1, 'previous'));
    const next = button('icon next', '\u203a', () => this.go(stack, this.at + 1, 'next'));
    previous.setAttribute('aria-label', 'Previous of the equal stacks');
    next.setAttribute('aria-label', 'Next of the equal stacks');
    previous.disabled = this.at <= 0;
    next.disabled = this.at >= last;
    const words = last + 1 < stack.count ? ` (the ${grouped(last + 1)} oldest are in this page)` : '';
    return el(
      'div',
      'pager',
      previous,
      el('span', 'note', `${grouped(this.at + 1)} of ${grouped(stack.count)}, oldest first${words}`),
      next,
    );
  }

  private go(stack: TreeStack, to: number, from: string): void {
    const { members } = this.equal ?? { members: [] };
    if (to < 0) return;
    if (to < this.start || to >= this.start + members.length)
      this.ask(stack, to < this.start ? Math.max(0, to - members.length + 1) : to);
    else {
      this.at = to;
      this.changed();
    }
    document.querySelector<HTMLElement>(`.members .${from}`)?.focus();
  }

  private about(): HTMLElement {
    const list = el('dl', 'about');
    const { current } = this;
    const say = (name: string, text: string): void => {
      list.append(el('dt', '', name), el('dd', '', foreign('', clip(text, 600))));
    };
    for (const [name, value] of Object.entries(current?.labels ?? {}).slice(0, 8)) say(name, value);
    if (current?.age) say('Has waited', ageText(current.age));
    if (current?.task) say('Task', current.task);
    return list;
  }

  /** `customer: 497 different`. */
  private spread({ spread }: EqualRecord): HTMLElement | undefined {
    if (!spread || spread.length === 0) return undefined;
    const list = el('dl', 'spread');
    for (const { name, values, of, largest } of spread.slice(0, mostSpread)) {
      const common = (largest ?? []).slice(0, mostValues).map(({ value, count }) => `${clip(value, 40)} (${grouped(count)})`);
      const words = [`${grouped(values)} different${values === of ? '' : ` of ${grouped(of)}`}`, ...common].join(', ');
      list.append(el('dt', '', foreign('mono', clip(name, 60))), el('dd', '', foreign('', words)));
    }
    return list;
  }
}
