import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Model } from '../merge/model';
import { stateIndex } from '../model/states';
import type { TreePage } from '../model/tree';
import { recall, remember } from '../shell/memory';
import { drawn } from './pages';

const camera = { x: 0, y: 0, zoom: 1 } as Parameters<typeof remember>[1];

/** Stacks whose innermost frame is called Receive or Send are idle loops. */
function server(drawing: string): TreePage {
  const page = drawn(drawing);
  const loops = ['Receive', 'Send'];
  const stacks = page.stacks.map((stack) => {
    const method = page.frames[page.nodes.frame[stack.node] ?? -1]?.method ?? '';
    return loops.includes(method) ? { ...stack, idle: `Kestrel ${method.toLowerCase()}` } : stack;
  });
  return { ...page, stacks };
}

const shop = server(`
Serve
  Pay | x3 awaiting Semaphore
Receive | x56 awaiting Socket
Send | x55 awaiting Pipe
`);

function drawnBy(model: Model): number {
  return model.tree.roots.reduce((sum, box) => sum + box.count, 0);
}

function modelOf(page: TreePage): Model {
  const model = new Model();
  model.add(page);
  model.merge();
  return model;
}

test('Idle loops are counted, and drawn only on request', () => {
  const model = modelOf(shop);
  assert.equal(drawnBy(model), 3);
  assert.equal(model.drawsIdle, false);
  assert.deepEqual(model.idle, [
    ['Kestrel receive', 56],
    ['Kestrel send', 55],
  ]);
  assert.equal(model.totals[stateIndex('awaiting')], 3);
  model.withIdle = true;
  model.merge();
  assert.equal(drawnBy(model), 114);
  assert.equal(model.totals[stateIndex('awaiting')], 114);
});

test('A search that finds only idle loops draws them', () => {
  const model = modelOf(shop);
  model.query = 'Receive';
  model.onlyFound = true;
  model.merge();
  assert.equal(drawnBy(model), 56);
});

test('A server with nothing but idle loops shows them', () => {
  const model = modelOf(server('Receive | x56 awaiting Socket'));
  assert.equal(drawnBy(model), 56);
  assert.equal(model.drawsIdle, true);
});

test('A program without idle loops is drawn without a change', () => {
  const model = modelOf(server('Main\n  Pay | x3 awaiting Semaphore'));
  assert.deepEqual([drawnBy(model), model.idle.length], [3, 0]);
});

test('The choice about idle loops is kept when the panel is shown again', () => {
  const model = modelOf(shop);
  model.withIdle = true;
  const again = modelOf(shop);
  recall(remember(model, camera, undefined, false), again);
  assert.equal(again.withIdle, true);
  assert.equal(modelOf(shop).withIdle, false);
});
