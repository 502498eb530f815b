import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasWords } from '../diff/filter';
import { pointsOf, wordsOf } from '../diff/growth';
import type { GrowthRow } from '../model/growth';

test('A line begins at the first look, ends at the last one, and leaves room above the most', () => {
  assert.deepEqual(pointsOf([0, 10, 20], 20), [
    [0, 100],
    [50, 52],
    [100, 4],
  ]);
  assert.deepEqual(pointsOf([7], 7), [[0, 4]]);
  assert.deepEqual(pointsOf([0, 0, 0], 0).at(-1), [100, 100]);
});

test('Counts are said in words; of many looks the first and the last ones', () => {
  assert.equal(wordsOf([5, 1000]), '5, 1,000 stacks');
  assert.equal(wordsOf(Array.from({ length: 30 }, (_, i) => i)), '0, ..., 20, 21, 22, 23, 24, 25, 26, 27, 28, 29 stacks');
});

test('Words are found in a group that grows as in one of a comparison', () => {
  const row: GrowthRow = {
    ...{
      id: 's1',
      state: 'awaiting',
      name: 'Cache.FillAsync',
      wait: 'Task.Delay',
      frames: [{ method: 'Shop.Cache.FillAsync()' }],
    },
    ...{ counts: [1, 2, 3], pace: '+2 in 3 min; none went on' },
  };
  assert.ok(hasWords(row, 'shop delay') && !hasWords(row, 'orders'));
});
