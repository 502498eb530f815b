// The whole tree in a strip beside the drawing, with the part that is in view. Tall trees are squeezed, so both directions have their own scale.
import type { Rect } from '../layout/camera';
import type { Layout } from '../layout/layout';
import { stateCounts } from '../layout/rows';
import { stateIndex } from '../model/states';
import type { Palette } from './palette';

const inset = 6;

export class Minimap {
  private readonly picture = document.createElement('canvas');
  private layout: Layout | undefined;
  private palette: Palette | undefined;
  private scaleX = 1;
  private scaleY = 1;
  private size = { width: 0, height: 0 };

  constructor(
    readonly canvas: HTMLCanvasElement,
    /** Called with the place in the drawing that the user points at. */
    goTo: (x: number, y: number) => void,
  ) {
    const point = (event: PointerEvent): void => {
      const box = canvas.getBoundingClientRect();
      goTo((event.clientX - box.left - inset) / this.scaleX, (event.clientY - box.top - inset) / this.scaleY);
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
    this.palette = palette;
    this.size = { width: 0, height: 0 };
  }

  private paint(layout: Layout, palette: Palette, width: number, height: number): void {
    this.size = { width, height };
    const ratio = devicePixelRatio;
    for (const canvas of [this.canvas, this.picture]) Object.assign(canvas, { width: width * ratio, height: height * ratio });
    const fitX = (width - 2 * inset) / Math.max(1, layout.width);
    const fitY = (height - 2 * inset) / Math.max(1, layout.height);
    // A small tree keeps its proportions; a very long one fills the map.
    this.scaleX = Math.min(fitX, Math.max(fitY, fitX / 2), 0.12);
    this.scaleY = Math.min(fitY, Math.max(fitX, fitY / 2), 0.12);
    const context = this.picture.getContext('2d');
    if (!context) return;
    context.setTransform(ratio, 0, 0, ratio, inset * ratio, inset * ratio);
    for (const column of layout.columns) {
      for (const item of column) {
        const worst = stateCounts(item.states)[0]?.state;
        const ends = item.box?.ends.length || worst === 'deadlocked';
        context.fillStyle = (worst && ends ? palette.states[stateIndex(worst)] : palette.edge) ?? palette.edge;
        const part = Math.max(1, item.width * this.scaleX);
        context.fillRect(item.x * this.scaleX, item.y * this.scaleY, part, Math.max(0.7, item.height * this.scaleY));
      }
    }
  }

  /** Whether the map is of use: not everything is in view. */
  static isUseful(seen: Rect, layout: Layout): boolean {
    const right = seen.x + seen.width + 1;
    const bottom = seen.y + seen.height + 1;
    return !(seen.x <= 1 && seen.y <= 1 && right >= layout.width && bottom >= layout.height);
  }

  /** Shows which part is in view. */
  update(seen: Rect): void {
    const { layout, palette, canvas } = this;
    const context = canvas.getContext('2d');
    const { clientWidth, clientHeight } = canvas;
    if (!layout || !palette || !context || clientWidth === 0) return;
    if (this.size.width !== clientWidth || this.size.height !== clientHeight)
      this.paint(layout, palette, clientWidth, clientHeight);
    const ratio = devicePixelRatio;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(this.picture, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, inset * ratio, inset * ratio);
    const x = Math.max(-3, seen.x * this.scaleX);
    const y = Math.max(-3, seen.y * this.scaleY);
    const width = Math.min(clientWidth - 2 * inset + 3, (seen.x + seen.width) * this.scaleX) - x;
    const height = Math.min(clientHeight - 2 * inset + 3, (seen.y + seen.height) * this.scaleY) - y;
    context.strokeStyle = palette.focus;
    context.lineWidth = 1.5;
    context.strokeRect(x, y, Math.max(3, width), Math.max(3, height));
  }
}
