// The drawing: a canvas for lines, cards over it, the minimap, and the camera. Draws at most once per animation frame.

import { Camera, type Rect } from '../layout/camera';
import { itemsWithin } from '../layout/columns';
import type { Item, Shown } from '../layout/items';
import { type Layout, layOut } from '../layout/layout';
import { faceOf } from '../layout/measure';
import type { Link } from '../model/links';
import { type Arc, arcsOf, paintArcs, roomOf } from './arcs';
import { Cards } from './cards';
import { el } from './dom';
import type { Highlights } from './highlights';
import { Minimap } from './minimap';
import { paintBoxes, paintEdges, readable } from './paint';
import { type Palette, readPalette, watchTheme } from './palette';

const nothing: Highlights = { selected: undefined, frame: 0, found: undefined };

export class Stage {
  /** Has the role of a tree and the focus. */
  readonly element = el('div', 'stage');
  readonly camera = new Camera();
  shown: Shown | undefined;
  layout: Layout = layOut([]);
  highlights: Highlights = nothing;
  /** When the width available to boxes changes. */
  narrowed: () => void = () => {};
  /** After the camera has moved. */
  moved: () => void = () => {};

  private readonly lines = el('canvas', 'lines');
  private readonly over = el('canvas', 'lines over');
  private readonly world = el('div', 'world');
  private readonly cards = new Cards(this.world, this.element);
  private readonly minimap = new Minimap(el('canvas', 'minimap'), (x, y) => this.centre(x, y));
  private arcs: readonly Arc[] = [];
  private palette: Palette | undefined;
  private asked = 0;
  private widest = 0;

  constructor() {
    this.element.tabIndex = 0;
    this.element.setAttribute('role', 'tree');
    this.element.setAttribute('aria-label', 'Stacks');
    this.minimap.canvas.setAttribute('aria-hidden', 'true');
    for (const canvas of [this.lines, this.over]) canvas.setAttribute('aria-hidden', 'true');
  }

  /** Adds the drawing to the page. */
  mount(parent: HTMLElement): void {
    this.element.append(this.lines, this.world, this.over);
    parent.append(this.element, this.minimap.canvas);
    new ResizeObserver(() => this.resize()).observe(this.element);
    watchTheme(() => this.recolour());
  }

  private resize(): void {
    const { widest } = faceOf(this.element);
    if (this.width > 0 && widest !== this.widest) this.narrowed();
    this.widest = widest;
    this.redraw();
  }

  get width(): number {
    return this.element.clientWidth;
  }

  get height(): number {
    return this.element.clientHeight;
  }

  /** Shows other items; `anchor` keeps its place on the screen if it was shown before. */
  show(shown: Shown, anchor: string | undefined, links: readonly Link[]): void {
    const before = anchor === undefined ? undefined : this.shown?.byKey.get(anchor);
    this.shown = shown;
    this.layout = layOut(shown.items);
    this.arcs = arcsOf(shown, links);
    const after = anchor === undefined ? undefined : shown.byKey.get(anchor);
    if (before && after) this.camera.move((before.x - after.x) * this.camera.zoom, (before.y - after.y) * this.camera.zoom);
    this.cards.reset();
    this.palette ??= readPalette(this.element);
    this.minimap.prepare(this.layout, this.palette);
    this.redraw();
  }

  /** Moves the camera to an item, as little as necessary. */
  reach(item: Item): void {
    // For a long box only the head matters.
    const part = { x: item.x, y: item.y, width: item.width, height: Math.min(item.height, 160) };
    this.camera.show(part, this.width, this.height);
    this.redraw();
  }

