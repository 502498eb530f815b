// All boxes of a tree in the room that there is: columns for levels, each box as high as it has stacks. For drawings that do not fit as cards.
import type { Box, BoxTree } from '../merge/boxes';
import { nodesOf } from '../merge/boxes';
import { clip, shortName } from '../model/names';
import { times } from '../model/numbers';
import { ranks } from '../model/ranks';
import { stateIndex, states } from '../model/states';
import type { Palette } from './palette';

export interface Bar {
  readonly box: Box;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Boxes lower than this are left out: nobody could hit them. */
const lowest = 1;

export function barsOf(tree: BoxTree, width: number, height: number): Bar[] {
  const depth = Math.max(1, depthOf(tree));
  const column = width / depth;
  const bars: Bar[] = [];
  const open: { box: Box; level: number; y: number; height: number }[] = [];
  let top = 0;
  for (const root of tree.roots) {
    const part = (height * root.count) / Math.max(1, tree.count);
    open.push({ box: root, level: 0, y: top, height: part });
    top += part;
  }
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.height < lowest) continue;
    const { box, level, y } = next;
    bars.push({ box, x: level * column, y, width: column, height: next.height });
    let at = y;
    for (const child of box.children) {
      const part = (next.height * child.count) / Math.max(1, box.count);
      open.push({ box: child, level: level + 1, y: at, height: part });
      at += part;
    }
  }
  return bars;
}

function depthOf({ boxes }: BoxTree): number {
  const levels = new Map<Box, number>();
  let most = 0;
  for (const box of boxes) {
    const level = box.parent ? (levels.get(box.parent) ?? 0) + 1 : 1;
    levels.set(box, level);
    most = Math.max(most, level);
  }
  return most;
}

/** The bar at a place. */
export function barAt(bars: readonly Bar[], x: number, y: number): Bar | undefined {
  return bars.find((bar) => x >= bar.x && x < bar.x + bar.width && y >= bar.y && y < bar.y + bar.height);
}

export interface IcicleLook {
  readonly selected: string | undefined;
  readonly accused: ReadonlySet<number> | undefined;
  readonly found: ReadonlySet<number> | undefined;
}

export function paintBars(
  context: CanvasRenderingContext2D,
  tree: BoxTree,
  bars: readonly Bar[],
  palette: Palette,
  { selected, accused, found }: IcicleLook,
): void {
  context.font = `11px ${palette.font}`;
  context.textBaseline = 'middle';
  for (const { box, x, y, width, height } of bars) {
    const inset = height > 4 ? 1 : 0;
    // What is too low for a border must still differ from the paper.
    context.fillStyle = found?.has(box.key) ? palette.hit : height > 3 ? palette.card : palette.border;
    context.fillRect(x + 1, y + inset / 2, width - 2, Math.max(1, height - inset));
    const state = box.states.findIndex((count) => count > 0);
    if (box.ends.length > 0 || box.worst < ranks.own) {
      context.fillStyle = palette.states[box.worst < ranks.own ? stateIndex('deadlocked') : state] ?? palette.edge;
      context.fillRect(x + 1, y + inset / 2, 4, Math.max(1, height - inset));
    }
    const isChosen = String(box.key) === selected || accused?.has(box.key);
    if (height > 3 || isChosen) {
      context.strokeStyle = isChosen ? palette.focus : palette.border;
      context.lineWidth = isChosen ? 2 : 1;
      context.strokeRect(x + 1, y + inset / 2, width - 2, Math.max(2, height - inset));
    }
    if (height >= 13) paintName(context, tree, box, palette, x + 9, y + height / 2, width - 14);
  }
}

function paintName(
  context: CanvasRenderingContext2D,
  tree: BoxTree,
  box: Box,
  palette: Palette,
  x: number,
  y: number,
  room: number,
): void {
  const node = nodesOf(tree, box).at(tree.direction === 'inner' ? 0 : -1);
  const frame = node === undefined ? undefined : tree.forest.frameOf(node);
  const name = box.title ?? (frame ? shortName(frame) : states[0]);
  const most = Math.max(3, Math.floor(room / 6));
  const text = `${times(box.count)} ${name}`;
  context.fillStyle = palette.text;
  context.fillText(clip(text.length <= most || !frame?.name ? text : `${times(box.count)} ${frame.name}`, most), x, y);
}
