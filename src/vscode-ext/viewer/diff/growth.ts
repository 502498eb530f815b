// The page of what only grows: in a sentence, then each group with a line of how many every look has.
import { aloud, button, el, fill, foreign, svg } from '../draw/dom';
import type { GrowthPage, GrowthRow } from '../model/growth';
import { clip } from '../model/names';
import { counted, grouped } from '../model/numbers';
import { targetWords } from '../shell/header';
import { themeButton } from '../shell/shell';
import { hasWords } from './filter';
import { problemList } from './problems';
import { makeTitle } from './row';
import { focusOnSlash, makeSearch } from './search';

/** So many rows are drawn at once. */
const step = 200;

/** Of more looks, so many are listed in words: the first, and the last ones. */
const mostWords = 12;

export class GrowthView {
  private readonly list = el('ol', 'rows');
  private readonly note = el('p', 'note');
  private readonly more = button('link more', 'more groups', () => this.show(this.shown + step));
  private readonly search = makeSearch(() => this.show(step));
  private shown = step;

  constructor(
    root: HTMLElement,
    private readonly page: GrowthPage,
  ) {
    this.note.setAttribute('role', 'status');
    root.classList.add('async2-viewer', 'diff');
    fill(
      root,
      el(
        'header',
        '',
        el('div', 'top', this.head(), el('div', 'tools', themeButton())),
        el('div', 'toolbar', this.search, this.note),
      ),
      el('main', 'sheet', this.totals(), this.groups(), problemList(page.problems, [])),
    );
    focusOnSlash(this.search);
    this.show(step);
  }

  private head(): HTMLElement {
    const { first, last, filter, complete } = this.page;
    const facts = el('p', 'facts', 'first: ', foreign('', targetWords(first)), ' \u00b7 last: ', foreign('', targetWords(last)));
    if (filter !== undefined) facts.append(' \u00b7 only ', foreign('', clip(filter, 200)));
    if (!complete)
      facts.append(' \u00b7 ', el('strong', '', 'partial answer: a group may have grown because it was not seen before'));
    return el('div', 'header', el('h1', '', foreign('', clip(this.page.verdict, 600))), facts);
  }

  private totals(): HTMLElement {
    const { stacks } = this.page;
    return el('section', 'all', el('h2', '', 'All stacks, in each look'), countLine(stacks, 'All stacks'));
  }

  private groups(): HTMLElement {
    const { groups, rest } = this.page;
    const hint =
      groups.length === 0
        ? 'No group only grows.'
        : 'These never shrink from one look to the next, and are more at the end. A program that warms up does so, too: look again later. Each line has a scale of its own, from 0.';
    return el(
      'section',
      'groups',
      el('h2', '', 'Groups that only grow'),
      el('p', 'hint', hint),
      this.list,
      this.more,
      rest === 0 ? undefined : el('p', 'hint', `and ${counted(rest, 'more group')}: --limit shows them`),
    );
  }

  private show(limit: number): void {
    const { groups, others, rest } = this.page;
    const found = groups.filter((row) => hasWords(row, this.search.value));
    this.shown = limit;
    fill(this.list, ...found.slice(0, limit).map(makeGrowthRow));
    this.more.hidden = found.length <= limit;
    this.more.textContent = counted(found.length - limit, 'more group');
    const all = `${grouped(groups.length)} of ${counted(groups.length + rest + others, 'group')}`;
    this.note.textContent =
      found.length === groups.length ? all : `${grouped(found.length)} of ${counted(groups.length, 'group')}`;
  }
}

function makeGrowthRow(row: GrowthRow): HTMLElement {
  const { title, frames } = makeTitle(row);
  const labels = row.labels === undefined ? undefined : el('p', 'labels', foreign('', clip(row.labels, 400)));
  const made = el(
    'li',
    'row grows',
    el('div', 'line', title, el('span', 'numbers', row.pace)),
    countLine(row.counts, row.name),
    labels,
    frames,
  );
  made.id = `group-${row.id}`;
  return made;
}

/** A small line of counts, from 0 to the most, between the first number and the last one. */
export function countLine(counts: readonly number[], name: string): HTMLElement {
  const most = Math.max(1, ...counts);
  const points = pointsOf(counts, most);
  const picture = svg(
    'svg',
    { class: 'curve', viewBox: '0 0 100 100', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    svg('path', { class: 'area', d: `M0 100L${points.map(([x, y]) => `${x} ${y}`).join('L')}L100 100z` }),
    svg('path', { class: 'stroke', d: `M${points.map(([x, y]) => `${x} ${y}`).join('L')}` }),
  );
  const line = el(
    'p',
    'counts',
    el('span', 'end', grouped(counts[0] ?? 0)),
    picture,
    el('span', 'end now', grouped(counts.at(-1) ?? 0)),
    aloud(`${clip(name, 120)}: ${wordsOf(counts)}`),
  );
  line.title = wordsOf(counts);
  for (const end of line.querySelectorAll('.end')) end.setAttribute('aria-hidden', 'true');
  return line;
}

/** On a square of 100 x 100, the top of which is the most. */
export function pointsOf(counts: readonly number[], most: number): readonly (readonly [x: number, y: number])[] {
  const last = Math.max(1, counts.length - 1);
  return counts.map((count, i) => [round((i / last) * 100), round(100 - (count / Math.max(1, most)) * 96)]);
}

/** `5, 10, 15, 20 stacks`; of many looks the first and the last ones. */
export function wordsOf(counts: readonly number[]): string {
  const all = counts.map(grouped);
  const listed = all.length <= mostWords ? all : [...all.slice(0, 1), '...', ...all.slice(2 - mostWords)];
  return `${listed.join(', ')} stacks`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
