// What can become of stacks: words, shapes and colours. Each fate has a shape and a pattern of its own, so that none is told by colour alone.
import type { ChangesRecord, DiffRow } from '../model/diff';
import { grouped } from '../model/numbers';

export type Fate = 'stuck' | 'moved' | 'new' | 'gone';

export const fates: readonly Fate[] = ['stuck', 'moved', 'new', 'gone'];

/** Outlines on a grid of 12 x 12 units. */
export const fateShapes: Readonly<Record<Fate, string>> = {
  stuck: 'M2 2h8v8h-8z',
  moved: 'M1.5 6h8M6.5 2.8l3.5 3.2l-3.5 3.2',
  new: 'M6 1.5v9M1.5 6h9',
  gone: 'M2.5 2.5l7 7M9.5 2.5l-7 7',
};

export const fateMeanings: Readonly<Record<Fate, string>> = {
  stuck: 'the same operation in the same place, waiting for the same',
  moved: 'was there before, and is in another place now, or in the same one again',
  new: 'was not there before',
  gone: 'is not there any more',
};

/** A part of a bar. */
export interface Part {
  readonly fate: Fate;
  readonly count: number;
  readonly words: string;
}

/** What was there, from the middle outwards; and what is there. Both together are the whole picture of a group. */
export function partsOf(counts: ChangesRecord): { readonly before: readonly Part[]; readonly after: readonly Part[] } {
  const { before, stuck, moved, gone } = counts;
  return {
    before: some([part('stuck', stuck, 'stuck'), part('moved', before - stuck - gone, 'moved on'), part('gone', gone, 'gone')]),
    after: some([part('stuck', stuck, 'stuck'), part('moved', moved, 'moved here'), part('new', counts.new, 'new')]),
  };
}

/** The same in words: `12 stuck, 3 moved on, 1 gone, 2 new`. */
export function wordsOf(counts: ChangesRecord): readonly Part[] {
  const { before, after } = partsOf(counts);
  return [...before, ...after.filter(({ fate }) => fate !== 'stuck')];
}

/** Whether something of a group has one of these fates; of no fate, if nothing has changed and nothing is stuck. */
export function hasFate(row: DiffRow, wanted: ReadonlySet<Fate>): boolean {
  return wordsOf(row.counts).some(({ fate }) => wanted.has(fate));
}

function part(fate: Fate, count: number, what: string): Part {
  return { fate, count, words: `${grouped(count)} ${what}` };
}

function some(parts: readonly Part[]): readonly Part[] {
  return parts.filter(({ count }) => count > 0);
}
