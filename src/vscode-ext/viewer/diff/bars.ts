// Before and after as one bar: what was there grows to the left of the middle, what is there to the right.
import { svg } from '../draw/dom';
import type { ChangesRecord } from '../model/diff';
import { grouped } from '../model/numbers';
import { type Part, partsOf } from './fates';

/** Widths are parts of a hundred of the page's. */
const half = 50;

/** The least width of a part, so that one of ten thousand is seen. */
const least = 0.8;

/** @param most The largest number of stacks of any bar beside it: all have one scale. */
export function makeBar(counts: ChangesRecord, most: number): SVGSVGElement {
  const { before, after } = partsOf(counts);
  return svg(
    'svg',
    { class: 'bar', role: 'img', 'aria-label': `before ${listed(before, counts.before)}; after ${listed(after, counts.after)}` },
    ...boxes(before, most, -1),
    ...boxes(after, most, 1),
    svg('line', { x1: '50%', x2: '50%', y2: '100%', class: 'middle' }),
  );
}

/** Patterns that the parts of all bars are filled with. */
export function makePatterns(): SVGSVGElement {
  const patterns = svg(
    'defs',
    {},
    pattern('moved', 'M-2 2l4 -4M0 8l8 -8M6 10l4 -4'),
    pattern('new', 'M4 1.5v5M1.5 4h5'),
    pattern('gone', 'M2 2l4 4M6 2l-4 4'),
  );
  return svg('svg', { class: 'patterns', 'aria-hidden': 'true' }, patterns);
}

function pattern(name: string, path: string): SVGPatternElement {
  return svg(
    'pattern',
    { id: `fill-${name}`, patternUnits: 'userSpaceOnUse', width: '8', height: '8' },
    svg('rect', { width: '8', height: '8', class: `back is-${name}` }),
    svg('path', { d: path, class: `line is-${name}` }),
  );
}

function boxes(parts: readonly Part[], most: number, way: 1 | -1): SVGRectElement[] {
  let at = half;
  return parts.map(({ fate, count, words }) => {
    const width = Math.min(half, Math.max(least, (count / Math.max(1, most)) * half));
    const title = svg('title', {});
    title.textContent = words;
    const x = way > 0 ? at : at - width;
    at += way * width;
    return svg('rect', { x: `${x}%`, width: `${width}%`, height: '100%', class: `part is-${fate}` }, title);
  });
}

function listed(parts: readonly Part[], count: number): string {
  return `${grouped(count)}${parts.length === 0 ? '' : `: ${parts.map(({ words }) => words).join(', ')}`}`;
}
