import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arcsOf, roomOf } from '../draw/arcs';
import { showItems } from '../layout/items';
import { Model, nameOf } from '../merge/model';
import { stacksWith } from '../merge/search';
import type { FindingRecord } from '../model/findings';
import { alarms, isStep, linksOf, stacksOf } from '../model/links';
import type { TreeHead, TreePage } from '../model/tree';
import { recall, remember } from '../shell/memory';
import { face, forestOf } from './drawing';
import { drawn } from './pages';

const [left, right, till] = ['0x10', '0x20', '0x30'];

const deadlock: FindingRecord = {
  ...{
    id: 'f1',
    key: 'aa',
    rule: 'deadlock',
    severity: 'error',
    confidence: 'certain',
    text: 'Pay holds Left and waits for Right',
  },
  ...{ stacks: ['s1', 's2'], blocked: 3 },
  evidence: [
    { text: 'Pay', method: 'Pay', line: 7, stack: 's1', relation: 'blocked-on', to: right },
    { text: 'Ship', method: 'Ship', line: 9, stack: 's2', relation: 'blocked-on', to: left },
  ],
};

const hot: FindingRecord = {
  ...{ id: 'f2', key: 'bb', rule: 'hot-resource', severity: 'warning', confidence: 'likely', text: '3 stacks wait for Till' },
  ...{ stacks: ['s4'], blocked: 3 },
  evidence: [
    { text: 'Count holds it', stack: 's3' },
    { text: '3 x Wait', stack: 's4', relation: 'blocked-on', to: till },
  ],
};

const awaits: FindingRecord = {
  ...{ id: 'f3', key: 'cc', rule: 'sync-over-async', severity: 'info', confidence: 'certain', text: 'Wait blocks' },
  ...{ stacks: ['s4'], evidence: [{ text: 'Wait blocks', stack: 's4', relation: 'blocked-on', to: '0x77' }] },
};

/** A shop with findings, and with who holds what they are about. */
function shop(findings: readonly FindingRecord[] = [deadlock, hot, awaits]): TreePage {
  const page = drawn('Main\n  Pay | x1\n  Ship | x1\n  Count | x1 active\n  Wait | x3');
  const edges = [
    ['0x10', 's1'],
    ['0x20', 's2'],
    ['0x30', 't4'],
  ].map(([from, to]) => ({ from, relation: 'held-by', to, known: 'owner-record', count: 1 }));
  const stacks = page.stacks.map((stack) => (stack.id === 's3' ? { ...stack, thread: 4, task: '0x77' } : stack));
  return { ...page, stacks, head: { ...(page.head as TreeHead), findings, edges } as TreeHead };
}

function modelOf(page: TreePage): Model {
  const model = new Model();
  model.add(page);
  model.merge();
  return model;
}

test('Who waits is linked to who holds what it waits for, and a thread to the stack that it runs', () => {
  const forest = forestOf(shop());
  assert.deepEqual(linksOf(forest, deadlock), [
    { from: 0, to: 1, held: true },
    { from: 1, to: 0, held: true },
  ]);
  assert.deepEqual(linksOf(forest, hot), [{ from: 3, to: 2, held: true }]);
  assert.deepEqual(linksOf(forest, awaits), [{ from: 3, to: 2, held: false }]);
});

test('Without holders a cycle goes from step to step, and back; other findings have no such edges', () => {
  const page = shop();
  const forest = forestOf({ ...page, head: { ...(page.head as TreeHead), edges: [] } });
  assert.deepEqual(
    linksOf(forest, deadlock).map(({ from, to, held }) => [from, to, held]),
    [
      [0, 1, false],
      [1, 0, false],
    ],
  );
  assert.deepEqual(linksOf(forest, hot), []);
});

test('Steps within one stack are no edge of a larger cycle, and the whole of a small one', () => {
  const forest = forestOf(shop());
  const [first, second] = deadlock.evidence ?? [];
  const inside = { ...first, text: 'inside', to: '0x99' };
  const evidence = [inside, first, second].filter((step) => step !== undefined);
  assert.equal(linksOf(forest, { ...deadlock, evidence }).length, 2);
  assert.deepEqual(linksOf(forest, { ...deadlock, stacks: ['s1'], evidence: [inside, inside] }), [
    { from: 0, to: 0, held: false },
  ]);
});

test('The chosen finding is drawn: its boxes, its frames, and its edges with words in lanes of their own', () => {
  const model = modelOf(shop());
  assert.deepEqual([model.finding, model.links, model.accused], [undefined, [], []]);
  model.chosen = nameOf(deadlock);
  assert.deepEqual(
    model.accused.flatMap(({ ends }) => ends),
    [0, 1],
  );
  const shown = showItems(model.tree, model.fold, face);
  const arcs = arcsOf(shown, model.links);
  assert.deepEqual(
    arcs.map(({ says, lane }) => [says, lane]),
    [
      ['held by', 0],
      ['held by', 1],
    ],
  );
  assert.ok(roomOf(arcs) > roomOf(arcs.slice(0, 1)));
  assert.deepEqual(arcsOf(shown), []);
  assert.equal(isStep(deadlock, { method: 'Pay', line: 7 }), true);
  assert.equal(isStep(deadlock, { method: 'Pay', line: 8 }), false);
  assert.equal(isStep(undefined, { method: 'Pay', line: 7 }), false);
});

test('Only errors and warnings open the banner', () => {
  assert.deepEqual(alarms([deadlock, hot, awaits]), [deadlock, hot]);
  assert.deepEqual(alarms([awaits]), []);
});

test('The search answers finding: as the tool does, by id and by rule, with the stacks of the steps', () => {
  const forest = forestOf(shop());
  const matching = (typed: string): string =>
    forest.stacks.flatMap(({ id }, at) => (stacksWith(forest, typed)(at) ? [id] : [])).join(' ');
  assert.equal(matching('finding:f1'), 's1 s2');
  assert.equal(matching('finding:hot-resource'), 's3 s4');
  assert.equal(matching('finding:f1 method:Ship'), 's2');
  assert.equal(matching('finding:f9'), '');
  assert.deepEqual(stacksOf(hot), ['s4', 's3']);
});

test('What was chosen stays chosen when the panel is shown again, and when the process was read again', () => {
  const model = modelOf(shop());
  model.chosen = nameOf(hot);
  const camera = { x: 0, y: 0, zoom: 1 } as Parameters<typeof remember>[1];
  const again = modelOf(shop());
  recall(remember(model, camera, undefined, false), again);
  assert.equal(again.finding, hot);
  again.reset();
  again.add(shop([{ ...hot, id: 'f1' }]));
  again.merge();
  assert.equal(again.finding?.id, 'f1');
  assert.equal(again.links.length, 1);
});
