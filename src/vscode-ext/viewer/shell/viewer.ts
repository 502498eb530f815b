// Connects the parts: messages and the user's actions change the model, and the view is updated.

import { Stage } from '../draw/stage';
import { type Item, itemOf, showItems, usualFrame } from '../layout/items';
import { faceOf } from '../layout/measure';
import { type Box, type Direction, frameIndex, nodesOf, stacksIn } from '../model/boxes';
import type { ToViewer } from '../model/messages';
import { Model } from '../model/model';
import type { FindingRecord, StackState } from '../model/tree';
import type { Actions } from './actions';
import { Banner, toggleFinding } from './banner';
import { Details } from './details';
import { Header } from './header';
import type { Host } from './host';
import { recall, remember } from './memory';
import { Notices } from './notices';
import { followPointer } from './pointer';
import { Shell } from './shell';
import { hitWords, Toolbar } from './toolbar';

/** Pages that come in quick succession are merged only now and then. */
const delay = 250;

export class Viewer implements Actions {
  readonly stage = new Stage();
  readonly model = new Model();
  readonly notices = new Notices();
  private readonly toolbar: Toolbar;
  private readonly header = new Header(this);
  private readonly banner: Banner;
  private readonly details: Details;
  private readonly shell: Shell;
  private selected: string | undefined;
  private frame = -1;
  private hit = -1;
  private began = false;
  /** The filters match no stack. */
  private emptied = false;
  private waiting: number | undefined;
  private wanted: string | undefined;
  private camera: { x: number; y: number; zoom: number } | undefined;

  constructor(
    root: HTMLElement,
    private readonly host: Host,
  ) {
    this.toolbar = new Toolbar(this, host.panel);
    this.banner = new Banner(this, () => this.stage.element.focus());
    this.details = new Details(this, !host.panel, () => this.closeDetails());
    const kept = recall(host.load(), this.model);
    this.selected = kept.selected;
    this.camera = kept.camera;
    const { header, toolbar, stage, details, notices } = this;
    this.shell = new Shell(root, host.panel, {
      header: header.element,
      banner: this.banner.element,
      toolbar,
      stage,
      details,
      notices,
    });
    followPointer(stage, { card: (key, on, twice) => this.click(key, on, twice) });
    stage.moved = () => this.keep();
    stage.narrowed = () => this.update();
    this.update();
  }

  receive(message: ToViewer): void {
    if (message.type === 'page') this.addPage(message);
    else if (message.type === 'focus') this.goTo(message.stack);
    else if (message.type === 'failed') this.shell.say(message.text, true);
    else if (message.type === 'reset') {
      this.model.reset();
      this.shell.say('Loading stacks\u2026', false);
      this.update();
    }
  }

  private addPage({ page }: Extract<ToViewer, { type: 'page' }>): void {
    try {
      if (!this.model.add(page)) return;
    } catch (error) {
      this.shell.say(String(error), true);
      return;
    }
    if (!this.began || this.model.forest.complete) this.mergePages();
    else this.waiting ??= window.setTimeout(() => this.mergePages(), delay);
  }

  private mergePages(): void {
    clearTimeout(this.waiting);
    this.waiting = undefined;
    this.remerge();
    const { forest, tree } = this.model;
    if (forest.complete) this.notices.say(`${tree.count} stacks loaded`);
    if (this.wanted !== undefined) this.goTo(this.wanted);
  }

  /** After pages, direction or filters have changed. */
  private remerge(): void {
    const before = this.selected;
    this.model.merge();
    this.hit = -1;
    this.update();
    const { forest, tree } = this.model;
    // The view must not stay where there is nothing.
    if (this.item && (this.selected !== before || this.emptied)) this.stage.reach(this.item);
    this.emptied = tree.count === 0 && forest.stacks.length > 0;
    if (tree.count > 0) this.shell.say('', false);
    else if (forest.stacks.length > 0) this.shell.say('No stack matches the filters.', false);
    else if (forest.complete) this.shell.say(forest.head?.verdict ?? 'There are no stacks.', false);
  }

