// What a user can do: each action changes the model, and has the view updated.

import { readPalette } from '../draw/palette';
import { pngOf, svgOf } from '../draw/picture';
import type { Item } from '../layout/items';
import { type Box, frameIndex, nodesOf, stacksIn } from '../merge/boxes';
import { nameOf } from '../merge/model';
import type { FindingRecord } from '../model/findings';
import { clip } from '../model/names';
import { counted } from '../model/numbers';
import { stackMarkdown, stackText } from '../model/stackText';
import type { TreeFrame } from '../model/tree';
import type { Actions } from './actions';
import { Filters } from './filters';

/** More boxes than these are not opened for a finding. */
const mostShown = 30;

export class Commands extends Filters implements Actions {
  choose(stack: number): void {
    const box = this.model.boxOf(stack);
    if (!box) return;
    this.viewer.details.element.hidden = false;
    this.viewer.details.showStack(this.model, stack, box);
    this.viewer.refresh();
  }

  click(key: string, on: Element, twice: boolean): void {
    if (this.stage.isIcicle) {
      const box = this.model.tree.boxes.find((one) => String(one.key) === key);
      if (box) this.lookAt([box]);
      return;
    }
    const item = this.stage.shown?.byKey.get(key);
    if (!item) return;
    const row = on.closest<HTMLElement>('[data-frame]')?.dataset.frame;
    if (item.beside) {
      if (item.beside.stack !== undefined) this.goTo(item.beside.stack);
    } else if (!item.box || on.closest('[data-fold]')) this.toggle(item);
    else if (on.closest('[data-gap]')) {
      this.model.fold.moreRows(item.box);
      this.viewer.update(key);
    } else {
      this.chooseItem(item, row === undefined ? -1 : Number(row));
      this.showDetails();
      if (row !== undefined && (this.viewer.host.panel || twice)) this.openCurrent();
    }
  }

  /** Folds or unfolds a box; "+N more" shows more. */
  toggle(item: Item): void {
    if (item.box) this.model.fold.toggle(item.box);
    else {
      this.model.fold.more(item.parent?.box?.key ?? 0);
      // The first box that "+N more" stood for takes its place.
      const roots = (): Item[] => this.stage.shown?.items.filter((one) => !one.parent && !one.beside) ?? [];
      const at = (item.parent?.children ?? roots()).indexOf(item);
      this.viewer.update(item.parent?.key);
      const siblings = item.parent ? this.stage.shown?.byKey.get(item.parent.key)?.children : roots();
      const next = siblings?.[at];
      if (next) this.chooseItem(next);
      return;
    }
    this.viewer.select(item);
    this.viewer.update(item.key);
  }

  /** Selects the frame above or below in the selected box. */
  stepFrame(by: 1 | -1): void {
    const frames = this.viewer.item?.rows.filter((row) => row.kind === 'frame') ?? [];
    const at = frames.findIndex((row) => row.index === this.viewer.frame);
    const next = frames[at + by];
    if (!next) return;
    this.viewer.frame = next.index;
    this.viewer.notices.say(`${next.name} ${next.place}`);
    this.viewer.refresh();
  }

  /** The stack that is meant by the selected box: that of the details, or its first one. */
  private stackOf(box: Box): number {
    const { details } = this.viewer;
    const shown = details.element.hidden ? -1 : details.current;
    const stacks = stacksIn(box, 2000);
    return stacks.includes(shown) ? shown : (stacks[0] ?? -1);
  }

  openCurrent(): void {
    const box = this.viewer.item?.box;
    if (!box) return;
    const stack = this.stackOf(box);
    const index = this.viewer.frame < 0 ? 0 : frameIndex(this.model.tree, box, this.viewer.frame, stack);
    this.open(stack, this.model.wholeIndex(stack, index), this.viewer.frame);
  }

