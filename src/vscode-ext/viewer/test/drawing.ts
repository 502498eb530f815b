// Draws trees of boxes as text: frames of a box in brackets, its count, and the stacks that end in it.

import type { Item } from '../layout/items';
import { type Face, metrics } from '../layout/rows';
import { type Box, type BoxTree, nodesOf } from '../merge/boxes';
import { Forest } from '../model/forest';
import type { TreePage } from '../model/tree';

export function forestOf(...pages: readonly TreePage[]): Forest {
  const forest = new Forest();
  for (const page of pages) forest.add(page);
  return forest;
}

export function picture(tree: BoxTree): string {
  const lines: string[] = [];
  const draw = (box: Box, indent: string): void => {
    const names = nodesOf(tree, box).map((node) => tree.forest.frameOf(node).method);
    const title = box.title === undefined ? [] : [`<${box.title}>`];
    const ends = box.ends.map((end) => ` ${tree.forest.stacks[end]?.id}`).join('');
    lines.push(`${indent}[${[...title, ...names].join(' ')}] x${box.count}${ends}`);
    for (const child of box.children) draw(child, `${indent}  `);
  };
  for (const root of tree.roots) draw(root, '');
  return `\n${lines.join('\n')}\n`;
}

/** A drawing in a test, without the test's indentation. */
export function expected(drawing: string): string {
  const lines = drawing.split('\n').filter((line) => line.trim() !== '');
  const margin = Math.min(...lines.map((line) => line.length - line.trimStart().length));
  return `\n${lines.map((line) => line.slice(margin).trimEnd()).join('\n')}\n`;
}

export const all = (): boolean => true;

/** A monospaced font, on a wide screen. */
export const face: Face = { measure: (text) => text.length * 6, widest: metrics.widest };

/** What an item says, in a word: its innermost frame, or "+N more". */
export function nameOf(item: Item): string {
  const row = item.rows.filter((one) => one.kind === 'frame').at(-1) ?? item.rows[0];
  return row === undefined ? '' : row.kind === 'frame' ? row.name : row.text;
}