  /** Shows the model in its current state; `anchor` is the item that keeps its place. */
  private update(anchor = this.selected): void {
    const { model, stage } = this;
    const shown = showItems(model.tree, model.fold, faceOf(stage.element));
    // While a new tree is loading, the old selection is kept for it.
    const gone = this.selected === undefined || !shown.byKey.has(this.selected);
    if (gone && shown.items.length > 0) this.select(shown.items[0]);
    const item = this.selected === undefined ? undefined : shown.byKey.get(this.selected);
    if (item && this.frame < 0) this.select(item);
    stage.show(shown, anchor ?? shown.items[0]?.key, model.links);
    if (!this.began && shown.items.length > 0) this.begin();
    this.refresh();
  }

  private begin(): void {
    this.began = true;
    this.stage.begin();
    if (this.camera) Object.assign(this.stage.camera, this.camera);
  }

  /** Shows selection and search hits, without a new layout. */
  private refresh(): void {
    const { model, stage } = this;
    stage.highlights = { selected: this.selected, frame: this.frame, found: model.found, finding: model.shownFinding };
    stage.redraw();
    this.banner.update(model);
    this.toolbar.update(model, this.hit);
    this.header.update(model);
    if (!this.details.element.hidden) this.details.update(model, this.item?.box);
    this.keep();
  }

  get item(): Item | undefined {
    return this.selected === undefined ? undefined : this.stage.shown?.byKey.get(this.selected);
  }

  private select(item: Item | undefined): void {
    this.selected = item?.key;
    this.frame = item?.box ? usualFrame(item, this.model.direction) : -1;
  }

  choose(item: Item, frame = -1): void {
    this.select(item);
    if (frame >= 0) this.frame = frame;
    this.refresh();
    this.stage.reach(item);
  }

  private click(key: string, on: Element, twice: boolean): void {
    const item = this.stage.shown?.byKey.get(key);
    if (!item) return;
    const row = on.closest<HTMLElement>('[data-frame]')?.dataset.frame;
    if (!item.box || on.closest('[data-fold]')) this.toggle(item);
    else if (on.closest('[data-gap]')) {
      this.model.fold.moreRows(item.box);
      this.update(key);
    } else {
      this.choose(item, row === undefined ? -1 : Number(row));
      this.showDetails();
      if (row !== undefined && (this.host.panel || twice)) this.openCurrent();
    }
  }

  /** Folds or unfolds a box; "+N more" shows more. */
  toggle(item: Item): void {
    if (item.box) this.model.fold.toggle(item.box);
    else {
      this.model.fold.more(item.parent?.box?.key ?? 0);
      // The first box that "+N more" stood for takes its place.
      const at = (item.parent?.children ?? this.stage.shown?.items.filter((one) => !one.parent) ?? []).indexOf(item);
      this.update(item.parent?.key);
      const siblings = item.parent ? this.stage.shown?.byKey.get(item.parent.key)?.children : this.stage.layout.columns[0];
      const next = siblings?.[at];
      if (next) this.choose(next);
      return;
    }
    this.select(item);
    this.update(item.key);
  }

  /** Selects the frame above or below in the selected box. */
  stepFrame(by: 1 | -1): void {
    const frames = this.item?.rows.filter((row) => row.kind === 'frame') ?? [];
    const at = frames.findIndex((row) => row.index === this.frame);
    const next = frames[at + by];
    if (!next) return;
    this.frame = next.index;
    this.notices.say(`${next.name} ${next.place}`);
    this.refresh();
  }

  openCurrent(): void {
    const box = this.item?.box;
    if (!box) return;
    const shown = this.details.element.hidden ? -1 : this.details.current;
    const stacks = stacksIn(box, 2000);
    const stack = stacks.includes(shown) ? shown : (stacks[0] ?? -1);
    this.open(stack, this.frame < 0 ? 0 : frameIndex(this.model.tree, box, this.frame, stack), this.frame);
  }

  open(stack: number, index: number, row?: number): void {
    const { forest, tree } = this.model;
    const id = forest.stacks[stack]?.id;
    if (id === undefined) return;
    const box = row === undefined ? undefined : this.item?.box;
    const node = box && row !== undefined ? (nodesOf(tree, box)[row] ?? -1) : -1;
    this.host.open(id, index, forest.frameOf(node), (text) => this.notices.show(text));
  }