  open(stack: number, index: number, row?: number): void {
    const { forest, tree } = this.model;
    const id = forest.stacks[stack]?.id;
    if (id === undefined) return;
    const box = row === undefined ? undefined : this.viewer.item?.box;
    const node = box && row !== undefined ? (nodesOf(tree, box)[row] ?? -1) : -1;
    this.viewer.host.open(id, index, tree.forest.frameOf(node), (text) => this.viewer.notices.show(text));
  }

  showDetails(): void {
    this.viewer.details.element.hidden = false;
    this.viewer.details.update(this.model, this.viewer.detailed);
    const { item } = this.viewer;
    if (item && !this.viewer.isTable) this.stage.reach(item);
  }

  /** Closes panels that are open over or beside the drawing. */
  closeDetails(): void {
    if (this.viewer.menu.close() || this.viewer.shell.closeLegend()) return;
    this.viewer.details.element.hidden = true;
    this.viewer.focusMain();
  }

  /** A stack by its id, or by its key. */
  goTo(stack: string): void {
    const { forest } = this.model;
    const known = forest.numberOf(stack);
    const number = known >= 0 ? known : forest.stacks.findIndex(({ key }) => key === stack);
    // The stack may be on a later page.
    this.viewer.wanted = number < 0 && !forest.complete ? stack : undefined;
    if (number >= 0 && forest.stacks[number]?.idle !== undefined && !this.model.drawsIdle) this.toggleIdle();
    const box = number < 0 ? undefined : this.model.boxOf(number);
    if (box && this.viewer.isTable) {
      this.viewer.table.select(number);
      this.choose(number);
    } else if (box) this.lookAt([box]);
    else if (forest.complete)
      this.viewer.notices.show(
        number < 0 ? `There is no stack ${clip(stack, 40)}.` : `${clip(stack, 40)} is hidden by the filters.`,
      );
  }

  goToFinding(id: string): void {
    const finding = this.model.forest.head?.findings.find((one) => one.id === id);
    this.viewer.wantedFinding = finding ? undefined : id;
    if (finding && this.model.chosen !== nameOf(finding)) this.showFinding(finding);
  }

  showFinding(finding: FindingRecord): void {
    const { model } = this;
    const { notices } = this.viewer;
    const again = model.chosen === nameOf(finding);
    model.chosen = again ? undefined : nameOf(finding);
    if (this.viewer.isTable && !again) this.showTable(false);
    const count = this.lookAt(model.accused.slice(0, mostShown));
    if (again) notices.say('No finding is shown in the picture.');
    else if (count > 0)
      notices.say(
        `${counted(count, 'box', 'boxes')} and ${counted(model.links.length, 'edge')} of ${finding.rule} in the picture`,
      );
    else notices.show('Its stacks are hidden by the filters, or not loaded yet.');
  }

  /** Opens boxes, and selects the first that is drawn; the number of those that are. */
  private lookAt(boxes: readonly Box[]): number {
    for (const box of boxes) this.model.fold.reveal(box, this.model.tree);
    this.viewer.update();
    const items = boxes.map((box) => this.stage.shown?.byKey.get(String(box.key))).filter((item) => item !== undefined);
    if (items[0]) this.chooseItem(items[0]);
    if (items.length > 1) this.stage.reachAll(items);
    return items.length;
  }

  showTable(shown: boolean): void {
    const { viewer } = this;
    const stack = viewer.item?.box ? this.stackOf(viewer.item.box) : -1;
    const current = viewer.table.current;
    viewer.showTable(shown);
    if (shown) viewer.table.select(stack);
    else if (viewer.details.element.hidden === false && current >= 0) {
      const box = this.model.boxOf(current);
      if (box) this.lookAt([box]);
    }
    viewer.refresh();
    viewer.focusMain();
    if (shown) viewer.notices.say(viewer.table.summary);
  }

  foldAll(): void {
    this.model.fold.close();
    this.viewer.select(this.stage.shown?.items.find(({ box }) => box !== undefined));
    this.viewer.update();
    this.stage.begin();
  }

  unfoldAll(): void {
    this.model.openAll();
    this.viewer.update();
  }

