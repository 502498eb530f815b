// What could not be read, at the end of a page; nothing if there is nothing to say.
import { el, foreign } from '../draw/dom';
import type { ProblemRecord } from '../model/diff';
import { clip } from '../model/names';

/** @param notes What was left out, in sentences; they come first. */
export function problemList(problems: readonly ProblemRecord[], notes: readonly string[]): HTMLElement | undefined {
  if (problems.length === 0 && notes.length === 0) return undefined;
  const list = el('ul', 'list');
  for (const note of notes) list.append(el('li', '', note));
  for (const { code, text } of problems)
    list.append(el('li', '', el('code', '', clip(code, 60)), ' ', foreign('', clip(text, 1000))));
  return el('section', '', el('h2', '', problems.length > 0 ? 'Problems' : 'Left out'), list);
}
