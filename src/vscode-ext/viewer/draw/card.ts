// A box as elements: head, frames, and what the stacks that end in it wait for. For screen readers it is a tree item
// whose name is its text.

import type { Item } from '../layout/items';
import { metrics, type Row, stateCounts } from '../layout/rows';
import { isStep } from '../model/links';
import { clip, kindWords, placeOf } from '../model/names';
import { grouped, times } from '../model/numbers';
import { deadlocked, filledStates, stateShapes } from '../model/states';
import type { StackState } from '../model/tree';
import { aloud, el, foreign, shape } from './dom';
import { type Highlights, isAccused, isHit } from './highlights';

/** What a card shows of its stacks besides their frames. */
export interface CardNotes {
  /** `oldest 4 min`, and how old that is, from 0 to 3. */
  readonly age?: { readonly text: string; readonly heat: number } | undefined;
  /** `3 stuck, 1 new`. */
  readonly fate?: string | undefined;
  /** The note of a pinned stack in it; empty if it is only pinned. */
  readonly pin?: string | undefined;
}

export function makeCard(item: Item, id: string, notes: CardNotes): HTMLElement {
  const card = el('div', item.box ? 'card' : item.beside ? 'card holder' : 'card more');
  card.id = id;
  card.setAttribute('role', 'treeitem');
  card.dataset.key = item.key;
  card.style.left = `${item.x}px`;
  card.style.top = `${item.y}px`;
  card.style.width = `${item.width}px`;
  card.style.height = `${item.height}px`;
  if (item.box || item.beside) card.append(makeHead(item, notes));
  if (notes.age) card.classList.add(`heat${notes.age.heat}`);
  if (notes.pin !== undefined) card.classList.add('pinned');
  item.rows.forEach((row, at) => {
    card.append(makeRow(row, item.heights[at] ?? metrics.row));
  });
  const worst = stateCounts(item.states)[0];
  if (worst && (item.box?.ends.length || item.beside)) card.classList.add('leaf', `is-${worst.state}`);
  if ((item.box?.states[deadlocked] ?? 0) > 0) card.classList.add(item.box?.ends.length ? 'ringed' : 'marked');
  setTreeItem(card, item);
  return card;
}

function setTreeItem(card: HTMLElement, item: Item): void {
  card.setAttribute('aria-level', String(item.level));
  card.setAttribute('aria-posinset', String(item.position));
  card.setAttribute('aria-setsize', String(item.siblings));
  if (item.beside) return;
  if (!item.box || item.box.children.length > 0) card.setAttribute('aria-expanded', String(item.open));
}

function makeHead(item: Item, notes: CardNotes): HTMLElement {
  const head = el('div', 'head', el('span', 'count', times(item.count)));
  const counts = stateCounts(item.states);
  const [only] = counts;
  for (const { state, count } of counts) {
    const mark = el('span', `state is-${state}`, glyph(state));
    if (counts.length === 1 && only) mark.append(el('span', '', ` ${state}`));
    else mark.append(el('span', '', ` ${grouped(count)}`), aloud(` ${state}`));
    mark.title = `${grouped(count)} ${state}`;
    head.append(mark);
  }
  if (notes.fate) head.append(el('span', 'fate', notes.fate));
  if (notes.age) head.append(el('span', 'old', shape(ageShape, 'heat'), ` ${notes.age.text}`));
  if (notes.pin !== undefined) head.append(pinMark(notes.pin));
  if (item.box && item.box.children.length > 0) head.append(foldMark(item));
  return head;
}

const ageShape = 'M2.5 1.5h7M2.5 10.5h7M3.5 1.5c0 3.5 5 5.5 5 9M8.5 1.5c0 3.5-5 5.5-5 9';

function pinMark(note: string): HTMLElement {
  const mark = el('span', 'pin', shape('M4 1.5h4l-.5 3.5l2 2h-7l2-2zM6 7v4', ''), aloud('pinned'));
  if (note !== '') mark.append(foreign('', ` ${clip(note, 60)}`));
  mark.title = note === '' ? 'Pinned' : note;
  return mark;
}

function foldMark(item: Item): HTMLElement {
  const branches = item.box?.children.length ?? 0;
  const mark = el('span', 'fold', shape(item.open ? 'M3 6h6' : 'M6 3v6M3 6h6', ''));
  if (!item.open) mark.append(el('span', '', grouped(branches)), aloud(branches === 1 ? ' branch' : ' branches'));
  mark.dataset.fold = '';
  mark.title = item.open ? 'Fold' : 'Unfold';
  return mark;
}

export function glyph(state: StackState): SVGSVGElement {
  return shape(stateShapes[state], `is-${state}`, filledStates.has(state));
}

function makeRow(row: Row, height: number): HTMLElement {
  const line = el('div', `row ${row.kind}`);
  line.style.height = `${height}px`;
  if (row.kind === 'frame') {
    line.dataset.frame = String(row.index);
    line.append(foreign('name', row.name));
    if (row.place !== '') line.append(' ', foreign('place', row.place));
    line.classList.toggle('framework', row.frame.framework === true);
    line.classList.toggle('elided', row.frame.kind === 'elided');
    line.classList.toggle('double', row.double === true);
    line.title = [clip(row.frame.method), placeOf(row.frame), kindWords(row.frame)].filter(Boolean).join('\n');
  } else if (row.kind === 'end') {
    line.append(glyph(row.state), foreign('name', row.text));
    if (row.count !== '') line.append(' ', el('span', 'count', row.count));
    line.title = row.text;
    line.classList.add(`is-${row.state}`);
    line.classList.toggle('double', height > metrics.row);
  } else {
    line.append(foreign('name', row.text));
    line.title = row.text;
    if (row.kind === 'gap') line.dataset.gap = '';
  }
  return line;
}

/** Shows selection and search hits on an existing card. */
export function decorate(card: HTMLElement, item: Item, highlights: Highlights): void {
  const selected = highlights.selected === item.key;
  card.classList.toggle('selected', selected);
  card.classList.toggle('accused', isAccused(item, highlights));
  card.setAttribute('aria-selected', String(selected));
  let at = item.box || item.beside ? 1 : 0;
  for (const row of item.rows) {
    const line = card.children[at++];
    line?.classList.toggle('step', row.kind === 'frame' && isStep(highlights.finding?.record, row.frame));
    line?.classList.toggle('hit', isHit(row, item, highlights));
    line?.classList.toggle('current', selected && row.kind === 'frame' && row.index === highlights.frame);
  }
}
