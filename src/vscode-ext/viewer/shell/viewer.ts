// Connects the parts: messages change the model, and the view is updated. What a user can do is in commands.ts.

import { Stage } from '../draw/stage';
import { type Item, showItems, usualFrame } from '../layout/items';
import { faceOf } from '../layout/measure';
import type { Box } from '../merge/boxes';
import { Model } from '../merge/model';
import { duration, heatOf } from '../model/ages';
import { fateWords } from '../model/fates';
import type { ToViewer } from '../model/messages';
import { fragmentOf, readFragment } from './address';
import { Banner } from './banner';
import { Commands } from './commands';
import { Details } from './details';
import { Header } from './header';
import type { Host } from './host';
import { recall, remember } from './memory';
import { Menu } from './menu';
import { Notices } from './notices';
import { followPointer } from './pointer';
import { printAs } from './print';
import { Shell } from './shell';
import { Table } from './table';
import { Toolbar } from './toolbar';

/** Pages that come in quick succession are merged only now and then. */
const delay = 250;

export class Viewer {
  readonly stage = new Stage();
  readonly model = new Model();
  readonly notices = new Notices();
  readonly commands: Commands;
  readonly table: Table;
  readonly details: Details;
  readonly menu: Menu;
  readonly toolbar: Toolbar;
  readonly shell: Shell;
  private readonly header: Header;
  private readonly banner: Banner;
  selected: string | undefined;
  frame = -1;
  /** Number of the current search hit; -1 for none. */
  hit = -1;
  /** A stack that was asked for before its page came. */
  wanted: string | undefined;
  /** A finding that was asked for before its page came. */
  wantedFinding: string | undefined;
  private ended = false;
  private began = false;
  /** The filters match no stack. */
  private emptied = false;
  private waiting: number | undefined;
  private saving: number | undefined;
  private camera: { x: number; y: number; zoom: number } | undefined;

  constructor(
    root: HTMLElement,
    readonly host: Host,
  ) {
    this.commands = new Commands(this);
    const { commands } = this;
    this.toolbar = new Toolbar(commands, host.panel, host.debugs);
    this.header = new Header(commands);
    this.banner = new Banner(commands, () => this.focusMain());
    this.details = new Details(commands, !host.panel, () => commands.closeDetails());
    this.table = new Table(commands);
    this.menu = new Menu(commands, host.panel && !host.debugs, (stack) => commands.askNote(stack));
    const isTable = this.recall();
    const { header, toolbar, stage, details, notices, banner, table, menu } = this;
    this.shell = new Shell(root, host.panel, {
      ...{ header: header.element, banner: banner.element, toolbar, stage, details, notices },
      ...{ table: table.element, menu: menu.element },
    });
    this.listen(root);
    this.showTable(isTable);
    this.update();
  }

  /** What was kept when it was hidden, and what the address says; whether the table is shown. */
  private recall(): boolean {
    const kept = recall(this.host.load(), this.model);
    this.selected = kept.selected;
    this.camera = kept.camera;
    const place = this.host.panel ? { table: kept.table } : readFragment(location.hash, this.model);
    if ('stack' in place) this.wanted = place.stack;
    return place.table;
  }

  private listen(root: HTMLElement): void {
    const { stage, commands } = this;
    followPointer(stage, {
      card: (key, on, twice) => commands.click(key, on, twice),
      menu: (key, on, x, y) => commands.menuOn(key, on, x, y),
    });
    stage.moved = () => this.keep();
    stage.narrowed = () => this.update();
    stage.notesOf = (item) => this.notesOf(item);
    window.addEventListener('beforeprint', () => printAs(this.shell.paper, this.model));
    if (!this.host.panel)
      window.addEventListener('hashchange', () => {
        const place = readFragment(location.hash, this.model);
        this.showTable(place.table);
        this.remerge();
        if (place.stack !== undefined) commands.goTo(place.stack);
      });
    root.addEventListener('contextmenu', (event) => {
      // The editor's own menu has nothing for the picture.
      if (this.host.panel && !(event.target instanceof HTMLInputElement)) event.preventDefault();
    });
  }

