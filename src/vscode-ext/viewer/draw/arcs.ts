// Arcs between stacks that wait for each other: over the tree, dashed, with an arrow at the stack that is waited for.

import { type Item, itemOf, type Shown } from '../layout/items';
import type { Box } from '../model/boxes';
import { deadlocked } from '../model/states';
import { anchor, type Canvas } from './paint';

export interface Arc {
  readonly from: Item;
  readonly to: Item;
  /** Part of a cycle of waits. */
  readonly cycle: boolean;
}

/** More arcs than this would hide the tree: then only cycles and arcs of the selected box are drawn. */
const most = 40;

/** Arcs between visible boxes. Useful where stacks end at what they wait for. */
export function arcsOf(shown: Shown): Arc[] {
  const { tree } = shown;
  if (tree.direction !== 'outer') return [];
  const homes = new Map<number, Box>();
  for (const box of tree.boxes) for (const end of box.ends) homes.set(end, box);
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
      if (from === to && !cycle) continue;
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
    if ((arc.cycle || chosen) !== over || (!over && arcs.length > most)) continue;
    context.strokeStyle = (arc.cycle ? palette.states[deadlocked] : chosen ? palette.focus : palette.dim) ?? palette.dim;
    context.fillStyle = context.strokeStyle;
    context.lineWidth = (arc.cycle ? 2 : 1.3) * Math.max(0.5, Math.min(1, canvas.camera.zoom));
    paintArc(canvas, arc);
  }
  context.setLineDash([]);
}

function paintArc({ context, camera, seen }: Canvas, { from, to }: Arc): void {
  const { zoom } = camera;
  const y1 = from.y + from.height - 12;
  const y2 = anchor(to);
  const x1 = from.x + from.width;
  const x2 = to.x + to.width;
  const bulge = 34 + Math.min(70, Math.abs(y2 - y1) * 0.12);
  const right = Math.max(x1, x2) + bulge;
  if (Math.max(y1, y2) < seen.y || Math.min(y1, y2) > seen.y + seen.height) return;
  const place = (x: number, y: number): [number, number] => [x * zoom + camera.x, y * zoom + camera.y];
  context.setLineDash([6 * Math.min(1, zoom), 4 * Math.min(1, zoom)]);
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
}
