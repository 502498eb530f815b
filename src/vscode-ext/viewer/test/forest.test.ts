import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeFromOutermost } from '../merge/outermost';
import { Forest } from '../model/forest';
import type { TreePage } from '../model/tree';
import { all, expected, forestOf, picture } from './drawing';
import { drawn, pagesOf } from './pages';
import { sampleShop } from './sample';

const shop = drawn(`
Main
  Pay
    Lock | x3 | x2 blocked Gate
  Mail | x4
`);

test('Pages split at any point give the same tree as one page', () => {
  // Equal counts stand in the order in which they came, so lines are compared, not their order.
  const lines = (...pages: readonly TreePage[]): string[] =>
    picture(mergeFromOutermost(forestOf(...pages), all))
      .split('\n')
      .sort();
  const shop = sampleShop(300);
  for (const size of [1, 7, 100, 10_000]) {
    assert.deepEqual(lines(...pagesOf(shop, size)), lines(shop), `pages of ${size} nodes`);
  }
});

test('Pages that arrive out of order or twice count once', () => {
  const [first, second, third] = pagesOf(shop, 2) as [TreePage, TreePage, TreePage | undefined];
  assert.equal(third, undefined);
  const forest = new Forest();
  assert.equal(forest.add(second), false, 'nothing can be shown before the first page');
  assert.equal(forest.complete, false);
  assert.equal(forest.add(first), true);
  assert.equal(forest.complete, true);
  assert.equal(forest.add(first), false);
  assert.equal(forest.stacks.length, 3);
});

test('A tree is not complete before its last page', () => {
  const [first] = pagesOf(shop, 2) as [TreePage];
  const forest = forestOf(first);
  assert.equal(forest.complete, false);
  assert.equal(forest.head?.totals.stacks, 9);
});

test('Stacks with invalid numbers are kept', () => {
  const nodes = {
    frame: [0, 77, 0],
    joins: [
      [0, -1],
      [1, 5],
      [2, 1.5],
    ] as [number, number][],
  };
  const stacks = [
    { id: 'a', count: 1, state: 'awaiting' as const, frames: 1, node: 1 },
    { id: 'b', count: 2, state: 'awaiting' as const, frames: 1, node: 99 },
    { id: 'c', count: 4, state: '<b> odd' as never, frames: 1, node: 2 },
    { id: 'd', count: -1e300, state: 'awaiting' as const, frames: 1, node: 0 },
  ];
  const tree = mergeFromOutermost(forestOf({ ...shop, nodes, stacks }), all);
  assert.equal(tree.count, 8);
  assert.deepEqual(tree.states, [0, 0, 0, 0, 8, 0], 'a state that is not known counts as awaiting');
  assert.equal(
    picture(tree),
    expected(`
      [Main] x4 c
      [<no frames>] x2 b
      [Main] x1 d
      [<unreadable>] x1 a
    `),
  );
});

test('A tree with another schema is rejected with both names', () => {
  const strange = { ...shop, schema: 'async2.tree/9' } as unknown as TreePage;
  assert.throws(() => new Forest().add(strange), /async2\.tree\/1, not async2\.tree\/9/);
});

test('Stacks are found by id, and unknown ids are not', () => {
  const forest = forestOf(shop);
  assert.equal(forest.stacks[forest.numberOf('s2')]?.state, 'blocked');
  assert.equal(forest.numberOf('__proto__'), -1);
});
