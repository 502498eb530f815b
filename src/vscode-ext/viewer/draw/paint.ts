// Everything painted under the cards: the lines of the tree, and the boxes themselves if they are too small to read.
import type { Camera, Rect } from '../layout/camera';
import { childrenWithin, forksWithin, itemsWithin } from '../layout/columns';
import type { Item } from '../layout/items';
import { gaps, type Layout } from '../layout/layout';
import { metrics, stateCounts } from '../layout/rows';
import { clip } from '../model/names';
import { times } from '../model/numbers';
import { deadlocked, stateIndex } from '../model/states';
import { type Highlights, isAccused } from './highlights';
import type { Palette } from './palette';

/** Below this zoom a card is not readable, so boxes are painted. */
export const readable = 0.45;

export interface Canvas {
  readonly context: CanvasRenderingContext2D;
  readonly camera: Camera;
  readonly palette: Palette;
  readonly seen: Rect;
  readonly layout: Layout;
}

/** How far below the upper edge of a box its lines begin. */
export function anchor(item: Item): number {
  return item.y + Math.min(item.height / 2, metrics.head / 2 + 3);
}

export function paintEdges(canvas: Canvas): void {
  const { context, palette } = canvas;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  const trouble: [Item, Item][] = [];
  context.strokeStyle = palette.edge;
  paintHolds(canvas);
  forksWithin(canvas.layout, canvas.seen, gaps.column, (item) => {
    for (const child of childrenWithin(item, canvas.seen)) {
      if ((child.states[deadlocked] ?? 0) > 0) trouble.push([item, child]);
      else paintEdge(canvas, item, child);
    }
  });
  context.strokeStyle = palette.states[deadlocked] ?? palette.edge;
  for (const [item, child] of trouble) paintEdge(canvas, item, child);
}

/** From those who hold a resource to it. */
function paintHolds(canvas: Canvas): void {
  itemsWithin(canvas.layout, { ...canvas.seen, x: canvas.seen.x - 600, width: canvas.seen.width + 600 }, (item) => {
    for (const holder of item.holders) paintEdge(canvas, holder, item);
  });
}

/** Heavier lines for more stacks. */
function weightOf(count: number): number {
  return Math.min(7, 1 + Math.log10(Math.max(1, count)) * 1.3);
}

function paintEdge({ context, camera }: Canvas, from: Item, to: Item): void {
  const { zoom } = camera;
  const weight = weightOf(to.count);
  const x1 = (from.x + from.width) * zoom + camera.x;
  const y1 = anchor(from) * zoom + camera.y;
  const x2 = to.x * zoom + camera.x;
  const y2 = anchor(to) * zoom + camera.y;
  const bend = x1 + (gaps.column / 2) * zoom;
  const radius = Math.min(10 * zoom, Math.abs(y2 - y1) / 2);
  context.lineWidth = Math.max(0.6, weight * Math.min(1, zoom));
  context.beginPath();
  context.moveTo(x1, y1);
  if (y1 !== y2) {
    context.arcTo(bend, y1, bend, y2, radius);
    context.arcTo(bend, y2, x2, y2, radius);
  }
  context.lineTo(x2, y2);
  context.stroke();
}

/** Boxes too small for text: their shape, their state, and a word if there is room. */
export function paintBoxes(canvas: Canvas, highlights: Highlights): void {
  const { context, camera, palette } = canvas;
  const { zoom } = camera;
  context.font = `10px ${palette.font}`;
  context.textBaseline = 'middle';
  itemsWithin(canvas.layout, canvas.seen, (item) => {
    const x = item.x * zoom + camera.x;
    const y = item.y * zoom + camera.y;
    const width = Math.max(1, item.width * zoom);
    const height = Math.max(1, item.height * zoom);
    const found = item.box && highlights.found?.boxes.has(item.box.key);
    const worst = stateCounts(item.states)[0]?.state;
    context.fillStyle = found ? palette.hit : palette.card;
    context.fillRect(x, y, width, height);
    if (height > 3) {
      context.strokeStyle = palette.border;
      context.lineWidth = 1;
      context.strokeRect(x, y, width, height);
    }
    if (worst && (item.box?.ends.length || worst === 'deadlocked')) {
      context.fillStyle = palette.states[stateIndex(worst)] ?? palette.edge;
      context.fillRect(x, y, Math.max(1.5, 4 * zoom), height);
    }
    if (item.box?.ends.length && ((item.states[deadlocked] ?? 0) > 0 || isAccused(item, highlights)))
      paintRing(canvas, x, y, width, height);
    if (item.key === highlights.selected) paintFocus(canvas, x, y, width, height);
    if (height > 10 && width > 44) paintLabel(canvas, item, x, y, width, height);
  });
}

function paintRing({ context, palette }: Canvas, x: number, y: number, width: number, height: number): void {
  context.strokeStyle = palette.states[deadlocked] ?? palette.border;
  context.lineWidth = 1.5;
  context.strokeRect(x, y, width, height);
}

function paintFocus({ context, palette }: Canvas, x: number, y: number, width: number, height: number): void {
  context.strokeStyle = palette.focus;
  context.lineWidth = 2;
  context.strokeRect(x - 2, y - 2, width + 4, height + 4);
}

/** How many stacks, and the innermost frame. */
function paintLabel({ context, palette }: Canvas, item: Item, x: number, y: number, width: number, height: number): void {
  const last = item.rows.filter((row) => row.kind === 'frame').at(-1) ?? item.rows[0];
  const room = Math.floor((width - 12) / 5.4);
  const count = times(item.count);
  const name = last?.kind === 'frame' ? nameWithin(last.name, last.frame.name, room) : (last?.text ?? '');
  const lines = height > 27 && item.box ? [count, name] : [item.box ? `${count} ${name}` : name];
  context.fillStyle = palette.text;
  for (const [at, line] of lines.entries()) {
    context.fillText(clip(line, Math.max(2, room)), x + 7, Math.min(y + height / 2, y + 9) + at * 12);
  }
}

/** The short name if there is room for it, else only the method's. */
function nameWithin(short: string, method: string | undefined, room: number): string {
  return short.length <= room ? short : (method ?? short);
}
