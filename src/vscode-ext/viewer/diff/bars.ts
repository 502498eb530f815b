// Before and after as one bar: what was there grows to the left of the middle, what is there to the right.
import type { ChangesRecord } from '../model/diff';
import { grouped } from '../model/numbers';
import { type Part, partsOf } from './fates';

const svg = 'http://www.w3.org/2000/svg';

/** Widths are parts of a hundred of the page's. */
const half = 50;

/** The least width of a part, so that one of ten thousand is seen. */
const least = 0.8;

/** @param most The largest number of stacks of any bar beside it: all have one scale. */
export function makeBar(counts: ChangesRecord, most: number): SVGSVGElement {
  const root = document.createElementNS(svg, 'svg');
  root.setAttribute('class', 'bar');
  const { before, after } = partsOf(counts);
  root.setAttribute('role', 'img');
  root.setAttribute('aria-label', `before ${listed(before, counts.before)}; after ${listed(after, counts.after)}`);
  add(root, before, most, -1);
  add(root, after, most, 1);
  const middle = document.createElementNS(svg, 'line');
  middle.setAttribute('x1', '50%');
  middle.setAttribute('x2', '50%');
  middle.setAttribute('y2', '100%');
  middle.setAttribute('class', 'middle');
  root.append(middle);
  return root;
}

/** Patterns that the parts of all bars are filled with. */
export function makePatterns(): SVGSVGElement {
  const root = document.createElementNS(svg, 'svg');
  root.setAttribute('class', 'patterns');
  root.setAttribute('aria-hidden', 'true');
  const defs = document.createElementNS(svg, 'defs');
  defs.append(
    pattern('moved', 'M-2 2l4 -4M0 8l8 -8M6 10l4 -4'),
    pattern('new', 'M4 1.5v5M1.5 4h5'),
    pattern('gone', 'M2 2l4 4M6 2l-4 4'),
  );
  root.append(defs);
  return root;
}

function pattern(name: string, path: string): SVGPatternElement {
  const made = document.createElementNS(svg, 'pattern');
  made.id = `fill-${name}`;
  made.setAttribute('patternUnits', 'userSpaceOnUse');
  made.setAttribute('width', '8');
  made.setAttribute('height', '8');
  const back = document.createElementNS(svg, 'rect');
  back.setAttribute('width', '8');
  back.setAttribute('height', '8');
  back.setAttribute('class', `back is-${name}`);
  const line = document.createElementNS(svg, 'path');
  line.setAttribute('d', path);
  line.setAttribute('class', `line is-${name}`);
  made.append(back, line);
  return made;
}

function add(root: SVGSVGElement, parts: readonly Part[], most: number, way: 1 | -1): void {
  let at = half;
  for (const { fate, count, words } of parts) {
    const width = Math.min(half, Math.max(least, (count / Math.max(1, most)) * half));
    const box = document.createElementNS(svg, 'rect');
    box.setAttribute('x', `${way > 0 ? at : at - width}%`);
    box.setAttribute('width', `${width}%`);
    box.setAttribute('height', '100%');
    box.setAttribute('class', `part is-${fate}`);
    const title = document.createElementNS(svg, 'title');
    title.textContent = words;
    box.append(title);
    root.append(box);
    at += way * width;
  }
}

function listed(parts: readonly Part[], count: number): string {
  return `${grouped(count)}${parts.length === 0 ? '' : `: ${parts.map(({ words }) => words).join(', ')}`}`;
}
