import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arcsOf } from '../draw/arcs';
import { type Item, itemOf, type Shown, showItems } from '../layout/items';
import { neighbour } from '../layout/keyboard';
import { type Layout, layOut } from '../layout/layout';
import { Folds } from '../merge/folds';
import { mergeFromInnermost } from '../merge/innermost';
import { mergeFromOutermost } from '../merge/outermost';
import type { TreePage, TreeStack } from '../model/tree';
import { all, face, forestOf, nameOf } from './drawing';
import { drawn } from './pages';
import { sampleShop } from './sample';

interface View {
  readonly shown: Shown;
  readonly layout: Layout;
  readonly folds: Folds;
}

function view(page: TreePage, budget = 1000, merge = mergeFromOutermost): View {
  const tree = merge(forestOf(page), all);
  const folds = new Folds();
  folds.openBest(tree, budget);
  const shown = showItems(tree, folds, face);
  return { shown, layout: layOut(shown.items), folds };
}

const shop = drawn(`
Main
  Pay
    Gate | x5
    Bank | x4
  Ship
    Van | x3
Timer | x1
`);

function walk({ shown, layout }: View, ...keys: readonly string[]): string {
  let item = shown.items[0] as Item;
  for (const key of keys) item = neighbour(key, item, shown, layout) ?? item;
  return nameOf(item);
}

test('Arrow keys move in their direction', () => {
  const seen = view(shop);
  assert.equal(walk(seen), 'Main');
  assert.equal(walk(seen, 'ArrowRight'), 'Pay');
  assert.equal(walk(seen, 'ArrowRight', 'ArrowDown'), 'Van', 'a straight run is one box');
  assert.equal(walk(seen, 'ArrowRight', 'ArrowRight', 'ArrowDown'), 'Bank');
  assert.equal(walk(seen, 'ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowLeft', 'ArrowDown'), 'Timer');
  assert.equal(walk(seen, 'End'), 'Timer');
  assert.equal(walk(seen, 'End', 'Home'), 'Main');
  assert.equal(walk(seen, 'ArrowUp', 'ArrowLeft', 'x'), 'Main', 'a key without a target changes nothing');
});

test('Every box can be reached with the arrows', () => {
  const { shown, layout } = view(sampleShop(500), 20_000);
  const reached = new Set<Item>();
  const open = [shown.items[0] as Item];
  for (let item = open.pop(); item; item = open.pop()) {
    if (reached.has(item)) continue;
    reached.add(item);
    for (const key of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']) {
      const next = neighbour(key, item, shown, layout);
      if (next) open.push(next);
    }
  }
  assert.equal(reached.size, shown.items.length);
});

function withWaits(page: TreePage, waits: Readonly<Record<string, Partial<TreeStack>>>): TreePage {
  return { ...page, stacks: page.stacks.map((stack) => ({ ...stack, ...waits[stack.id] })) };
}

const on = (stack: string): Partial<TreeStack> => ({ wait: { kind: 'lock', text: 'Lock', short: 'Lock', stack } });

function arcs(seen: View): string[] {
  return arcsOf(seen.shown).map((arc) => `${nameOf(arc.from)} -> ${nameOf(arc.to)}${arc.cycle ? ' cycle' : ''}`);
}

test('Stacks that wait for each other are joined by arcs, and a cycle is marked', () => {
  const page = drawn('Left | x1 deadlocked\nRight | x1 deadlocked\nThird | x1');
  const waits = {
    s1: on('s2'),
    s2: on('s1'),
    s3: { wait: { kind: 'task', text: 'All', short: 'All', pending: ['s1', 's9'] } },
  } as const;
  assert.deepEqual(arcs(view(withWaits(page, waits))), ['Left -> Right cycle', 'Right -> Left cycle', 'Third -> Left']);
});

test('Arcs end at the visible part of a folded branch, and none stays within a box', () => {
  const page = withWaits(shop, { s4: on('s2'), s1: on('s2') });
  assert.deepEqual(arcs(view(page)), ['Gate -> Bank', 'Timer -> Bank']);
  assert.deepEqual(arcs(view(page, 0)), ['Timer -> Main']);
  assert.deepEqual(arcs(view(page, 1000, mergeFromInnermost)), []);
});

test('A hidden box is represented by its nearest visible ancestor', () => {
  const { shown } = view(shop, 0);
  const bank = shown.tree.boxes.find((box) => box.count === 4);
  assert.equal(nameOf(itemOf(shown, bank) as Item), 'Main');
  assert.equal(itemOf(shown, undefined), undefined);
});
