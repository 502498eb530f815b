// Short names of frames, and text cut to what a screen can show. Text from a target is data: it may be a megabyte long.
import { counted } from './numbers';
import type { TreeFrame } from './tree';

const longest = 300;

/** At most `most` characters, with an ellipsis for the rest. */
export function clip(text: string, most = longest): string {
  if (text.length <= most) return text;
  const end = most - 1;
  const splits = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return `${text.slice(0, splits ? end - 1 : end)}\u2026`;
}

/** `Orders.PayAsync`: the type without its namespace, and the method. */
export function shortName(frame: TreeFrame): string {
  if (frame.name === undefined) return clip(frame.method);
  if (!frame.type) return clip(frame.name);
  return clip(`${shortType(frame.type)}.${frame.name}`);
}

/** Removes namespaces, also within the brackets of generic types: `Repo<Order>`. */
export function shortType(type: string): string {
  let text = '';
  let word = '';
  for (const letter of clip(type, 2000)) {
    if (letter === '.' || letter === '+') {
      // After a closing bracket comes a nested type, whose outer type is informative.
      if (text.endsWith('>') && word === '') text += '.';
      word = '';
    } else if ('<>,[]() '.includes(letter)) {
      text += word + letter;
      word = '';
    } else word += letter;
  }
  return text + word;
}

/** `Orders.cs:42` of a frame; empty if unknown. */
export function placeOf(frame: TreeFrame): string {
  if (frame.place !== undefined) return clip(frame.place, 80);
  if (frame.file === undefined) return '';
  const name = frame.file.split(/[\\/]/).pop() ?? '';
  return clip(frame.line === undefined ? name : `${name}:${frame.line}`, 80);
}

/** The kind of a frame; empty for ordinary ones. */
export function kindWords(frame: TreeFrame): string {
  const words = [];
  if (frame.kind === 'thread') words.push('runs on a thread');
  if (frame.kind === 'elided') words.push('elided: not in memory, but the code proves it');
  if (frame.exactness === 'approximate') words.push('the first of several possible lines');
  if (frame.exactness === 'order') words.push('line determined by order');
  if (frame.folded) words.push(`up to ${counted(frame.folded, 'frame')} of frameworks inside of it not shown`);
  return words.join(', ');
}
