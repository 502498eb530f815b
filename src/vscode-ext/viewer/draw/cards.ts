// The cards that exist at the moment: those in view, or, if boxes are painted, only the selected one and its neighbours,
// so that screen readers always find an element.
import type { Rect } from '../layout/camera';
import { itemsWithin } from '../layout/columns';
import type { Item, Shown } from '../layout/items';
import { neighbour } from '../layout/keyboard';
import type { Layout } from '../layout/layout';
import { type CardNotes, decorate, makeCard } from './card';
import type { Highlights } from './highlights';

export class Cards {
  private readonly made = new Map<Item, HTMLElement>();
  private highlights: Highlights | undefined;
  private covered: Rect | undefined;
  private hiddenCards = false;

  constructor(
    /** The parent of all cards; moves and zooms as a whole. */
    readonly world: HTMLElement,
    /** The element with the role of a tree. */
    private readonly tree: HTMLElement,
    /** What a card shows besides frames. */
    private readonly notesOf: (item: Item) => CardNotes,
  ) {}

  /** Another drawing: old cards are removed when new ones are added, so that screen readers always have an item. */
  reset(): void {
    this.covered = undefined;
  }

  /** What cards show besides frames has changed. */
  refresh(): void {
    this.covered = undefined;
    for (const card of this.made.values()) card.remove();
    this.made.clear();
  }

  /** Makes the cards in view; `hiddenCards` if boxes are painted and cards exist for screen readers only. */
  update(shown: Shown, layout: Layout, seen: Rect, highlights: Highlights, hiddenCards: boolean): void {
    if (highlights === this.highlights && hiddenCards === this.hiddenCards && this.covered && contains(this.covered, seen))
      return;
    const wanted = new Set<Item>();
    const area = hiddenCards ? seen : grown(seen);
    for (const item of neighbours(shown, layout, highlights.selected)) wanted.add(item);
    if (!hiddenCards) itemsWithin(layout, area, (item) => wanted.add(item));
    this.change(wanted);
    for (const [item, card] of this.made) decorate(card, item, highlights);
    this.world.classList.toggle('hidden-cards', hiddenCards);
    const selected = highlights.selected === undefined ? undefined : shown.byKey.get(highlights.selected);
    if (selected) this.tree.setAttribute('aria-activedescendant', idOf(selected));
    else this.tree.removeAttribute('aria-activedescendant');
    this.highlights = highlights;
    this.hiddenCards = hiddenCards;
    this.covered = area;
  }

  private change(wanted: ReadonlySet<Item>): void {
    for (const [item, card] of this.made) {
      if (wanted.has(item)) continue;
      card.remove();
      this.made.delete(item);
    }
    const fresh = [...wanted].filter((item) => !this.made.has(item)).sort((a, b) => a.order - b.order);
    for (const item of fresh) {
      const card = makeCard(item, idOf(item), this.notesOf(item));
      this.made.set(item, card);
      this.world.append(card);
    }
  }
}

function idOf(item: Item): string {
  return `item-${item.order}`;
}

/** The selected item, or the first, and the items that the arrow keys reach from it. */
function neighbours(shown: Shown, layout: Layout, key: string | undefined): Item[] {
  const item = (key === undefined ? undefined : shown.byKey.get(key)) ?? shown.items[0];
  if (!item) return [];
  const keys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'];
  return [item, ...keys.map((one) => neighbour(one, item, shown, layout))].filter((one) => one !== undefined);
}

function grown(part: Rect): Rect {
  const margin = 0.35;
  const { x, y, width, height } = part;
  return { x: x - width * margin, y: y - height * margin, width: width * (1 + 2 * margin), height: height * (1 + 2 * margin) };
}

function contains(outside: Rect, inside: Rect): boolean {
  return (
    inside.x >= outside.x &&
    inside.y >= outside.y &&
    inside.x + inside.width <= outside.x + outside.width &&
    inside.y + inside.height <= outside.y + outside.height
  );
}
