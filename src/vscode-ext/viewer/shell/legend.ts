// Explains symbols and keys.
import { glyph } from '../draw/card';
import { el } from '../draw/dom';
import { states } from '../model/states';
import type { StackState } from '../model/tree';

const meanings: Readonly<Record<StackState, string>> = {
  deadlocked: 'part of a cycle of waits',
  blocked: 'a thread blocks in it',
  active: 'a thread executes it now',
  scheduled: 'what it waited for has happened; queued to run',
  awaiting: 'suspended; what it waits for has not happened',
  completed: 'finished, kept alive by a reference',
};

const signs: readonly (readonly [string, string])[] = [
  ['x398', 'this many stacks run through the box'],
  ['grey', 'frames of frameworks'],
  ['italic', 'elided frames: not in memory, but the code proves them'],
  ['dashed arc', 'a stack waits for another one; red in a deadlock'],
  ['hourglass', 'for how long the oldest has waited: the warmer, the longer'],
];

const keys: readonly (readonly [string, string])[] = [
  ['Arrows', 'move; right unfolds, left folds'],
  ['Alt+Up, Alt+Down', 'choose a frame in the box'],
  ['Enter', 'open the frame; show more'],
  ['Space', 'details'],
  ['Shift+F10', 'menu: copy, hide, only through, callers and callees, pin'],
  ['t', 'table, and back to the picture'],
  ['Ctrl+F or /', 'search; F3, Shift+F3 step'],
  ['+ - 0', 'zoom, fit'],
  ['Ctrl+Arrows', 'move the picture'],
];

export function makeLegend(): HTMLElement {
  const list = el('dl', '');
  for (const state of states) list.append(el('dt', `is-${state}`, glyph(state), ` ${state}`), el('dd', '', meanings[state]));
  for (const [name, text] of [...signs, ...keys]) list.append(el('dt', '', name), el('dd', '', text));
  const legend = el('section', 'legend', el('h2', '', 'Legend'), list);
  legend.setAttribute('aria-label', 'Legend');
  legend.tabIndex = 0;
  return legend;
}
