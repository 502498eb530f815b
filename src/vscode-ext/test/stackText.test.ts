import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FrameRow, StackRow } from '../src/session/protocol';
import { copied, iconOf, placeOf, plain, spokenFrame, spokenStack } from '../src/stacks/stackText';

const row: StackRow = {
  id: 's1',
  thread: 1,
  count: 1398,
  state: 'awaiting',
  name: 'x1,398 Orders.PayAsync',
  wait: 'SemaphoreSlim',
  frame: 'Orders.cs:42',
};
const frame: FrameRow = {
  id: 1,
  name: 'Orders.PayAsync(int)',
  line: 42,
  column: 1,
  label: false,
  subtle: true,
  source: { path: '/src/Orders.cs' },
};

test('Text from a target creates no icon, no line break and no change of direction', () => {
  assert.equal(plain('$(error) a\nb\u202ec'), '$\u200b(error) a\\u000ab\\u202ec');
  assert.equal(plain('x'.repeat(1_000_000)).length, 403);
});

test('A screen reader hears all that a row shows', () => {
  assert.equal(
    spokenStack(row),
    'x1,398 Orders.PayAsync, 1,398 equal stacks, awaiting, waits for SemaphoreSlim, at Orders.cs:42',
  );
  assert.equal(spokenFrame(frame), 'Orders.PayAsync(int), Orders.cs:42, of a framework');
  assert.equal(spokenFrame({ ...frame, name: 'waits for a task', label: true }), 'waits for a task');
});

test('States differ in shape, not only in colour', () => {
  const icons = ['awaiting', 'scheduled', 'active', 'blocked', 'deadlocked', 'completed', 'unheard of'].map(
    (state) => iconOf(state).icon,
  );
  assert.equal(new Set(icons).size, icons.length);
  assert.equal(iconOf('__proto__').icon, iconOf('unheard of').icon);
});

test('A place is shown only for files that exist on this machine', () => {
  assert.equal(placeOf(frame), 'Orders.cs:42');
  assert.equal(placeOf({ ...frame, source: { name: 'Orders.cs', sourceReference: 7 } }), '');
});

test('A copied stack is readable text', () => {
  const label: FrameRow = { ...frame, name: 'waits for SemaphoreSlim', label: true, source: undefined };
  assert.equal(
    copied(row, [label, frame]),
    's1 x1,398 Orders.PayAsync - SemaphoreSlim (awaiting)\n  [waits for SemaphoreSlim]\n  Orders.PayAsync(int)  Orders.cs:42\n',
  );
});
