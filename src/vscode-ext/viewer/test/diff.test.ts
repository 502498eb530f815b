import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasFate, partsOf, wordsOf } from '../diff/fates';
import { matches } from '../diff/filter';
import type { DiffRow } from '../model/diff';

const counts = { before: 12, after: 10, stuck: 6, moved: 3, new: 1, gone: 2 };

const row: DiffRow = {
  id: 'g1',
  state: 'awaiting',
  name: 'Orders.PayAsync',
  wait: 'SemaphoreSlim',
  waitDetail: 'SemaphoreSlim, Orders._till, 0 free',
  labels: 'POST /pay, 12 requests',
  counts,
  left: 2,
  frames: [
    { method: 'Shop.Orders.PayAsync(int)', place: 'Orders.cs:42' },
    { method: 'Program.Main()', framework: true },
  ],
};

const none = new Set<never>();

test('Both sides of a bar have all that was there, and all that is there', () => {
  const { before, after } = partsOf(counts);
  const sum = (parts: readonly { count: number }[]): number => parts.reduce((total, { count }) => total + count, 0);
  assert.deepEqual([sum(before), sum(after)], [12, 10]);
  // Four of those before are elsewhere now, or came back; three are here that were there before.
  assert.deepEqual(
    before.map(({ words }) => words),
    ['6 stuck', '4 moved on', '2 gone'],
  );
  assert.deepEqual(
    after.map(({ words }) => words),
    ['6 stuck', '3 moved here', '1 new'],
  );
});

test('What did not happen has no part and no word', () => {
  const still = { before: 3, after: 3, stuck: 3, moved: 0, new: 0, gone: 0 };
  assert.deepEqual(
    wordsOf(still).map(({ words }) => words),
    ['3 stuck'],
  );
  assert.deepEqual(wordsOf({ ...still, before: 0, after: 0, stuck: 0 }), []);
});

test('Words are found in all that a group says, in any order', () => {
  for (const words of ['', 'payasync', 'ORDERS.CS:42', '_till', '/pay requests', 'main semaphore', 'g1', 'awaiting'])
    assert.ok(matches(row, { words, fates: none }), words);
  for (const words of ['refund', 'payasync refund']) assert.ok(!matches(row, { words, fates: none }), words);
});

test('A fate chooses groups in which it occurs', () => {
  const stuck = { ...row, counts: { before: 3, after: 3, stuck: 3, moved: 0, new: 0, gone: 0 } };
  assert.ok(hasFate(row, new Set(['gone'])) && !hasFate(stuck, new Set(['gone'])));
  assert.ok(matches(stuck, { words: 'pay', fates: new Set(['gone', 'stuck']) }));
  assert.ok(!matches(stuck, { words: '', fates: new Set(['new']) }));
});
