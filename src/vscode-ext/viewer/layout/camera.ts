// Converts between places in the drawing and on the screen: screen = world * zoom + offset.

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** `fit` is the smallest zoom at which boxes are distinguishable. */
export const zoomLimits = { least: 0.01, fit: 0.1, most: 2 } as const;

export class Camera {
  x = 0;
  y = 0;
  zoom = 1;

  /** The part of the drawing that a view of this size shows. */
  seen(width: number, height: number): Rect {
    return { x: -this.x / this.zoom, y: -this.y / this.zoom, width: width / this.zoom, height: height / this.zoom };
  }

  move(dx: number, dy: number): void {
    this.x += dx;
    this.y += dy;
  }

  /** Zooms around this place of the screen. */
  zoomAt(factor: number, x: number, y: number): void {
    const zoom = Math.min(zoomLimits.most, Math.max(zoomLimits.least, this.zoom * factor));
    this.x = x - ((x - this.x) * zoom) / this.zoom;
    this.y = y - ((y - this.y) * zoom) / this.zoom;
    this.zoom = zoom;
  }

  /** Shows the whole drawing, at most at full size, or the beginning of a drawing that would shrink to a line. */
  fit(drawing: { width: number; height: number }, width: number, height: number): void {
    const zoom = Math.min(width / Math.max(1, drawing.width), height / Math.max(1, drawing.height), 1);
    this.zoom = Math.max(zoomLimits.fit, zoom);
    this.x = Math.max(0, (width - drawing.width * this.zoom) / 2);
    this.y = Math.max(0, (height - drawing.height * this.zoom) / 2);
  }

  /** Moves as little as necessary to bring a part of the drawing into view; its upper left corner has priority. */
  show(part: Rect, width: number, height: number, margin = 24): void {
    this.x += nudge(part.x * this.zoom + this.x, part.width * this.zoom, width, margin);
    this.y += nudge(part.y * this.zoom + this.y, part.height * this.zoom, height, margin);
  }

  /** Keeps the drawing in view: all of a small one, and no more than a margin beside a big one. */
  hold(drawing: { width: number; height: number }, width: number, height: number): void {
    this.x = held(this.x, drawing.width * this.zoom, width);
    this.y = held(this.y, drawing.height * this.zoom, height);
  }
}

/** Margin beside a drawing that is bigger than the view: more than the minimap covers. */
const beside = 150;

function held(start: number, length: number, room: number): number {
  if (length <= room) return Math.min(room - length, Math.max(0, start));
  return Math.min(beside, Math.max(room - length - beside, start));
}

function nudge(start: number, length: number, room: number, margin: number): number {
  if (start < margin || length > room - 2 * margin) return margin - start;
  return Math.min(0, room - margin - length - start);
}
