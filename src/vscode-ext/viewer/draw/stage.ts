// The drawing: a canvas for lines, cards over it, the minimap, and the camera. Draws at most once per animation frame.

import { Camera, type Rect, zoomLimits } from '../layout/camera';
import { itemsWithin } from '../layout/columns';
import type { Item, Shown } from '../layout/items';
import { type Layout, layOut } from '../layout/layout';
import { faceOf } from '../layout/measure';
import type { Link } from '../model/links';
import { type Arc, arcsOf, paintArcs, roomOf } from './arcs';
import type { CardNotes } from './card';
import { Cards } from './cards';
import { el } from './dom';
import type { Highlights } from './highlights';
import { type Bar, barAt, barsOf, paintBars } from './icicle';
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
  /** What a card shows besides frames. */
  notesOf: (item: Item) => CardNotes = () => ({});
  /** All boxes as bars, because they do not fit as cards. */
  isIcicle = false;

  private readonly lines = el('canvas', 'lines');
  private readonly over = el('canvas', 'lines over');
  private readonly world = el('div', 'world');
  private readonly cards = new Cards(this.world, this.element, (item) => this.notesOf(item));
  private readonly minimap = new Minimap(el('canvas', 'minimap'), (x, y) => this.centre(x, y));
  private arcs: readonly Arc[] = [];
  private bars: readonly Bar[] = [];
  private palette: Palette | undefined;
  private asked = 0;
  private room = '';
  /** Nobody has moved the first view. */
  private isFirst = false;

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
    this.minimap.canvas.hidden = true;
    new ResizeObserver(() => this.resize()).observe(this.element);
    watchTheme(() => this.recolour());
  }

  private resize(): void {
    const { widest } = faceOf(this.element);
    // How many boxes stand beside each other depends on the width, too.
    const room = `${widest} ${Math.floor(this.width / 240)}`;
    if (this.width > 0 && room !== this.room) this.narrowed();
    this.room = room;
    if (this.isFirst) this.begin();
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
    const { x, y } = this.camera;
    this.camera.show(part, this.width, this.height);
    this.isFirst &&= x === this.camera.x && y === this.camera.y;
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
    this.isFirst = false;
    Object.assign(this.camera, {
      zoom,
      x: (this.width - width * zoom) / 2 - left * zoom,
      y: (this.height - height * zoom) / 2 - top * zoom,
    });
    this.redraw();
  }

  /** Shows all: as cards if they are big enough, else as bars. */
  fit(): void {
    this.isFirst = false;
    this.isIcicle =
      Math.min(this.width / Math.max(1, this.layout.width), this.height / Math.max(1, this.layout.height)) < zoomLimits.fit;
    if (!this.isIcicle) this.camera.fit(this.layout, this.width, this.height);
    this.redraw();
  }

  /** Back to cards. */
  leaveIcicle(): void {
    if (!this.isIcicle) return;
    this.isIcicle = false;
    this.redraw();
  }

  /** Cards show something else besides frames. */
  refreshCards(): void {
    this.cards.refresh();
    this.redraw();
  }

  /** The first view: everything if that is readable, else the upper left corner; or as it was kept. Follows the size of the window until it is moved. */
  begin(kept?: { readonly x: number; readonly y: number; readonly zoom: number }): void {
    this.isFirst = kept === undefined;
    this.camera.fit(this.layout, this.width, this.height);
    if (this.camera.zoom < 0.75) Object.assign(this.camera, { zoom: 1, x: 0, y: 0 });
    Object.assign(this.camera, kept);
    this.redraw();
  }

  zoom(factor: number, x = this.width / 2, y = this.height / 2): void {
    if (this.isIcicle && factor > 1) this.leaveIcicle();
    this.isFirst = false;
    this.camera.zoomAt(factor, x, y);
    this.redraw();
  }

  /** Zooms by key: around the selected item, which stays in view. */
  zoomOn(item: Item | undefined, factor: number): void {
    if (!item) {
      this.zoom(factor);
      return;
    }
    const { camera } = this;
    const head = Math.min(item.height, 40) / 2;
    const x = Math.min(this.width, Math.max(0, (item.x + item.width / 2) * camera.zoom + camera.x));
    const y = Math.min(this.height, Math.max(0, (item.y + head) * camera.zoom + camera.y));
    this.zoom(factor, x, y);
    this.reach(item);
  }

  move(dx: number, dy: number): void {
    this.isFirst = false;
    this.camera.move(dx, dy);
    this.redraw();
  }

  /** Key of the item at a place of the window, also for painted boxes. */
  keyAt(clientX: number, clientY: number): string | undefined {
    const box = this.element.getBoundingClientRect();
    if (this.isIcicle) {
      const bar = barAt(this.bars, clientX - box.left, clientY - box.top);
      return bar && String(bar.box.key);
    }
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
    this.isFirst = false;
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
    const small = this.isIcicle || camera.zoom < readable;
    const paper = this.prepare(this.lines);
    if (paper && this.isIcicle) this.drawBars(paper, shown, palette);
    else if (paper) {
      const canvas = { context: paper, camera, palette, seen, layout };
      paintEdges(canvas);
      // Boxes that a finding dims let lines under them through.
      if (!this.highlights.finding) paintArcs(canvas, this.arcs, this.highlights.selected, false);
      if (small) paintBoxes(canvas, this.highlights);
    }
    this.drawArcs(palette, seen);
    this.world.style.transform = `translate(${camera.x}px, ${camera.y}px) scale(${camera.zoom})`;
    this.cards.update(shown, layout, seen, this.highlights, small);
    this.element.classList.toggle('icicle', this.isIcicle);
    this.element.classList.toggle('dims', this.highlights.finding !== undefined);
    this.drawMap(seen, layout);
    this.moved();
  }

  private drawBars(paper: CanvasRenderingContext2D, { tree }: Shown, palette: Palette): void {
    this.bars = barsOf(tree, this.width, this.height);
    const { selected, finding, found } = this.highlights;
    paintBars(paper, tree, this.bars, palette, { selected, accused: finding?.boxes, found: found?.boxes });
  }

  private drawMap(seen: Rect, layout: Layout): void {
    const isUseful = !this.isIcicle && Minimap.isUseful(seen, layout);
    // The drawing gets the room of the map, which could then be of use again: it stays until all would fit without it.
    const { canvas } = this.minimap;
    if (canvas.hidden && isUseful) canvas.hidden = false;
    else if (!canvas.hidden && !isUseful) canvas.hidden = true;
    if (!canvas.hidden) this.minimap.update(seen);
  }

  private drawArcs(palette: Palette, seen: Rect): void {
    this.over.hidden = this.arcs.length === 0 || this.isIcicle;
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
