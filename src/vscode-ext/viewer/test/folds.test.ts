import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Shown, showItems } from '../layout/items';
import type { BoxTree } from '../merge/boxes';
import { Folds } from '../merge/folds';
import { mergeFromOutermost } from '../merge/outermost';
import { all, face, forestOf, nameOf } from './drawing';
import { drawn } from './pages';
import { sampleShop } from './sample';

function wide(children: number): BoxTree {
  const lines = Array.from({ length: children }, (_, at) => `  Work${at} | x${children - at}`);
  return mergeFromOutermost(forestOf(drawn(`Main\n${lines.join('\n')}`)), all);
}

function shown(tree: BoxTree, folds: Folds): Shown {
  return showItems(tree, folds, face);
}

const names = (view: Shown): string[] => view.items.map(nameOf);

test('A folded box hides its contents', () => {
  const tree = wide(3);
  const folds = new Folds();
  assert.deepEqual(names(shown(tree, folds)), ['Main']);
  folds.toggle(tree.roots[0] as never);
  assert.deepEqual(names(shown(tree, folds)), ['Main', 'Work0', 'Work1', 'Work2']);
});

test('The biggest children are shown, and one box counts the rest', () => {
  const tree = wide(100);
  const folds = new Folds();
  folds.toggle(tree.roots[0] as never);
  const view = shown(tree, folds);
  assert.equal(view.items.length, 12);
  assert.equal(nameOf(view.items[11] as never), '+90 more (4,095 stacks)');
  const inside = view.items.slice(1).reduce((sum, item) => sum + item.count, 0);
  assert.equal(inside, tree.count, 'boxes and "+N more" together have all stacks');
});

test('"+N more" opens in steps until all are shown', () => {
  const tree = wide(100);
  const folds = new Folds();
  const root = tree.roots[0];
  assert.ok(root);
  folds.toggle(root);
  folds.more(root.key);
  assert.equal(nameOf(shown(tree, folds).items.at(-1) as never), '+50 more (1,275 stacks)');
  folds.more(root.key);
  assert.equal(shown(tree, folds).items.length, 101);
});

test('No box says "+1 more"', () => {
  const tree = wide(11);
  const folds = new Folds();
  folds.toggle(tree.roots[0] as never);
  assert.equal(nameOf(shown(tree, folds).items.at(-1) as never), 'Work10');
});

test('A search hit is shown, even if it is deep or beyond the limit', () => {
  const tree = wide(1000);
  const folds = new Folds();
  const target = tree.boxes.find((box) => box.count === 3);
  assert.ok(target);
  folds.reveal(target, tree);
  const view = shown(tree, folds);
  assert.equal(view.items.length, 13);
  assert.equal(nameOf(view.items[11] as never), 'Work997');
  assert.equal(nameOf(view.items[12] as never).startsWith('+989 more'), true);
});

test('A big tree starts with a readable picture that includes deadlocks', () => {
  const tree = mergeFromOutermost(forestOf(sampleShop(10_000)), all);
  const folds = new Folds();
  folds.openBest(tree, 40);
  const view = shown(tree, folds);
  assert.ok(view.items.length >= 15 && view.items.length <= 80, `${view.items.length} boxes`);
  assert.equal(view.items.filter((item) => item.box?.ends.length && item.states[0] === 1).length, 2, 'both deadlocked stacks');
});

test('Unfolding all shows every box unless there are too many', () => {
  const tree = mergeFromOutermost(forestOf(sampleShop(3000)), all);
  const folds = new Folds();
  folds.openBest(tree, 20_000);
  const view = shown(tree, folds);
  assert.equal(view.items.length, tree.boxes.length);
  assert.equal(
    view.items.some((item) => !item.box),
    false,
  );
});

test('Every item knows its level and its place among its siblings', () => {
  const tree = wide(100);
  const folds = new Folds();
  folds.toggle(tree.roots[0] as never);
  const view = shown(tree, folds);
  assert.deepEqual(
    view.items.slice(0, 3).map((item) => [item.level, item.position, item.siblings]),
    [
      [1, 1, 1],
      [2, 1, 11],
      [2, 2, 11],
    ],
  );
  assert.deepEqual([view.items.at(-1)?.position, view.items.at(-1)?.siblings], [11, 11]);
});
