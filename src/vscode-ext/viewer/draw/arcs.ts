// Arcs between stacks that wait for each other: over the tree, dashed, with an arrow at the stack that is waited for.

import { type Item, itemOf, type Shown } from '../layout/items';
import type { Box } from '../merge/boxes';
import type { Link } from '../model/links';
import { deadlocked } from '../model/states';
import { anchor, type Canvas } from './paint';

export interface Arc {
  readonly from: Item;
  readonly to: Item;
  /** Part of a cycle of waits. */
  readonly cycle: boolean;
  /** Of the finding that is shown: what it says of the one at its beginning. */
  readonly says?: 'held by' | 'waits for';
  /** Number of the lane beside the boxes, so that words do not cover each other. */
  readonly lane?: number;
}

/** More arcs than this would hide the tree: then only cycles and arcs of the selected box are drawn. */
const most = 40;

/** Lanes beside the boxes, for words on arcs. */
const lanes = 6;
const laneWidth = 84;

/** Room that the arcs of a finding need beside the boxes. */
export function roomOf(arcs: readonly Arc[]): number {
  return 110 + Math.max(0, ...arcs.map(({ lane = 0 }) => lane)) * laneWidth * 0.75;
}

/** Arcs of the finding that is shown, and arcs between visible boxes: these are useful where stacks end at what they wait for. */
export function arcsOf(shown: Shown, links: readonly Link[] = []): Arc[] {
  const { tree } = shown;
  const homes = new Map<number, Box>();
  for (const box of tree.boxes) for (const end of box.ends) homes.set(end, box);
  const said = new Map<string, Arc>();
  if (tree.direction === 'method') return [];
  for (const link of links) {
    const from = itemOf(shown, homes.get(link.from));
    const to = itemOf(shown, homes.get(link.to));
    const key = `${from?.key}>${to?.key}`;
    if (from && to && !said.has(key))
      said.set(key, { from, to, cycle: false, says: link.held ? 'held by' : 'waits for', lane: said.size % lanes });
  }
  return tree.direction === 'outer' || tree.direction === 'route'
    ? [...waitsOf(shown, homes, said), ...said.values()]
    : [...said.values()];
}

/** By what stacks wait for; not where the finding draws the same. */
function waitsOf(shown: Shown, homes: ReadonlyMap<number, Box>, said: ReadonlyMap<string, Arc>): Arc[] {
  const { tree } = shown;
  const arcs = new Map<string, Arc>();
  for (const [number, home] of homes) {
    const stack = tree.forest.stacks[number];
    const targets = [stack?.wait?.stack, ...(stack?.wait?.pending ?? [])].slice(0, 20);
    for (const id of targets) {
      const target = id === undefined ? undefined : homes.get(tree.forest.numberOf(id));
      const from = itemOf(shown, home);
      const to = itemOf(shown, target);
      if (!from || !to || !target) continue;
      const cycle = stack?.state === 'deadlocked' && (target.states[deadlocked] ?? 0) > 0;
      if ((from === to && !cycle) || said.has(`${from.key}>${to.key}`)) continue;
      arcs.set(`${from.key}>${to.key}>${cycle}`, { from, to, cycle });
    }
  }
  return [...arcs.values()];
}

/** Cycles and arcs of the selected box are drawn over the boxes (`over`); the others under them, so that they do not cross out names. */
export function paintArcs(canvas: Canvas, arcs: readonly Arc[], selected: string | undefined, over: boolean): void {
  const { context, palette } = canvas;
  context.lineCap = 'butt';
  for (const arc of arcs) {
    const chosen = arc.from.key === selected || arc.to.key === selected;
    const trouble = arc.cycle || arc.says !== undefined;
    if ((trouble || chosen) !== over || (!over && arcs.length > most)) continue;
    context.strokeStyle = (trouble ? palette.states[deadlocked] : chosen ? palette.focus : palette.dim) ?? palette.dim;
    context.fillStyle = context.strokeStyle;
    context.lineWidth = (arc.says ? 3 : arc.cycle ? 2 : 1.3) * Math.max(0.5, Math.min(1, canvas.camera.zoom));
    paintArc(canvas, arc);
  }
  context.setLineDash([]);
}

function paintArc({ context, camera, seen, palette }: Canvas, { from, to, says, lane = 0 }: Arc): void {
  const { zoom } = camera;
  const y1 = from.y + from.height - 12;
  const y2 = anchor(to);
  const x1 = from.x + from.width;
  const x2 = to.x + to.width;
  const bulge = 34 + Math.min(70, Math.abs(y2 - y1) * 0.12) + lane * laneWidth;
  const right = Math.max(x1, x2) + bulge;
  if (Math.max(y1, y2) < seen.y || Math.min(y1, y2) > seen.y + seen.height) return;
  const place = (x: number, y: number): [number, number] => [x * zoom + camera.x, y * zoom + camera.y];
  context.setLineDash(says ? [] : [6 * Math.min(1, zoom), 4 * Math.min(1, zoom)]);
  context.beginPath();
  context.moveTo(...place(x1, y1));
  context.bezierCurveTo(...place(right, y1), ...place(right, y2), ...place(x2 + 6, y2));
  context.stroke();
  context.setLineDash([]);
  context.beginPath();
  context.moveTo(...place(x2, y2));
  context.lineTo(...place(x2 + 9, y2 - 5));
  context.lineTo(...place(x2 + 9, y2 + 5));
  context.fill();
  // The middle of the curve.
  if (says && zoom > 0.4) paintLabel({ context, palette }, says, ...place((x1 + 6 * right + x2 + 6) / 8, (y1 + y2) / 2));
}

/** Words on an arc, on paper so that they can be read across lines. */
function paintLabel({ context, palette }: Pick<Canvas, 'context' | 'palette'>, text: string, x: number, y: number): void {
  context.font = `600 11px ${palette.font}`;
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  const colour = context.fillStyle;
  const width = context.measureText(text).width + 8;
  context.fillStyle = palette.paper;
  context.fillRect(x - width / 2, y - 9, width, 18);
  context.fillStyle = colour;
  context.fillText(text, x, y);
  context.textAlign = 'start';
}
