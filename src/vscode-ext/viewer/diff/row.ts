// A group of stacks: what became of it as a bar and in words, where its operations went, and its frames.
import { glyph } from '../draw/card';
import { aloud, button, el, fill, foreign, shape } from '../draw/dom';
import type { DiffRow } from '../model/diff';
import { clip } from '../model/names';
import { counted, grouped } from '../model/numbers';
import { makeBar } from './bars';
import { fateShapes, wordsOf } from './fates';
import type { GroupRow } from './filter';

/** More ways are counted. */
const mostWays = 6;

export interface RowActions {
  /** Shows another group, and goes there. */
  goTo(id: string): void;
  nameOf(id: string): string;
}

/** The line that opens the frames of a group, and these. */
export function makeTitle(row: GroupRow): { readonly title: HTMLElement; readonly frames: HTMLElement } {
  const frames = el('ol', 'frames');
  frames.hidden = true;
  const press = (): void => {
    if (frames.childElementCount === 0) fillFrames(frames, row);
    frames.hidden = !frames.hidden;
    title.setAttribute('aria-expanded', String(!frames.hidden));
  };
  const title = button(
    'title',
    'Show its frames',
    press,
    shape('M4.5 2.5l4 3.5l-4 3.5', 'twist'),
    glyph(row.state),
    el('span', 'id', row.id),
    foreign('mono name', clip(row.name, 200)),
    row.wait === undefined ? undefined : el('span', 'wait', 'waits for ', foreign('', clip(row.wait, 120))),
  );
  title.setAttribute('aria-expanded', 'false');
  return { title, frames };
}

export function makeRow(row: DiffRow, most: number, actions: RowActions): HTMLElement {
  const { title, frames } = makeTitle(row);
  const { counts } = row;
  const numbers = el(
    'span',
    'numbers',
    grouped(counts.before),
    aloud(' before, '),
    el('span', 'arrow', '\u2192'),
    grouped(counts.after),
    aloud(' after'),
  );
  numbers.querySelector('.arrow')?.setAttribute('aria-hidden', 'true');
  const made = el(
    'li',
    `row${counts.stuck > 0 ? ' has-stuck' : ''}`,
    el('div', 'line', title, numbers),
    makeBar(counts, most),
    wordLine(row),
    wayLine(row, actions),
    row.labels === undefined ? undefined : el('p', 'labels', foreign('', clip(row.labels, 400))),
    frames,
  );
  made.id = `group-${row.id}`;
  return made;
}

function wordLine(row: DiffRow): HTMLElement {
  const line = el('p', 'words');
  const parts = wordsOf(row.counts);
  for (const { fate, words } of parts) {
    const known = fate === 'stuck' && row.known !== undefined ? ` (known by ${row.known})` : '';
    line.append(el('span', `fate is-${fate}`, shape(fateShapes[fate], '', fate === 'stuck'), ` ${words}${known}`));
  }
  if (parts.length === 0) line.append('no change');
  return line;
}

function wayLine(row: DiffRow, actions: RowActions): HTMLElement | undefined {
  const ways = row.ways ?? [];
  if (ways.length === 0) return undefined;
  const line = el('p', 'ways');
  for (const { to, count } of ways.slice(0, mostWays)) {
    if (to === row.id) line.append(el('span', 'way', `${grouped(count)} came back to it`));
    else
      line.append(
        el(
          'span',
          'way',
          `${grouped(count)} went on to `,
          button('link', `Go to ${to}`, () => actions.goTo(to), `${to} `, foreign('', clip(actions.nameOf(to), 120))),
        ),
      );
  }
  if (ways.length > mostWays) line.append(el('span', 'way', `and ${counted(ways.length - mostWays, 'other way')}`));
  return line;
}

function fillFrames(list: HTMLElement, row: GroupRow): void {
  const wait =
    row.waitDetail === undefined ? undefined : el('li', 'waits', 'waits for ', foreign('', clip(row.waitDetail, 1000)));
  fill(
    list,
    wait,
    ...row.frames.map(({ method, place, framework }) =>
      el(
        'li',
        framework ? 'framework' : '',
        foreign('mono', clip(method, 600)),
        place === undefined ? undefined : el('span', 'place', foreign('', clip(place, 120))),
      ),
    ),
    row.more === undefined ? undefined : el('li', 'framework', `and ${counted(row.more, 'more frame')} further out`),
  );
}
