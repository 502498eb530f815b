// The first line: the summary, the totals, and whether something is missing.

import { button, el, fill, foreign } from '../draw/dom';
import type { Model } from '../merge/model';
import { sinceWords } from '../model/fates';
import { clip } from '../model/names';
import { counted, times } from '../model/numbers';
import type { TreeHead } from '../model/tree';
import type { Actions } from './actions';

const mostLines = 200;

type Opened = 'problems' | 'findings' | 'gone';

export class Header {
  readonly element = el('div', 'header');
  private opened: Opened | undefined;
  private model: Model | undefined;

  constructor(private readonly actions: Actions) {}

  update(model: Model): void {
    this.model = model;
    const { head, complete } = model.forest;
    if (!head) {
      fill(this.element, el('h1', 'verdict', 'Async stacks'));
      return;
    }
    const title = el('h1', 'verdict', foreign('', clip(head.verdict, 600)));
    fill(this.element, title, this.facts(head, complete), this.capture(head), this.since(head), this.list(head));
  }

  private since(head: TreeHead): HTMLElement | undefined {
    const { since } = head;
    if (!since) return undefined;
    const line = el('p', 'facts since', foreign('', sinceWords(since)));
    if (since.gone.length > 0) line.append(' ', this.opener('gone', 'what is gone'));
    return line;
  }

  /** Where and when it was read, and of what. */
  private capture({ capture }: TreeHead): HTMLElement | undefined {
    if (!capture) return undefined;
    const { takenAt, host, commandLine } = capture;
    const words = [takenAt && `read ${dateOf(takenAt)}`, host && `on ${clip(host, 100)}`].filter(Boolean).join(' ');
    const line = el('p', 'facts capture', foreign('', words));
    if (commandLine) line.append(words === '' ? '' : ' \u00b7 ', titledCode(commandLine));
    return words === '' && !commandLine ? undefined : line;
  }

  private facts(head: TreeHead, complete: boolean): HTMLElement {
    const { totals, target } = head;
    const facts = el('p', 'facts', foreign('', targetWords(target)));
    const shown = this.model?.tree.count ?? totals.stacks;
    const of = shown === totals.stacks || !complete ? '' : ` of ${counted(totals.stacks, 'stack')} shown`;
    const amount = of === '' ? counted(totals.stacks, 'stack') : counted(shown, '', '').trim() + of;
    facts.append(` \u00b7 ${amount}, ${counted(totals.groups, 'group')}, ${counted(totals.frames, 'frame')}`);
    if (!complete) facts.append(' \u00b7 ', el('strong', 'loading', 'more is being loaded'));
    if (head.findings.length > 0) facts.append(' ', this.opener('findings', counted(head.findings.length, 'finding')));
    const problems = counted(head.problems.length, 'problem');
    const partial = head.complete ? problems : `partial answer: ${head.problems.length > 0 ? problems : 'stacks are missing'}`;
    if (head.problems.length > 0 || !head.complete) facts.append(' ', this.opener('problems', partial));
    return facts;
  }

  private opener(what: Opened, text: string): HTMLButtonElement {
    const made = button(`opener ${what}`, text, () => {
      this.opened = this.opened === what ? undefined : what;
      if (this.model) this.update(this.model);
      this.element.querySelector<HTMLElement>(`.opener.${what}`)?.focus();
    });
    made.setAttribute('aria-expanded', String(this.opened === what));
    return made;
  }

  private list(head: TreeHead): HTMLElement | undefined {
    if (!this.opened) return undefined;
    const list = el('ul', 'list');
    list.tabIndex = 0;
    list.setAttribute('aria-label', { problems: 'Problems', findings: 'Findings', gone: 'What is gone' }[this.opened]);
    const all = this.opened === 'problems' ? this.problems(head) : this.opened === 'gone' ? this.gone(head) : this.findings(head);
    list.append(...all.slice(0, mostLines));
    if (all.length > mostLines) list.append(el('li', '', `${counted(all.length - mostLines, 'more line')} not shown`));
    return list;
  }

  private problems(head: TreeHead): HTMLElement[] {
    if (head.problems.length === 0) return [el('li', '', 'Stacks are known to be missing from this answer.')];
    return head.problems.map((problem) => {
      const line = el('li', '', el('code', '', clip(problem.code, 60)), ' ', foreign('', clip(problem.text, 1000)));
      if (problem.address) line.append(' ', el('code', '', clip(problem.address, 40)));
      return line;
    });
  }

  private gone({ since }: TreeHead): HTMLElement[] {
    const lines = (since?.gone ?? []).map(({ count, name, wait, frames }) => {
      const line = el(
        'li',
        '',
        el('span', 'count', times(count)),
        ' ',
        foreign('', clip(name, 200)),
        wait ? foreign('note', ` waited for ${clip(wait, 300)}`) : undefined,
      );
      line.title = frames.map(({ method, place }) => clip(`${method} ${place ?? ''}`, 300)).join('\n');
      return line;
    });
    return since?.moreGone ? [...lines, el('li', '', `${counted(since.moreGone, 'more stack')} gone`)] : lines;
  }

  private findings(head: TreeHead): HTMLElement[] {
    return head.findings.map((finding) => {
      const line = el(
        'li',
        finding.severity === 'error' ? 'is-error' : '',
        el('code', '', clip(finding.rule, 60)),
        ' ',
        button(
          'link finding',
          `Show ${clip(finding.rule, 60)} in the picture`,
          () => this.actions.showFinding(finding),
          foreign('', clip(finding.text, 1000)),
        ),
      );
      for (const stack of finding.stacks.slice(0, 12))
        line.append(
          ' ',
          button('link', clip(stack, 20), () => this.actions.goTo(stack)),
        );
      if (finding.stacks.length > 12) line.append(` and ${counted(finding.stacks.length - 12, 'more stack')}`);
      return line;
    });
  }
}

export function targetWords(target: TreeHead['target']): string {
  const name = clip(target.path?.split(/[\\/]/).pop() ?? '', 80);
  const what = target.pid === undefined ? `${target.kind} ${name}`.trim() : `${target.kind} ${target.pid} ${name}`.trim();
  const runtime = clip(target.runtime ?? '', 60);
  return runtime === '' ? what : `${what}, ${/^\d/.test(runtime) ? `.NET ${runtime}` : runtime}`;
}

/** `2026-11-25 12:03:44`, by the reader's clock. */
function dateOf(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return clip(iso, 40);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${time.toTimeString().slice(0, 8)}`;
}

function titledCode(text: string): HTMLElement {
  const code = el('code', 'command', foreign('', clip(text, 200)));
  code.title = clip(text, 4000);
  return code;
}
