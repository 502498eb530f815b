// A stack as text for a chat or a ticket: plain, or Markdown.
import { ageText } from './ages';
import type { Forest } from './forest';
import { clip, placeOf } from './names';
import { counted, times } from './numbers';
import type { TreeFrame, TreeStack } from './tree';

/** More lines than anybody wants to paste. */
const mostFrames = 500;

export function stackText(forest: Forest, stack: TreeStack, note?: string): string {
  const lines = [
    headOf(stack),
    ...factsOf(stack, note).map((fact) => `  ${fact}`),
    ...framesOf(forest, stack).map((line) => `    ${line}`),
  ];
  return `${lines.join('\n')}\n`;
}

export function stackMarkdown(forest: Forest, stack: TreeStack, note?: string): string {
  const facts = factsOf(stack, note).map((fact) => `- ${inline(fact)}`);
  // A fence longer than any that the text has.
  const frames = framesOf(forest, stack).join('\n');
  const longest = Math.max(2, ...[...frames.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${[`**${inline(headOf(stack))}**`, '', ...facts, '', fence, frames, fence].join('\n')}\n`;
}

function headOf({ id, count, state, wait }: TreeStack): string {
  const words = [id, count > 1 ? times(count) : '', state].filter(Boolean).join(' ');
  return wait && wait.kind !== 'none' ? `${words}: ${clip(wait.text, 1000)}` : words;
}

function factsOf({ labelText, age, count, thread }: TreeStack, note: string | undefined): string[] {
  const facts = [];
  if (labelText) facts.push(`works for ${clip(labelText, 1000)}`);
  if (age) facts.push(`${count > 1 ? 'the oldest has waited' : 'has waited'} ${ageText(age)}`);
  if (thread !== undefined) facts.push(`on thread ${thread}`);
  if (note) facts.push(`note: ${note}`);
  return facts;
}

function framesOf(forest: Forest, { node: inner, frames }: TreeStack): string[] {
  const lines: string[] = [];
  for (let node = inner; node >= 0 && lines.length < mostFrames; node = forest.outer[node] ?? -1)
    lines.push(frameText(forest.frameOf(node)));
  if (frames > mostFrames) lines.push(`... ${counted(frames - mostFrames, 'more frame')}`);
  return lines;
}

function frameText(frame: TreeFrame): string {
  const repeat = frame.repeat === undefined ? '' : ` (${frame.repeat})`;
  return `${clip(frame.method, 2000)}${repeat}  ${placeOf(frame)}`.trimEnd();
}

/** Text of which nothing is markup. */
function inline(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|~!]/g, '\\$&').replaceAll('\n', ' ');
}
