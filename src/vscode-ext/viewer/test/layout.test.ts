import assert from 'node:assert/strict';
import { test } from 'node:test';
import { childrenWithin, firstPassing, forksWithin, itemsWithin } from '../layout/columns';
import { type Item, showItems } from '../layout/items';
import { gaps, layOut } from '../layout/layout';
import type { BoxTree } from '../merge/boxes';
import { Folds } from '../merge/folds';
import { mergeFromInnermost } from '../merge/innermost';
import { mergeFromOutermost } from '../merge/outermost';
import { all, face, forestOf, nameOf } from './drawing';
import { drawn, pageOf } from './pages';
import { sampleShop } from './sample';

function unfolded(tree: BoxTree): readonly Item[] {
  const folds = new Folds();
  folds.openBest(tree, 1_000_000);
  return showItems(tree, folds, face).items;
}

const shop = forestOf(sampleShop(2500));
const trees: readonly (readonly [string, BoxTree])[] = [
  ['outer', mergeFromOutermost(shop, all)],
  ['inner', mergeFromInnermost(shop, all)],
];

test('No two boxes overlap', () => {
  for (const [name, tree] of trees) {
    const items = unfolded(tree);
    layOut(items);
    assert.ok(items.length > 2500, `${items.length} boxes`);
    assert.deepEqual(overlaps(items), [], name);
  }
});

/** Sweeps from left to right. */
function overlaps(items: readonly Item[]): string[] {
  const found: string[] = [];
  const sorted = [...items].sort((a, b) => a.x - b.x || a.y - b.y);
  let open: Item[] = [];
  for (const item of sorted) {
    open = open.filter((other) => other.x + other.width > item.x);
    for (const other of open) {
      if (other.y < item.y + item.height && item.y < other.y + other.height) found.push(`${nameOf(other)} and ${nameOf(item)}`);
    }
    open.push(item);
  }
  return found;
}

test('Children are to the right of their parent, from top to bottom, the first one beside it', () => {
  for (const [, tree] of trees) {
    const items = unfolded(tree);
    layOut(items);
    for (const item of items) {
      for (const child of item.children) assert.ok(child.x >= item.x + item.width, nameOf(child));
      if (item.children[0]) assert.equal(item.children[0].y, item.y);
      for (const [before, child] of pairs(item.children)) assert.ok(child.y >= before.y + before.height);
    }
  }
});

/** Each with the one after it. */
function pairs(items: readonly Item[]): [Item, Item][] {
  return items.slice(1).map((item, at) => [items[at] as Item, item]);
}

test('No lines of two boxes cross', () => {
  for (const [, tree] of trees) {
    for (const [before, fork] of layOut(unfolded(tree)).forks.flatMap(pairs)) {
      assert.ok(fork.y > (before.children.at(-1)?.y ?? 0), `lines of ${nameOf(before)} and ${nameOf(fork)} cross`);
    }
  }
});

test('The same tree always gives the same drawing', () => {
  for (const [, tree] of trees) {
    const places = (): string => {
      const items = unfolded(tree);
      layOut(items);
      return items.map((item) => `${item.x},${item.y},${item.width},${item.height}`).join(' ');
    };
    assert.equal(places(), places());
  }
});

test('A leaf stands beside the children of its sibling, not below them', () => {
  const tree = mergeFromOutermost(forestOf(drawn('Main\n  Big\n    A | x5\n    B | x5\n    C | x5\n  Small | x1')), all);
  const items = unfolded(tree);
  layOut(items);
  const place = (name: string): Item => items.find((item) => nameOf(item) === name) as Item;
  assert.ok(place('Small').y < place('B').y + place('B').height);
});

test('A chain of 5,000 boxes is laid out', () => {
  const path = Array.from({ length: 5000 }, (_, at) => ({ method: `F${at}`, kind: 'continuation', exactness: 'exact' }) as const);
  const tree = mergeFromOutermost(forestOf(pageOf(path.map((_, at) => ({ frames: path.slice(0, at + 1), stack: {} })))), all);
  const items = unfolded(tree);
  assert.equal(items.length, 5000);
  assert.equal(layOut(items).columns.length, 5000);
});

test('Eight times the boxes take no more than forty times as long', () => {
  const time = (count: number): number => {
    const items = unfolded(mergeFromOutermost(forestOf(sampleShop(count)), all));
    const runs = Array.from({ length: 7 }, () => {
      const start = performance.now();
      layOut(items);
      return performance.now() - start;
    });
    return Math.min(...runs);
  };
  time(2000);
  const few = time(2000);
  const many = time(16_000);
  assert.ok(many < 40 * few + 5, `${few.toFixed(2)} ms, ${many.toFixed(2)} ms`);
});

test('Items in view are found without a scan of all items', () => {
  const items = unfolded(trees[0]?.[1] as BoxTree);
  const layout = layOut(items);
  for (const part of [
    { x: 0, y: 0, width: 500, height: 500 },
    { x: 700, y: layout.height / 2, width: 300, height: 900 },
    { x: -100, y: layout.height + 10, width: 5000, height: 100 },
  ]) {
    const found = new Set<Item>();
    itemsWithin(layout, part, (item) => found.add(item));
    const touching = items.filter(
      (item) =>
        item.x + item.width >= part.x &&
        item.x <= part.x + part.width &&
        item.y + item.height >= part.y &&
        item.y <= part.y + part.height,
    );
    assert.deepEqual([...found].map((item) => item.order).sort(), touching.map((item) => item.order).sort());
    const forks = new Set<Item>();
    forksWithin(layout, part, gaps.column, (item) => forks.add(item));
    const heads = touching.filter((item) => item.y + 30 >= part.y && item.x >= part.x);
    for (const item of heads) if (item.parent) assert.ok(forks.has(item.parent), `the line to ${nameOf(item)} is drawn`);
  }
});

test('Of a thousand children only those in view and the next one have a line', () => {
  const lines = Array.from({ length: 1000 }, (_, at) => `  Work${at} | x${1000 - at}`);
  const items = unfolded(mergeFromOutermost(forestOf(drawn(`Main\n${lines.join('\n')}`)), all));
  layOut(items);
  const root = items[0] as Item;
  const middle = root.children[500] as Item;
  const part = { x: 0, y: middle.y, width: 900, height: middle.height };
  assert.deepEqual(childrenWithin(root, part).map(nameOf), ['Work500', 'Work501']);
  assert.equal(childrenWithin(root, { ...part, y: -500, height: 10 }).length, 1);
});

test('The binary search finds the first item that passes, or the end', () => {
  assert.deepEqual(
    [0, 3, 5].map((limit) => firstPassing(5, (at) => at >= limit)),
    [0, 3, 5],
  );
});