  zoom(factor: number): void {
    this.stage.zoomOn(this.viewer.item, factor);
  }

  fit(): void {
    this.stage.fit();
    if (this.stage.isIcicle) this.viewer.notices.say('All boxes as bars: each as high as it has stacks. A click opens one.');
  }

  export(): void {
    this.viewer.host.send({ type: 'export' });
  }

  exportPicture(format: 'svg' | 'png'): void {
    const { shown, layout, element } = this.stage;
    if (!shown || shown.items.length === 0) return;
    const palette = readPalette(element);
    const title = this.model.forest.head?.verdict ?? 'Async stacks';
    const data = format === 'svg' ? svgOf(shown, layout, palette, title) : pngOf(shown, layout, palette);
    if (data === undefined) this.viewer.notices.show('The picture is too big for a PNG: fold some of it, or take SVG.');
    else this.viewer.host.picture(format, data, 'async-stacks');
  }

  refreshTarget(): void {
    this.viewer.host.send({ type: 'refresh' });
  }

  stop(): void {
    this.viewer.host.send({ type: 'stop' });
  }

  save(): void {
    this.viewer.host.send({ type: 'save', notes: this.model.pins.all });
  }

  pinLook(pinned: boolean): void {
    this.model.pinned = pinned;
    this.viewer.host.send({ type: 'pin', pinned });
    this.viewer.refresh();
    this.viewer.notices.show(
      pinned ? 'Later looks are compared with this one.' : 'Each look is compared with the one before it.',
    );
  }

  debug(): void {
    this.viewer.host.send({ type: 'debug' });
  }

  members(stack: string, start: number): void {
    this.viewer.host.send({ type: 'members', stack, start });
  }

  copy(stack: number, form: 'text' | 'markdown' | 'link'): void {
    const one = this.model.forest.stacks[stack];
    if (!one) return;
    const say = (text: string): void => this.viewer.notices.show(text);
    const note = this.model.pins.of(one);
    if (form === 'link') {
      const key = one.key ?? one.id;
      this.viewer.host.copyLink(key, `#stack=${encodeURIComponent(key)}`, say);
    } else this.viewer.host.copy((form === 'text' ? stackText : stackMarkdown)(this.model.forest, one, note), say);
  }

  focusStack(stack: number): void {
    const id = this.model.forest.stacks[stack]?.id;
    if (id !== undefined) this.viewer.host.send({ type: 'select', stack: id });
  }

  pin(stack: number, note: string | undefined): void {
    const one = this.model.forest.stacks[stack];
    if (!one) return;
    if (note === undefined) this.model.pins.remove(one);
    else this.model.pins.set(one, note);
    this.stage.refreshCards();
    if (this.viewer.isTable) this.viewer.table.update(this.model);
    this.viewer.refresh();
  }

  askNote(stack: number): void {
    this.viewer.details.askNote(this.model, stack, this.model.boxOf(stack) ?? this.viewer.detailed);
  }

  menu(stack: number, frame: TreeFrame | undefined, x: number, y: number): void {
    this.viewer.menu.open(this.model, stack, frame, x, y);
  }

  /** The menu of a card: of its row under the pointer, or of the current frame. */
  menuOn(key: string | undefined, on: Element | undefined, x: number, y: number): void {
    const item = key === undefined ? this.viewer.item : this.stage.shown?.byKey.get(key);
    if (!item?.box) return;
    const row = on?.closest<HTMLElement>('[data-frame]')?.dataset.frame;
    if (item !== this.viewer.item || row !== undefined) this.chooseItem(item, row === undefined ? -1 : Number(row));
    const node = nodesOf(this.model.tree, item.box)[this.viewer.frame];
    this.menu(this.stackOf(item.box), node === undefined ? undefined : this.model.tree.forest.frameOf(node), x, y);
  }

  focusSearch(): void {
    this.viewer.toolbar.input.focus();
    this.viewer.toolbar.input.select();
  }
}