  receive(message: ToViewer): void {
    if (message.type === 'page') this.addPage(message);
    else if (message.type === 'focus') this.commands.goTo(message.stack);
    else if (message.type === 'finding') this.commands.goToFinding(message.id);
    else if (message.type === 'members')
      this.details.members.receive(message.stack, message.start, message.equal, message.failed);
    else if (message.type === 'ended') {
      this.ended = true;
      this.refresh();
    } else if (message.type === 'failed') this.shell.say(message.text, true);
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
    if (this.wanted !== undefined) this.commands.goTo(this.wanted);
    if (this.wantedFinding !== undefined && forest.head) this.commands.goToFinding(this.wantedFinding);
  }

  /** After pages, direction or filters have changed. */
  remerge(): void {
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
  update(anchor = this.selected): void {
    const { model, stage } = this;
    const shown = showItems(model.tree, model.fold, faceOf(stage.element), model.shownFinding?.boxes);
    // While a new tree is loading, the old selection is kept for it.
    const gone = this.selected === undefined || !shown.byKey.has(this.selected);
    if (gone && shown.items.length > 0) this.select(shown.items.find(({ box }) => box !== undefined));
    const item = this.selected === undefined ? undefined : shown.byKey.get(this.selected);
    if (item && this.frame < 0) this.select(item);
    stage.show(shown, anchor ?? shown.items[0]?.key, model.links);
    if (!this.began && shown.items.length > 0) this.begin();
    if (this.isTable) this.table.update(model);
    this.refresh();
  }

  private begin(): void {
    this.began = true;
    this.stage.begin(this.camera);
  }

  /** Shows selection and search hits, without a new layout. */
  refresh(): void {
    const { model, stage } = this;
    stage.highlights = { selected: this.selected, frame: this.frame, found: model.found, finding: model.shownFinding };
    stage.redraw();
    this.banner.update(model);
    this.toolbar.update(model, this.hit, { table: this.isTable, ended: this.ended });
    this.header.update(model);
    if (!this.details.element.hidden) this.details.update(model, this.detailed);
    this.keep();
  }

  get item(): Item | undefined {
    return this.selected === undefined ? undefined : this.stage.shown?.byKey.get(this.selected);
  }

  /** The box that the details are about. */
  get detailed(): Box | undefined {
    if (!this.isTable) return this.item?.box;
    return this.model.boxOf(this.table.current) ?? this.item?.box;
  }

  get isTable(): boolean {
    return !this.table.element.hidden;
  }

  showTable(shown: boolean): void {
    this.table.element.hidden = !shown;
    this.shell.showTable(shown);
    if (shown) this.table.update(this.model);
  }

  focusMain(): void {
    if (this.isTable) this.table.focus();
    else this.stage.element.focus();
  }

  select(item: Item | undefined): void {
    this.selected = item?.key;
    this.frame = item?.box ? usualFrame(item, this.model.direction) : -1;
  }

  /** What a card shows besides frames. */
  private notesOf({ box }: Item): ReturnType<Stage['notesOf']> {
    if (!box) return {};
    const heat = heatOf(box.oldest);
    const stacks = box.ends.map((end) => this.model.forest.stacks[end]).filter((stack) => stack !== undefined);
    const [only] = stacks;
    const pins = stacks.map((stack) => this.model.pins.of(stack)).filter((note) => note !== undefined);
    return {
      age: heat === undefined ? undefined : { text: duration(box.oldest), heat },
      fate: stacks.length === 1 && only ? fateWords(only) : undefined,
      pin: pins.find((note) => note !== '') ?? pins[0],
    };
  }

  private keep(): void {
    if (!this.began) return;
    clearTimeout(this.saving);
    this.saving = window.setTimeout(() => {
      this.host.save(remember(this.model, this.stage.camera, this.selected, this.isTable));
      // A page opened from disk may have an address that cannot be changed.
      if (!this.host.panel) history.replaceState(null, '', this.fragment || '#');
    }, delay);
  }

  /** The part of the address behind #. */
  get fragment(): string {
    const stack = this.model.forest.stacks[this.isTable ? this.table.current : (this.item?.box?.ends[0] ?? -1)];
    return fragmentOf(this.model, { stack: stack?.key ?? stack?.id, table: this.isTable });
  }
}
