// What a user can do to choose what is shown, and how it is merged.
import { type Item, itemOf } from '../layout/items';
import type { Direction } from '../merge/boxes';
import type { Fate } from '../model/fates';
import { shortName } from '../model/names';
import type { StackState, TreeFrame } from '../model/tree';
import { hitWords } from './toolbar';
import type { Viewer } from './viewer';

export class Filters {
  constructor(protected readonly viewer: Viewer) {}

  protected get model(): Viewer['model'] {
    return this.viewer.model;
  }

  protected get stage(): Viewer['stage'] {
    return this.viewer.stage;
  }

  chooseItem(item: Item, frame = -1): void {
    this.viewer.select(item);
    if (frame >= 0) this.viewer.frame = frame;
    this.stage.leaveIcicle();
    this.viewer.refresh();
    this.stage.reach(item);
  }

  search(query: string): void {
    const { model, viewer } = this;
    model.query = query;
    if (model.onlyFound) viewer.remerge();
    else model.applySearch();
    viewer.hit = -1;
    if (viewer.isTable) viewer.table.update(model);
    if (!viewer.isTable && model.found && model.found.hits.length > 0) this.step(1);
    else viewer.refresh();
    viewer.notices.say(viewer.isTable ? viewer.table.summary : hitWords(model, viewer.hit));
  }

  step(by: 1 | -1): void {
    const { model, viewer } = this;
    const hits = model.found?.hits ?? [];
    if (hits.length === 0) return;
    viewer.hit = viewer.hit < 0 ? (by > 0 ? 0 : hits.length - 1) : (viewer.hit + by + hits.length) % hits.length;
    const hit = hits[viewer.hit];
    if (!hit) return;
    model.fold.reveal(hit.box, model.tree, hit.frame);
    viewer.update();
    const item = this.stage.shown && itemOf(this.stage.shown, hit.box);
    if (item) this.chooseItem(item, hit.frame);
    viewer.notices.say(hitWords(model, viewer.hit));
  }

  filterFound(only: boolean): void {
    this.model.onlyFound = only;
    this.viewer.remerge();
  }

  toggleState(state: StackState): void {
    const { hidden } = this.model;
    if (!hidden.delete(state)) hidden.add(state);
    this.viewer.remerge();
  }

  toggleFate(fate: Fate): void {
    const { hiddenFates } = this.model;
    if (!hiddenFates.delete(fate)) hiddenFates.add(fate);
    this.viewer.remerge();
  }

  toggleIdle(): void {
    this.model.withIdle = !this.model.withIdle;
    this.viewer.remerge();
  }

  toggleFrameworks(): void {
    this.model.hiddenFrames.frameworks = !this.model.hiddenFrames.frameworks;
    this.viewer.remerge();
  }

  hideName(name: string | undefined): void {
    const { names } = this.model.hiddenFrames;
    if (name === undefined) names.clear();
    else names.add(name);
    this.viewer.remerge();
  }

  sortByAge(oldest: boolean): void {
    this.model.oldestFirst = oldest;
    this.viewer.remerge();
  }

  turn(direction: Direction): void {
    const isTable = this.viewer.isTable;
    if (isTable) this.viewer.showTable(false);
    if (this.model.direction === direction && !isTable) return;
    this.model.direction = direction;
    this.viewer.selected = undefined;
    this.viewer.remerge();
    this.stage.leaveIcicle();
    this.stage.begin();
  }

  groupBy(label: string): void {
    this.model.label = label;
    this.viewer.remerge();
    this.stage.begin();
  }

  filterLabel(label: string, value: string | undefined): void {
    this.onlySearch(
      value === undefined ? '' : label === 'trace' ? `trace:${value}` : `label:${label}="${value.replaceAll('"', '*')}"`,
    );
  }

  onlyThrough(frame: TreeFrame): void {
    const pattern = frame.method.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('"', '.');
    this.onlySearch(`method:"^${pattern}$"`);
  }

  /** Leaves the stacks that a search finds; the search shows how to undo it. */
  private onlySearch(query: string): void {
    this.model.query = query;
    this.model.onlyFound = query !== '';
    this.viewer.remerge();
    this.viewer.notices.say(hitWords(this.model, -1));
  }

  around(frame: TreeFrame): void {
    this.model.method = frame.method;
    this.model.direction = 'outer';
    this.model.fold.touched = false;
    this.turn('method');
    this.viewer.notices.say(`Callers and callees of ${shortName(frame)}`);
  }
}
