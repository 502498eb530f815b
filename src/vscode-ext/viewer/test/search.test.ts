import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeFromInnermost } from '../model/innermost';
import { Model } from '../model/model';
import { mergeFromOutermost } from '../model/outermost';
import { type Found, search, stacksWith } from '../model/search';
import { all, forestOf } from './drawing';
import { drawn, pageOf } from './pages';

const shop = forestOf(
  drawn(`
Main
  Pay
    Gate | x3 awaiting Semaphore
    Bank | x1 awaiting Socket
  Ship
    Gate | x7 awaiting Semaphore
`),
);

function hits(found: Found | undefined): string[] {
  return (found?.hits ?? []).map((hit) => `x${hit.box.count} ${hit.frame}`);
}

test('Hits come in reading order, in any case', () => {
  const tree = mergeFromOutermost(shop, all);
  assert.deepEqual(hits(search(tree, 'gATE')), ['x7 1', 'x3 0']);
  assert.deepEqual(hits(search(tree, 'a')).slice(0, 2), ['x11 0', 'x7 1']);
});

test('Waits and ids are found where the stack ends', () => {
  const tree = mergeFromOutermost(shop, all);
  assert.deepEqual(hits(search(tree, 'socket')), ['x1 -1']);
  assert.deepEqual(hits(search(tree, 's3')), ['x7 -1']);
  assert.deepEqual(hits(search(mergeFromInnermost(shop, all), 'socket')), ['x1 -1']);
});

test('The text is plain, and nothing is found of what is not there', () => {
  const tree = mergeFromOutermost(shop, all);
  assert.deepEqual(hits(search(tree, 'G.te')), []);
  assert.equal(search(tree, ''), undefined);
});

test('A search in too much stops, and says so', () => {
  const path = Array.from({ length: 12_000 }, () => ({ method: 'Walk', kind: 'continuation', exactness: 'exact' }) as const);
  const found = search(mergeFromOutermost(forestOf(pageOf([{ frames: path, stack: {} }])), all), 'walk');
  assert.equal(found?.more, true);
  assert.equal(found?.hits.length, 10_000);
});

test('Stacks that have the text anywhere are kept by the filter', () => {
  const has = stacksWith(shop, 'PAY');
  assert.deepEqual([0, 1, 2].map(has), [true, true, false]);
  assert.deepEqual([0, 1, 2].map(stacksWith(shop, 'socket')), [false, true, false]);
});

test('Filters by state and by matches go together, and totals stay', () => {
  const model = new Model();
  model.add(drawn('Main\n  Pay | x3 | x2 blocked\n  Ship | x5 blocked'));
  model.hidden.add('awaiting');
  model.merge();
  assert.equal(model.tree.count, 7);
  model.query = 'pay';
  model.onlyFound = true;
  model.merge();
  assert.equal(model.tree.count, 2);
  assert.equal(
    model.totals.reduce((sum, count) => sum + count, 0),
    10,
  );
});

test('A reset forgets the stacks and keeps what the user looks for', () => {
  const model = new Model();
  model.add(drawn('Main\n  Pay | x3'));
  model.query = 'pay';
  model.merge();
  model.reset();
  assert.equal(model.tree.count, 0);
  assert.equal(model.found?.hits.length, 0);
  model.add(drawn('Main\n  Pay | x4'));
  model.merge();
  assert.equal(model.found?.hits.length, 1);
});