  /** Moves the camera so that several items are in view, if they can be read there; else to the first. */
  reachAll(items: readonly Item[]): void {
    const [first] = items;
    if (!first) return;
    const left = Math.min(...items.map(({ x }) => x));
    const top = Math.min(...items.map(({ y }) => y));
    const width = Math.max(...items.map((item) => item.x + item.width)) - left + roomOf(this.arcs);
    const height = Math.max(...items.map((item) => item.y + item.height)) - top;
    const zoom = Math.min(1, this.width / (width + 40), this.height / (height + 40));
    if (zoom < readable) {
      this.reach(first);
      return;
    }
    Object.assign(this.camera, {
      zoom,
      x: (this.width - width * zoom) / 2 - left * zoom,
      y: (this.height - height * zoom) / 2 - top * zoom,
    });
    this.redraw();
  }

  fit(): void {
    this.camera.fit(this.layout, this.width, this.height);
    this.redraw();
  }

  /** The first view: everything if that is readable, else the upper left corner. */
  begin(): void {
    this.camera.fit(this.layout, this.width, this.height);
    if (this.camera.zoom < 0.75) Object.assign(this.camera, { zoom: 1, x: 0, y: 0 });
    this.redraw();
  }

  zoom(factor: number, x = this.width / 2, y = this.height / 2): void {
    this.camera.zoomAt(factor, x, y);
    this.redraw();
  }

  move(dx: number, dy: number): void {
    this.camera.move(dx, dy);
    this.redraw();
  }

  /** Key of the item at a place of the window, also for painted boxes. */
  keyAt(clientX: number, clientY: number): string | undefined {
    const box = this.element.getBoundingClientRect();
    const { x, y, zoom } = this.camera;
    const part = { x: (clientX - box.left - x) / zoom, y: (clientY - box.top - y) / zoom, width: 0, height: 0 };
    let key: string | undefined;
    itemsWithin(this.layout, part, (item) => {
      key = item.key;
    });
    return key;
  }

  redraw(): void {
    this.asked ||= requestAnimationFrame(() => {
      this.asked = 0;
      this.draw();
    });
  }

  private centre(x: number, y: number): void {
    this.camera.x = this.width / 2 - x * this.camera.zoom;
    this.camera.y = this.height / 2 - y * this.camera.zoom;
    this.redraw();
  }

  private recolour(): void {
    this.palette = readPalette(this.element);
    this.minimap.prepare(this.layout, this.palette);
    this.redraw();
  }

  private draw(): void {
    const { shown, palette, camera, layout } = this;
    if (!shown || !palette || this.width === 0) return;
    // An empty drawing is being loaded again: the camera waits for it.
    if (shown.items.length > 0) camera.hold(layout, this.width, this.height);
    const seen = camera.seen(this.width, this.height);
    const small = camera.zoom < readable;
    const paper = this.prepare(this.lines);
    if (paper) {
      const canvas = { context: paper, camera, palette, seen, layout };
      paintEdges(canvas);
      paintArcs(canvas, this.arcs, this.highlights.selected, false);
      if (small) paintBoxes(canvas, this.highlights);
    }
    this.drawArcs(palette, seen);
    this.world.style.transform = `translate(${camera.x}px, ${camera.y}px) scale(${camera.zoom})`;
    this.cards.update(shown, layout, seen, this.highlights, small);
    this.minimap.update(seen, palette);
    this.moved();
  }

  private drawArcs(palette: Palette, seen: Rect): void {
    this.over.hidden = this.arcs.length === 0;
    if (this.over.hidden) return;
    const context = this.prepare(this.over);
    if (!context) return;
    paintArcs({ context, camera: this.camera, palette, seen, layout: this.layout }, this.arcs, this.highlights.selected, true);
  }

  /** An empty canvas as big as the view, in pixels of the screen. */
  private prepare(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
    const ratio = devicePixelRatio;
    const width = Math.round(this.width * ratio);
    const height = Math.round(this.height * ratio);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const context = canvas.getContext('2d');
    context?.setTransform(1, 0, 0, 1, 0, 0);
    context?.clearRect(0, 0, width, height);
    context?.setTransform(ratio, 0, 0, ratio, 0, 0);
    return context;
  }
}
