// The name of a frame in the room that a box has: type arguments and the type go first, then the place; the method's name is never cut.
import { clip, placeOf, shortName } from '../model/names';
import type { TreeFrame } from '../model/tree';

export interface FittedName {
  readonly name: string;
  readonly place: string;
  /** The name takes two lines. */
  readonly double: boolean;
}

/** Between name and place. */
const gap = 18;

/** @param measure width of a text in pixels */
export function fitName(frame: TreeFrame, room: number, measure: (text: string) => number): FittedName {
  const repeat = frame.repeat === undefined ? '' : ` \u21bb ${clip(frame.repeat, 80)}`;
  const place = placeOf(frame);
  const forms = formsOf(frame).map((form) => form + repeat);
  // A mark behind the line is in the tooltip, too.
  const places = [...new Set([place, place.replace(/ \[[^\]]*\]$/, '')])];
  for (const form of forms)
    for (const one of places)
      if (measure(form) + (one === '' ? 0 : measure(one) + gap) <= room) return { name: form, place: one, double: false };
  const last = forms.at(-1) ?? '';
  // A line number tells more than the end of a file's name.
  const line = frame.line === undefined || place === '' ? '' : `:${frame.line}`;
  const short = forms.find((form) => measure(form) + measure(line) + gap <= room);
  if (short !== undefined && line !== '') return { name: short, place: line, double: false };
  const alone = forms.find((form) => measure(form) <= room);
  return alone === undefined ? { name: last, place: line, double: true } : { name: alone, place: '', double: false };
}

/** Longest first: `Repo<Order>.LoadAsync`, `Repo.LoadAsync`, `LoadAsync`. */
export function formsOf(frame: TreeFrame): string[] {
  const short = shortName(frame);
  const bare = withoutArguments(short);
  const forms = [short, bare, ...(frame.name === undefined ? [] : [clip(frame.name)])];
  return [...new Set(forms)];
}

function withoutArguments(name: string): string {
  let text = '';
  let depth = 0;
  for (const letter of name) {
    // Names of lambdas and local functions begin with a bracket.
    if (letter === '<' && text !== '' && !text.endsWith('.')) depth++;
    else if (letter === '>' && depth > 0) depth--;
    else if (depth === 0) text += letter;
  }
  return text;
}
