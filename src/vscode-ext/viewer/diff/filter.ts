// Which groups a person wants to see: words that all occur in a group, and fates of which one does.
import type { DiffRow } from '../model/diff';
import { type Fate, hasFate } from './fates';

export interface Filter {
  readonly words: string;
  readonly fates: ReadonlySet<Fate>;
}

/** What the rows of all pages say of a group. */
export type GroupRow = Pick<DiffRow, 'id' | 'state' | 'name' | 'wait' | 'waitDetail' | 'labels' | 'frames' | 'more'>;

export function matches(row: DiffRow, { words, fates }: Filter): boolean {
  return (fates.size === 0 || hasFate(row, fates)) && hasWords(row, words);
}

export function hasWords(row: GroupRow, words: string): boolean {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (wanted.length === 0) return true;
  const text = textOf(row);
  return wanted.every((word) => text.includes(word));
}

function textOf(row: GroupRow): string {
  const frames = row.frames.map(({ method, place }) => `${method} ${place ?? ''}`);
  return [row.id, row.name, row.state, row.wait, row.waitDetail, row.labels, ...frames].join('\n').toLowerCase();
}
