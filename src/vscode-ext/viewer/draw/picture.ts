// The drawing as a file: all boxes that are open, at full size.
import { gaps } from '../layout/gaps';
import type { Item, Shown } from '../layout/items';
import type { Layout } from '../layout/layout';
import { metrics, type Row, stateCounts } from '../layout/rows';
import { clip } from '../model/names';
import { grouped, times } from '../model/numbers';
import { ranks } from '../model/ranks';
import { stateIndex } from '../model/states';
import { anchor } from './paint';
import type { Palette } from './palette';
import { CanvasPen, type Pen, SvgPen } from './pens';

/** No browser makes bigger canvases. */
const longestSide = 16_000;
const mostPixels = 100_000_000;

export function svgOf(shown: Shown, layout: Layout, palette: Palette, title: string): string {
  const pen = new SvgPen();
  drawAll(pen, shown, palette);
  return pen.finish(layout.width, layout.height, palette.paper, palette.font, title);
}

/** A PNG as an address of data; undefined if the drawing is too big for one. */
export function pngOf(shown: Shown, layout: Layout, palette: Palette): string | undefined {
  const scale = Math.min(
    2,
    longestSide / Math.max(layout.width, layout.height),
    Math.sqrt(mostPixels / (layout.width * layout.height)),
  );
  if (scale < 0.3) return undefined;
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: Math.round(layout.width * scale), height: Math.round(layout.height * scale) });
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  context.scale(scale, scale);
  context.fillStyle = palette.paper;
  context.fillRect(0, 0, layout.width, layout.height);
  drawAll(new CanvasPen(context, palette.font), shown, palette);
  return canvas.toDataURL('image/png');
}

function drawAll(pen: Pen, { items }: Shown, palette: Palette): void {
  for (const item of items) {
    for (const child of item.children) drawEdge(pen, item, child, palette);
    for (const holder of item.holders) drawEdge(pen, holder, item, palette);
  }
  for (const item of items) drawItem(pen, item, palette);
}

function drawEdge(pen: Pen, from: Item, to: Item, palette: Palette): void {
  const [x, y] = [from.x + from.width, anchor(from)];
  const bend = x + gaps.column / 2;
  pen.line(
    [
      [x, y],
      [bend, y],
      [bend, anchor(to)],
      [to.x, anchor(to)],
    ],
    palette.edge,
    Math.min(7, 1 + Math.log10(Math.max(1, to.count)) * 1.3),
  );
}

function drawItem(pen: Pen, item: Item, palette: Palette): void {
  const [worst] = stateCounts(item.states);
  const colour = (worst && palette.states[stateIndex(worst.state)]) ?? palette.border;
  const isWrong = item.box !== undefined && item.box.ends.length > 0 && item.box.worst < ranks.own;
  pen.box(
    item.x,
    item.y,
    item.width,
    item.height,
    palette.card,
    isWrong ? (palette.states[0] ?? colour) : palette.border,
    isWrong ? 2 : 1,
  );
  if (item.box?.ends.length || item.beside) pen.box(item.x, item.y, 4, item.height, colour, 'none');
  let y = item.y;
  if (item.box || item.beside) {
    pen.text(
      item.x + 10,
      y + 17,
      `${times(item.count)}  ${stateCounts(item.states)
        .map(({ state, count }) => `${grouped(count)} ${state}`)
        .join(', ')}`,
      palette.text,
      true,
    );
    y += metrics.head;
  }
  for (const [at, row] of item.rows.entries()) {
    drawRow(pen, row, item, y + 13, palette, colour);
    y += item.heights[at] ?? metrics.row;
  }
}

function drawRow(pen: Pen, row: Row, item: Item, y: number, palette: Palette, colour: string): void {
  const most = Math.max(4, Math.floor((item.width - 20) / 6.2));
  if (row.kind === 'frame') {
    pen.text(item.x + 10, y, clip(row.name, most * (row.double ? 2 : 1)), row.frame.framework ? palette.dim : palette.text);
    if (row.place !== '') pen.text(item.x + item.width - 8, y, row.place, palette.dim, false, true);
  } else if (row.kind === 'end') {
    const words = row.count === '' ? row.text : `${row.count} ${row.text}`;
    pen.text(item.x + 10, y, clip(words, most), colour);
    if (words.length > most) pen.text(item.x + 10, y + metrics.second, clip(words.slice(most - 1), most), colour);
  } else pen.text(item.x + 10, y, clip(row.text, most), row.kind === 'title' ? palette.text : palette.dim, row.kind === 'title');
}