  showDetails(): void {
    this.details.element.hidden = false;
    this.details.update(this.model, this.item?.box);
    const { item } = this;
    if (item) this.stage.reach(item);
  }

  /** Closes panels that are open over or beside the drawing. */
  closeDetails(): void {
    if (this.shell.closeLegend()) return;
    this.details.element.hidden = true;
    this.stage.element.focus();
  }

  goTo(stack: string): void {
    const number = this.model.forest.numberOf(stack);
    // The stack may be on a later page.
    this.wanted = number < 0 && !this.model.forest.complete ? stack : undefined;
    if (number >= 0 && this.model.forest.stacks[number]?.idle !== undefined && !this.model.drawsIdle) this.toggleIdle();
    const box = number < 0 ? undefined : this.model.boxOf(number);
    if (box) this.lookAt([box]);
    else if (this.model.forest.complete)
      this.notices.show(number < 0 ? `There is no stack ${stack}.` : `${stack} is hidden by the filters.`);
  }

  showFinding(finding: FindingRecord): void {
    toggleFinding(this, finding);
  }

  /** Opens boxes, and selects the first that is drawn; the number of those that are. */
  lookAt(boxes: readonly Box[]): number {
    for (const box of boxes) this.model.fold.reveal(box, this.model.tree);
    this.update();
    const items = boxes.map((box) => this.stage.shown?.byKey.get(String(box.key))).filter((item) => item !== undefined);
    if (items[0]) this.choose(items[0]);
    if (items.length > 1) this.stage.reachAll(items);
    return items.length;
  }

  search(query: string): void {
    this.model.query = query;
    if (this.model.onlyFound) this.remerge();
    else this.model.applySearch();
    this.hit = -1;
    if (this.model.found && this.model.found.hits.length > 0) this.step(1);
    else this.refresh();
    this.notices.say(hitWords(this.model, this.hit));
  }

  step(by: 1 | -1): void {
    const hits = this.model.found?.hits ?? [];
    if (hits.length === 0) return;
    this.hit = this.hit < 0 ? (by > 0 ? 0 : hits.length - 1) : (this.hit + by + hits.length) % hits.length;
    const hit = hits[this.hit];
    if (!hit) return;
    this.model.fold.reveal(hit.box, this.model.tree, hit.frame);
    this.update();
    const item = this.stage.shown && itemOf(this.stage.shown, hit.box);
    if (item) this.choose(item, hit.frame);
    this.notices.say(hitWords(this.model, this.hit));
  }

  filterFound(only: boolean): void {
    this.model.onlyFound = only;
    this.remerge();
  }

  toggleState(state: StackState): void {
    const { hidden } = this.model;
    if (!hidden.delete(state)) hidden.add(state);
    this.remerge();
  }

  toggleIdle(): void {
    this.model.withIdle = !this.model.withIdle;
    this.remerge();
  }

  turn(direction: Direction): void {
    if (this.model.direction === direction) return;
    this.model.direction = direction;
    this.selected = undefined;
    this.remerge();
    this.stage.begin();
  }

  foldAll(): void {
    this.model.fold.close();
    this.select(this.stage.shown?.items[0]);
    this.update();
    this.stage.begin();
  }

  unfoldAll(): void {
    this.model.openAll();
    this.update();
  }

  zoom(factor: number): void {
    this.stage.zoom(factor);
  }

  fit(): void {
    this.stage.fit();
  }

  export(): void {
    this.host.send({ type: 'export' });
  }

  refreshTarget(): void {
    this.host.send({ type: 'refresh' });
  }

  focusSearch(): void {
    this.toolbar.input.focus();
    this.toolbar.input.select();
  }

  private keep(): void {
    if (!this.began) return;
    clearTimeout(this.saving);
    this.saving = window.setTimeout(() => this.host.save(remember(this.model, this.stage.camera, this.selected)), delay);
  }

  private saving: number | undefined;
}
