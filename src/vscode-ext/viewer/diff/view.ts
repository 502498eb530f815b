// The page of a comparison: in a sentence, then findings, queues, and groups as rows.
import { button, el, fill, foreign, shape } from '../draw/dom';
import type { DiffFinding, DiffPage } from '../model/diff';
import { clip } from '../model/names';
import { counted, grouped } from '../model/numbers';
import { signs } from '../shell/banner';
import { targetWords } from '../shell/header';
import { themeButton } from '../shell/shell';
import { makeBar, makePatterns } from './bars';
import { type Fate, fateMeanings, fateShapes, fates, wordsOf } from './fates';
import { matches } from './filter';
import { problemList } from './problems';
import { makeRow } from './row';
import { focusOnSlash, makeSearch } from './search';

/** So many rows are drawn at once. */
const step = 200;

export class DiffView {
  private readonly list = el('ol', 'rows');
  private readonly note = el('p', 'note');
  private readonly more = button('link more', 'more groups', () => this.show(this.shown + step));
  private readonly search = makeSearch(() => this.show(step));
  private readonly chosen = new Set<Fate>();
  private readonly most: number;
  private readonly names: ReadonlyMap<string, string>;
  private shown = step;

  constructor(
    root: HTMLElement,
    private readonly page: DiffPage,
  ) {
    this.most = Math.max(1, ...page.groups.map(({ counts }) => Math.max(counts.before, counts.after)));
    this.names = new Map(page.groups.map(({ id, name }) => [id, name]));
    this.note.setAttribute('role', 'status');
    root.classList.add('async2-viewer', 'diff');
    fill(
      root,
      makePatterns(),
      el('header', '', el('div', 'top', this.head(), el('div', 'tools', themeButton())), this.tools()),
      el('main', 'sheet', this.totals(), this.findings(), this.queues(), this.groups(), this.problems()),
    );
    focusOnSlash(this.search);
    this.show(step);
  }

  private head(): HTMLElement {
    const { before, after, filter, complete } = this.page;
    const facts = el(
      'p',
      'facts',
      'before: ',
      foreign('', targetWords(before)),
      ' \u00b7 after: ',
      foreign('', targetWords(after)),
    );
    if (filter !== undefined) facts.append(' \u00b7 only ', foreign('', clip(filter, 200)));
    if (!complete) facts.append(' \u00b7 ', el('strong', '', 'partial answer: what is new or gone may be neither'));
    return el('div', 'header', el('h1', '', foreign('', clip(this.page.verdict, 600))), facts);
  }

  private tools(): HTMLElement {
    const chips = el('div', 'chips');
    chips.setAttribute('role', 'group');
    chips.setAttribute('aria-label', 'Only groups with');
    for (const fate of fates) chips.append(this.chip(fate));
    return el('div', 'toolbar', this.search, chips, this.note);
  }

  private chip(fate: Fate): HTMLButtonElement {
    const count = wordsOf(this.page.totals).find((part) => part.fate === fate)?.count ?? 0;
    const made = button(
      `chip fate is-${fate}`,
      `Only groups in which something is ${fate}: ${fateMeanings[fate]}`,
      () => {
        if (!this.chosen.delete(fate)) this.chosen.add(fate);
        made.setAttribute('aria-pressed', String(this.chosen.has(fate)));
        this.show(step);
      },
      shape(fateShapes[fate], '', fate === 'stuck'),
      ` ${grouped(count)} ${fate}`,
    );
    made.setAttribute('aria-pressed', 'false');
    return made;
  }

  private totals(): HTMLElement {
    const { totals } = this.page;
    const scale = el(
      'p',
      'scale',
      el('span', '', `${counted(totals.before, 'stack')} before`),
      el('span', '', `${counted(totals.after, 'stack')} after`),
    );
    return el('section', 'all', el('h2', 'aloud', 'All stacks'), makeBar(totals, Math.max(totals.before, totals.after)), scale);
  }

  private findings(): HTMLElement | undefined {
    const { findings } = this.page;
    if (findings.length === 0) return undefined;
    const list = el('ul', 'list');
    for (const finding of findings) list.append(findingLine(finding));
    return el('section', '', el('h2', '', 'Findings'), list);
  }

  private queues(): HTMLElement | undefined {
    const { queues } = this.page;
    if (queues.length === 0) return undefined;
    const list = el('ul', 'list queues');
    for (const { name, before, after } of queues) {
      const way = after > before ? 'grew' : 'shrank';
      const sign = after > before ? 'M6 10v-8M2.5 5.5l3.5 -3.5l3.5 3.5' : 'M6 2v8M2.5 6.5l3.5 3.5l3.5 -3.5';
      list.append(
        el(
          'li',
          '',
          shape(sign, ''),
          ` ${way} `,
          foreign('mono', clip(name, 300)),
          el('span', 'numbers', `${grouped(before)} \u2192 ${grouped(after)} waiting`),
        ),
      );
    }
    return el('section', '', el('h2', '', 'Who waits for what'), list);
  }

  private groups(): HTMLElement {
    const head = el('p', 'scale', el('span', '', 'before'), el('span', '', 'after'));
    return el('section', 'groups', el('h2', '', 'Groups of equal stacks'), head, this.list, this.more);
  }

  private problems(): HTMLElement | undefined {
    const { problems, idle } = this.page;
    return problemList(
      problems,
      idle > 0 ? [`${counted(idle, 'idle loop')} of frameworks not shown: --include-framework shows them`] : [],
    );
  }

  private show(limit: number): void {
    const filter = { words: this.search.value, fates: this.chosen };
    const found = this.page.groups.filter((row) => matches(row, filter));
    this.shown = limit;
    fill(
      this.list,
      ...found
        .slice(0, limit)
        .map((row) => makeRow(row, this.most, { goTo: (id) => this.goTo(id), nameOf: (id) => this.names.get(id) ?? '' })),
    );
    this.more.hidden = found.length <= limit;
    this.more.textContent = `${counted(found.length - limit, 'more group')}`;
    const all = counted(this.page.groups.length, 'group');
    this.note.textContent = found.length === this.page.groups.length ? all : `${grouped(found.length)} of ${all}`;
  }

  /** A group that the filter hides is shown without it. */
  private goTo(id: string): void {
    if (!document.getElementById(`group-${id}`)) {
      this.search.value = '';
      this.chosen.clear();
      for (const chip of document.querySelectorAll('.chip')) chip.setAttribute('aria-pressed', 'false');
      this.show(this.page.groups.length);
    }
    const row = document.getElementById(`group-${id}`);
    row?.scrollIntoView({ block: 'center' });
    row?.querySelector<HTMLElement>('.title')?.focus();
  }
}

function findingLine({ change, severity, confidence, rule, text }: DiffFinding): HTMLElement {
  const fate = change === 'still' ? 'stuck' : change;
  return el(
    'li',
    `finding is-${severity} was-${change}`,
    el('span', 'change', shape(fateShapes[fate], '', fate === 'stuck'), ` ${change}`),
    ' ',
    shape(signs[severity], 'severity'),
    el('strong', '', ` ${severity}: ${clip(rule, 60)}`),
    ' ',
    foreign('', clip(text, 1000)),
    el('span', 'note', ` (${confidence})`),
  );
}
