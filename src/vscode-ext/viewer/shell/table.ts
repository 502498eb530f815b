// All stacks as a table that can be sorted: the same that the picture shows, filters included. Only rows in view are elements.
import { glyph } from '../draw/card';
import { button, el, fill, foreign, shape } from '../draw/dom';
import type { Model } from '../merge/model';
import { duration, heatOf } from '../model/ages';
import { fateWords } from '../model/fates';
import { clip, placeOf } from '../model/names';
import { counted, grouped } from '../model/numbers';
import { ranks } from '../model/ranks';
import { type Column, columns, routeOf, rowsOfTable, type Sorting, sorted, type TableRow, waitOf } from '../model/table';
import type { Actions } from './actions';

const rowHeight = 24;
/** Rows above and below those in view. */
const margin = 12;

const titles: Readonly<Record<Column, string>> = {
  state: 'State',
  count: 'Count',
  oldest: 'Oldest',
  since: 'Since',
  wait: 'Waits for',
  route: 'Route',
  method: 'Method',
};

export class Table {
  readonly element = el('div', 'sheet');
  private readonly table = el('table', 'stacks-table');
  private readonly head = el('thead', '');
  private readonly body = el('tbody', '');
  private rows: readonly TableRow[] = [];
  private sorting: Sorting = { column: 'state', down: true };
  private selected = -1;
  private columns: readonly Column[] = columns;
  private model: Model | undefined;

  constructor(private readonly actions: Actions) {
    this.element.hidden = true;
    this.table.append(this.head, this.body);
    this.table.setAttribute('role', 'grid');
    this.table.setAttribute('aria-label', 'Stacks');
    this.table.tabIndex = 0;
    this.element.append(this.table);
    this.element.addEventListener('scroll', () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.element);
    this.table.addEventListener('keydown', (event) => {
      if (this.press(event)) event.preventDefault();
    });
    this.body.addEventListener('click', (event) => this.chooseAt(rowIn(event)));
    this.body.addEventListener('dblclick', (event) => this.openAt(rowIn(event)));
    this.body.addEventListener('contextmenu', (event) => {
      const at = rowIn(event);
      if (at < 0) return;
      event.preventDefault();
      this.chooseAt(at);
      this.menuAt(at, event.clientX, event.clientY);
    });
  }

  /** Number of the selected stack; -1 if there is none. */
  get current(): number {
    return this.rows[this.selected]?.number ?? -1;
  }

  update(model: Model): void {
    const before = this.current;
    this.model = model;
    const all = rowsOfTable(model.forest, model.keeps, model.ranks);
    const matches = model.found && model.query !== '' ? model.matches : undefined;
    this.rows = sorted(matches ? all.filter(({ number }) => matches(number)) : all, this.sorting);
    this.columns = columns.filter((column) => this.hasColumn(column));
    this.selected = Math.max(
      0,
      this.rows.findIndex(({ number }) => number === before),
    );
    this.table.setAttribute('aria-rowcount', String(this.rows.length + 1));
    this.drawHead();
    this.draw();
  }

  /** Selects a stack by its number. */
  select(stack: number): void {
    const at = this.rows.findIndex(({ number }) => number === stack);
    if (at >= 0) this.move(at);
  }

  focus(): void {
    this.table.focus();
  }

  private hasColumn(column: Column): boolean {
    if (column === 'oldest') return this.rows.some(({ stack }) => stack.age !== undefined);
    if (column === 'since') return this.rows.some(({ stack }) => stack.fates !== undefined);
    if (column === 'route') return this.rows.some(({ stack }) => routeOf(stack) !== '');
    return true;
  }

  private drawHead(): void {
    const { column: by, down } = this.sorting;
    const focused = document.activeElement?.closest('th')?.getAttribute('data-column');
    const cells = this.columns.map((column) => {
      const sort = button('sort', titles[column], () => {
        this.sorting = { column, down: column === by ? !down : true };
        if (this.model) this.update(this.model);
      });
      if (column === by) sort.append(shape(down ? 'M3 4.5l3 3l3-3' : 'M3 7.5l3-3l3 3', ''));
      const cell = el('th', `col-${column}`, sort);
      cell.scope = 'col';
      cell.dataset.column = column;
      cell.setAttribute('aria-sort', column !== by ? 'none' : down ? 'descending' : 'ascending');
      return cell;
    });
    fill(this.head, el('tr', '', ...cells));
    if (focused)
      cells
        .find(({ dataset }) => dataset.column === focused)
        ?.querySelector('button')
        ?.focus();
  }

