// Says for how long stacks have waited, as the tool does (AgeFormatter).
import type { AgeClock, AgeRecord } from './ageRecords';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const clocks: Readonly<Record<AgeClock, string>> = {
  'two-looks': 'two looks',
  timer: 'its own timer',
  neighbours: 'timers beside it on the heap',
  collection: 'a collection that it survived',
  activity: 'the start of its activity',
  'http-timer': "HttpClient's timer",
};

/** `250 ms`, `4.2 s`, `59 min 57 s`, `1 h 30 min`, `4 d 4 h`. */
export function duration(ms: number): string {
  if (ms < second) return `${Math.max(0, Math.trunc(ms))} ms`;
  if (ms < 2 * minute) return `${Math.trunc(ms / 100) / 10} s`;
  if (ms < 2 * hour) return twoUnits(ms, minute, 'min', second, 's');
  return ms < 2 * day ? twoUnits(ms, hour, 'h', minute, 'min') : twoUnits(ms, day, 'd', hour, 'h');
}

function twoUnits(ms: number, big: number, bigName: string, small: number, smallName: string): string {
  const rest = Math.trunc((ms % big) / small);
  return `${Math.trunc(ms / big)} ${bigName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
}

/** `3.2 s (its own timer)`, `at least 3.2 s (...), at most 40 s (...)`. */
export function ageText({ atLeastMs, atMostMs, clock, atMostClock }: AgeRecord): string {
  if (atMostMs === atLeastMs && atMostClock === clock) return `${duration(atLeastMs)} (${clocks[clock]})`;
  const parts: string[] = [];
  if (atLeastMs > 0) parts.push(`at least ${duration(atLeastMs)} (${clocks[clock]})`);
  if (atMostMs !== undefined) parts.push(`at most ${duration(atMostMs)} (${clocks[atMostClock ?? clock]})`);
  return parts.join(', ');
}

/** A line of the histogram: from which age on, how many, and which part of the largest. */
export interface AgeBar {
  readonly label: string;
  readonly stacks: number;
  readonly part: number;
}

/** How many stacks of a group are how old, from the youngest on; empty if nobody counted. */
export function ageBars(age: AgeRecord): AgeBar[] {
  const shares = age.shares ?? [];
  const most = Math.max(1, ...shares.map(({ stacks }) => stacks));
  return shares.map(({ fromMs, stacks }) => ({
    label: fromMs === 0 ? 'below 1 s, or unknown' : `${duration(fromMs)} and more`,
    stacks,
    part: stacks / most,
  }));
}

/** From 0, just begun, to 3: how alarming an age is. Below a second nothing is said. */
export function heatOf(ms: number): number | undefined {
  if (ms < second) return undefined;
  return ms < 10 * second ? 0 : ms < minute ? 1 : ms < 10 * minute ? 2 : 3;
}
