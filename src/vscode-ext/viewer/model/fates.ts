// What became of stacks since an earlier look.
import { duration } from './ages';
import { counted, grouped } from './numbers';
import type { SinceRecord } from './since';
import type { TreeStack } from './tree';

/** The worst first: what has not moved is what hangs. */
export const fates = ['stuck', 'moved', 'new'] as const;

export type Fate = (typeof fates)[number];

/** The fate that most of the equal stacks have; undefined without an earlier look. */
export function fateOf({ fates: counts }: TreeStack): Fate | undefined {
  if (!counts) return undefined;
  return fates.reduce<Fate>((most, fate) => (counts[fate] > counts[most] ? fate : most), 'stuck');
}

/** `3 stuck, 1 new`; empty without an earlier look. */
export function fateWords({ fates: counts, count }: TreeStack): string {
  if (!counts) return '';
  const words = fates
    .filter((fate) => counts[fate] > 0)
    .map((fate) => (counts[fate] === count ? fate : `${grouped(counts[fate])} ${fate}`));
  return words.join(', ');
}

/** `since 12:03:44, 4.2 s before: 398 stuck, 12 moved, 3 new, 5 gone`. */
export function sinceWords({ takenAt, apartMs, pinned, totals }: SinceRecord): string {
  const when = takenAt === undefined ? 'an earlier look' : `${pinned ? 'the pinned look of ' : ''}${timeOf(takenAt)}`;
  const apart = apartMs === undefined ? '' : ` (${duration(apartMs)} before)`;
  const parts = [...fates.map((fate) => `${grouped(totals[fate])} ${fate}`), `${grouped(totals.gone)} gone`];
  return `since ${when}${apart}: ${parts.join(', ')}`;
}

/** `12:03:44`, by the reader's clock. */
export function timeOf(iso: string): string {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? iso : time.toTimeString().slice(0, 8);
}

/** `5 stacks are gone`. */
export function goneWords({ totals }: SinceRecord): string {
  return totals.gone === 0 ? '' : `${counted(totals.gone, 'stack')} gone`;
}