  private draw(): void {
    if (this.element.hidden) return;
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / rowHeight) - margin);
    const last = Math.min(this.rows.length, Math.ceil((scrollTop + clientHeight) / rowHeight) + margin);
    const lines = this.rows.slice(first, last).map((row, at) => this.line(row, first + at));
    const span = this.columns.length;
    fill(this.body, filler(first, span), ...lines, filler(this.rows.length - last, span));
    const line = this.selected >= first && this.selected < last ? `line-${this.selected}` : undefined;
    if (line === undefined || this.rows.length === 0) this.table.removeAttribute('aria-activedescendant');
    else this.table.setAttribute('aria-activedescendant', line);
  }

  private line(row: TableRow, at: number): HTMLTableRowElement {
    const line = el('tr', row.rank < ranks.own ? 'wrong' : row.rank === ranks.own ? '' : 'plumbing');
    line.id = `line-${at}`;
    line.dataset.row = String(at);
    line.setAttribute('aria-rowindex', String(at + 2));
    line.setAttribute('aria-selected', String(at === this.selected));
    line.append(...this.columns.map((column) => this.cell(column, row)));
    return line;
  }

  private cell(column: Column, { stack, method, node }: TableRow): HTMLTableCellElement {
    const ms = stack.age?.atLeastMs ?? 0;
    switch (column) {
      case 'state':
        return el('td', 'col-state', glyph(stack.state), ` ${stack.state}`);
      case 'count':
        return el('td', 'col-count', grouped(stack.count));
      case 'oldest':
        return el('td', `col-oldest heat${heatOf(ms) ?? 'none'}`, ms > 0 ? duration(ms) : '');
      case 'since':
        return el('td', 'col-since', fateWords(stack));
      case 'wait':
        return titled(el('td', 'col-wait', foreign('', waitOf(stack))), stack.wait?.text);
      case 'route':
        return titled(el('td', 'col-route', foreign('', routeOf(stack))), stack.labelText);
      case 'method': {
        const frame = node < 0 ? undefined : this.model?.forest.frameOf(node);
        const pin = this.model?.pins.of(stack);
        const cell = el('td', 'col-method', foreign('name', method), ' ', frame && foreign('place', placeOf(frame)));
        if (pin !== undefined) cell.append(' ', foreign('pin', pin === '' ? 'pinned' : clip(pin, 60)));
        return titled(cell, frame?.method);
      }
    }
  }

  private press(event: KeyboardEvent): boolean {
    const page = Math.max(1, Math.floor(this.element.clientHeight / rowHeight) - 2);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -this.rows.length,
      End: this.rows.length,
    };
    if (event.target !== this.table || event.ctrlKey || event.metaKey || event.altKey) return false;
    const step = steps[event.key];
    if (step !== undefined) this.move(this.selected + step);
    else if (event.key === 'Enter') this.openAt(this.selected);
    else if (event.key === ' ') this.chooseAt(this.selected);
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      const box = this.body.querySelector('[aria-selected=true]')?.getBoundingClientRect();
      this.menuAt(this.selected, box?.left ?? 0, box?.bottom ?? 0);
    } else return false;
    return true;
  }

  private move(to: number): void {
    this.selected = Math.max(0, Math.min(this.rows.length - 1, to));
    const top = this.selected * rowHeight;
    const room = this.element.clientHeight - 2 * rowHeight;
    if (top < this.element.scrollTop) this.element.scrollTop = top;
    else if (top > this.element.scrollTop + room) this.element.scrollTop = top - room;
    this.draw();
  }

  private chooseAt(at: number): void {
    const row = this.rows[at];
    if (!row) return;
    this.selected = at;
    this.draw();
    this.actions.choose(row.number);
  }

  private openAt(at: number): void {
    const row = this.rows[at];
    if (!row || !this.model) return;
    let index = 0;
    for (let node = row.stack.node; node >= 0 && node !== row.node; node = this.model.forest.outer[node] ?? -1)
      index += Math.max(1, this.model.forest.frameOf(node).frames ?? 1);
    this.actions.open(row.number, index);
  }

  private menuAt(at: number, x: number, y: number): void {
    const row = this.rows[at];
    if (row) this.actions.menu(row.number, row.node < 0 ? undefined : this.model?.forest.frameOf(row.node), x, y);
  }

  /** `410 stacks in 12 rows`. */
  get summary(): string {
    const stacks = this.rows.reduce((sum, { stack }) => sum + stack.count, 0);
    return `${counted(stacks, 'stack')} in ${counted(this.rows.length, 'row')}`;
  }
}

function rowIn(event: Event): number {
  const row = event.target instanceof Element ? event.target.closest<HTMLElement>('tr')?.dataset.row : undefined;
  return row === undefined ? -1 : Number(row);
}

/** Room for rows that are not elements. */
function filler(rows: number, span: number): HTMLTableRowElement | undefined {
  if (rows <= 0) return undefined;
  const line = el('tr', 'filler');
  line.setAttribute('aria-hidden', 'true');
  const cell = el('td', '');
  cell.colSpan = span;
  cell.style.height = `${rows * rowHeight}px`;
  line.append(cell);
  return line;
}

function titled<T extends HTMLElement>(element: T, text: string | undefined): T {
  if (text) element.title = clip(text, 1000);
  return element;
}
