import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelLines } from '../model/shares';
import type { FindingRecord } from '../model/tree';

const finding: FindingRecord = {
  ...{ rule: 'deadlock', severity: 'error', confidence: 'certain', text: 'Pay waits for Pay', stacks: ['s1'] },
};

const share = (value: string, count: number) => ({ value, count });

test('A finding says whose requests hang on it, as the tool does', () => {
  const largest = [
    { ...share('GET /orders/{id}', 1398), trace: '4bf9' },
    share('POST /pay', 12),
    share('GET /a', 5),
    share('GET /b', 4),
  ];
  const labels = [
    { name: 'request', count: 1421, values: 5, largest },
    { name: 'Shop.Tenant', count: 9, values: 9, largest: [share('t1', 1), share('t2', 1), share('t3', 1), share('t4', 1)] },
    { name: 'Shop.User', count: 9, values: 1, largest: [share('<redacted>', 9)] },
    { name: 'Shop.Zone', count: 9, values: 9, largest: [share('z', 9)] },
  ];
  assert.deepEqual(labelLines({ ...finding, labels }), [
    'requests: GET /orders/{id} (1,398), POST /pay (12), GET /a (5), and 6 of 2 other routes; e.g. trace 4bf9',
    'Shop.Tenant: 9 different, e.g. t1, t2, t3',
  ]);
  assert.deepEqual(labelLines(finding), []);
});
