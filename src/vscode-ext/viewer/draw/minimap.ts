// The whole tree, small, with the part that is in view. Tall trees are squeezed, so both directions have their own scale.
import type { Rect } from '../layout/camera';
import type { Layout } from '../layout/layout';
import { stateCounts } from '../layout/rows';
import { stateIndex } from '../model/states';
import type { Palette } from './palette';

const size = { width: 168, height: 116, inset: 6 } as const;

export class Minimap {
  private readonly picture = document.createElement('canvas');
  private layout: Layout | undefined;
  private scaleX = 1;
  private scaleY = 1;

  constructor(
    readonly canvas: HTMLCanvasElement,
    /** Called with the place in the drawing that the user points at. */
    goTo: (x: number, y: number) => void,
  ) {
    const point = (event: PointerEvent): void => {
      const box = canvas.getBoundingClientRect();
      goTo((event.clientX - box.left - size.inset) / this.scaleX, (event.clientY - box.top - size.inset) / this.scaleY);
    };
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      point(event);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (canvas.hasPointerCapture(event.pointerId)) point(event);
    });
  }

  /** Draws the tree once; later only the frame moves. */
  prepare(layout: Layout, palette: Palette): void {
    this.layout = layout;
    const ratio = devicePixelRatio;
    for (const canvas of [this.canvas, this.picture]) {
      canvas.width = size.width * ratio;
      canvas.height = size.height * ratio;
    }
    const fitX = (size.width - 2 * size.inset) / Math.max(1, layout.width);
    const fitY = (size.height - 2 * size.inset) / Math.max(1, layout.height);
    // A small tree keeps its proportions; a very long one fills the map.
    this.scaleX = Math.min(fitX, Math.max(fitY, fitX / 2), 0.12);
    this.scaleY = Math.min(fitY, Math.max(fitX, fitY / 2), 0.12);
    const context = this.picture.getContext('2d');
    if (!context) return;
    context.setTransform(ratio, 0, 0, ratio, size.inset * ratio, size.inset * ratio);
    for (const column of layout.columns) {
      for (const item of column) {
        const worst = stateCounts(item.states)[0]?.state;
        const ends = item.box?.ends.length || worst === 'deadlocked';
        context.fillStyle = (worst && ends ? palette.states[stateIndex(worst)] : palette.edge) ?? palette.edge;
        const width = Math.max(1, item.width * this.scaleX);
        context.fillRect(item.x * this.scaleX, item.y * this.scaleY, width, Math.max(0.7, item.height * this.scaleY));
      }
    }
  }

  /** Shows which part is in view; hides the map if everything is. */
  update(seen: Rect, palette: Palette): void {
    const { layout } = this;
    const context = this.canvas.getContext('2d');
    if (!layout || !context) return;
    const right = seen.x + seen.width + 1;
    const bottom = seen.y + seen.height + 1;
    const whole = seen.x <= 1 && seen.y <= 1 && right >= layout.width && bottom >= layout.height;
    this.canvas.hidden = whole;
    if (whole) return;
    const ratio = devicePixelRatio;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.picture, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, size.inset * ratio, size.inset * ratio);
    const x = Math.max(-3, seen.x * this.scaleX);
    const y = Math.max(-3, seen.y * this.scaleY);
    const width = Math.min(size.width - 2 * size.inset + 3, right * this.scaleX) - x;
    const height = Math.min(size.height - 2 * size.inset + 3, bottom * this.scaleY) - y;
    context.strokeStyle = palette.focus;
    context.lineWidth = 1.5;
    context.strokeRect(x, y, Math.max(3, width), Math.max(3, height));
  }
}
