// The other ways of merging: by resource with its holders, by label, around one method; and without frames that are hidden.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showItems } from '../layout/items';
import { layOut } from '../layout/layout';
import { frameIndex, nodesOf } from '../merge/boxes';
import { Folds } from '../merge/folds';
import { mergeFromInnermost } from '../merge/innermost';
import { Model } from '../merge/model';
import { mergeFromOutermost } from '../merge/outermost';
import { labelsIn, mergeByLabel, valuesIn } from '../merge/routes';
import { mergeAround } from '../merge/sandwich';
import type { FindingRecord } from '../model/findings';
import { hidesOf, namespaceOf } from '../model/hidden';
import { wholeIndex, withoutFrames } from '../model/ownForest';
import { ranks, ranksOf } from '../model/ranks';
import { holdersOf, resourceOf } from '../model/resources';
import type { EdgeRecord, TreeFrame, TreeHead, TreeStack, TreeWait } from '../model/tree';
import { all, expected, face, forestOf, picture } from './drawing';
import { pageOf, type StackPlan } from './pages';

const till: TreeWait = {
  kind: 'semaphore',
  text: 'SemaphoreSlim, Orders._till, 0 free',
  short: 'SemaphoreSlim',
  address: '0x10',
  resource: '0xa1',
};

function frame(method: string, more: Partial<TreeFrame> = {}): TreeFrame {
  return { method, kind: 'continuation', exactness: 'exact', ...more };
}

const main = frame('Main');
const kestrel = frame('Kestrel', { framework: true });
const pay = frame('Shop.Orders.PayAsync(int)', { type: 'Shop.Orders', name: 'PayAsync' });
const ship = frame('Shop.Orders.ShipAsync()', { type: 'Shop.Orders', name: 'ShipAsync' });
const gate = frame('Shop.Data.Gate.EnterAsync()', { type: 'Shop.Data.Gate', name: 'EnterAsync' });

function plan(frames: readonly TreeFrame[], stack: Partial<TreeStack>): StackPlan {
  return { frames, stack };
}

const held: EdgeRecord = { from: '0xa1', relation: 'held-by', to: 's2', known: 'acquired-by-code', count: 1 };
const resources: TreeHead['resources'] = [
  { id: '0xa1', node: 'resource', kind: 'semaphore', name: 'Orders._till', text: '0 free, 5 waiting', waiting: 5 },
];

function shop(head: Partial<TreeHead> = {}): ReturnType<typeof pageOf> {
  return pageOf(
    [
      plan([main, pay, gate], { count: 4, wait: till, labels: { route: '/pay' }, age: { atLeastMs: 5000, clock: 'timer' } }),
      plan([main, ship], {
        wait: { kind: 'timer', text: 'Task.Delay', short: 'Task.Delay' },
        labels: { route: '/ship' },
        key: 'k2',
      }),
      plan([kestrel, ship, gate], {
        count: 3,
        wait: till,
        labels: { route: '/ship' },
        shares: {
          route: [
            { value: '/ship', count: 2 },
            { value: '/pay', count: 1 },
          ],
        },
      }),
      plan([kestrel], { count: 9 }),
    ],
    { resources, edges: [held], ...head },
  );
}

test('By resource: the waiters of one semaphore are below it, from the inside out, whatever they call; others by what they wait for', () => {
  const forest = forestOf(shop());
  assert.equal(
    picture(mergeFromInnermost(forest, all)),
    expected(`
      [<awaiting> Kestrel] x9 s4
      [<Orders._till>] x7
        [Shop.Data.Gate.EnterAsync()] x7
          [Shop.Orders.PayAsync(int) Main] x4 s1
          [Shop.Orders.ShipAsync() Kestrel] x3 s3
      [<Task.Delay> Shop.Orders.ShipAsync() Main] x1 s2
    `).replace('<awaiting>', '<awaiting something unknown>'),
  );
});

test('Who holds the semaphore stands on its other side, with its frames, and nothing overlaps', () => {
  const forest = forestOf(shop());
  assert.deepEqual(
    holdersOf(forest, '0xa1').map(({ stack, known }) => [stack, known]),
    [[1, 'acquired-by-code']],
  );
  const folds = new Folds();
  const tree = mergeFromInnermost(forest, all);
  folds.openBest(tree, 100);
  const { items } = showItems(tree, folds, face);
  layOut(items);
  const resource = items.find(({ box }) => box?.resource === '0xa1');
  const [holder] = resource?.holders ?? [];
  assert.ok(resource && holder);
  assert.ok(holder.x + holder.width < resource.x, 'the holder is not beside the resource');
  assert.equal(holder.y, resource.y);
  assert.deepEqual(holder.rows.map((row) => (row.kind === 'frame' ? row.name : row.text)).slice(0, 2), [
    'held by s2',
    'acquired, by its code',
  ]);
  assert.deepEqual(
    holder.rows.flatMap((row) => (row.kind === 'frame' ? [row.name] : [])),
    ['Orders.ShipAsync', 'Main'],
  );
});

test('A task without a name does not count as a resource', () => {
  const forest = forestOf(shop({ resources: [{ id: '0xa1', node: 'resource', kind: 'task', waiting: 2 }] }));
  assert.equal(resourceOf(forest, forest.stacks[0] as TreeStack), undefined);
});

test('By label: equal stacks of two routes are below both, with their part', () => {
  const forest = forestOf(shop());
  const tree = mergeByLabel(forest, all, 'route');
  assert.deepEqual(
    tree.roots.map(({ title, count }) => [title, count]),
    [
      ['no route', 9],
      ['/pay', 5],
      ['/ship', 3],
    ],
  );
  assert.equal(tree.count, 17);
  assert.deepEqual(labelsIn(forest), [['route', 8]]);
  assert.deepEqual(valuesIn(forest, 'route'), [
    ['/pay', 5],
    ['/ship', 3],
  ]);
});

test('A search by label finds a group of which only some have the value', () => {
  const model = new Model();
  model.add(shop());
  model.query = 'label:route="/pay"';
  model.onlyFound = true;
  model.merge();
  assert.deepEqual(
    model.forest.stacks.filter((_, at) => model.keeps(at)).map(({ id }) => id),
    ['s1', 's3'],
  );
});

test('Around a method: its callers outwards and what it called inwards, with the right frame of each stack', () => {
  const forest = forestOf(shop());
  const tree = mergeAround(forest, all, ship.method);
  assert.equal(
    picture(tree),
    expected(`
      [<Callers of Orders.ShipAsync>] x4
        [Shop.Orders.ShipAsync()] x4
          [Kestrel] x3 s3
          [Main] x1 s2
      [<Called by Orders.ShipAsync>] x4
        [Shop.Orders.ShipAsync()] x4 s2
          [Shop.Data.Gate.EnterAsync()] x3 s3
    `),
  );
  assert.equal(tree.count, 4, 'a stack on both sides is one');
  const caller = tree.boxes.find((box) => nodesOf(tree, box).some((node) => tree.forest.frameOf(node) === kestrel));
  const callee = tree.boxes.find((box) => nodesOf(tree, box).some((node) => tree.forest.frameOf(node) === gate));
  assert.ok(caller && callee);
  // s3 is Gate < Ship < Kestrel.
  assert.equal(frameIndex(tree, caller, 0, 2), 2);
  assert.equal(frameIndex(tree, callee, 0, 2), 0);
});

test('Without frameworks callers join, stacks keep their numbers, and frames are found again', () => {
  const forest = forestOf(shop());
  const hides = hidesOf({ frameworks: true, names: new Set() });
  assert.ok(hides);
  assert.equal(
    picture(mergeFromOutermost(withoutFrames(forest, hides), (at) => at < 3)),
    expected(`
      [Main] x5
        [Shop.Orders.PayAsync(int) Shop.Data.Gate.EnterAsync()] x4 s1
        [Shop.Orders.ShipAsync()] x1 s2
      [Shop.Orders.ShipAsync() Shop.Data.Gate.EnterAsync()] x3 s3
    `),
  );
  const plumbing = forestOf(pageOf([plan([main, kestrel, pay], {})]));
  assert.equal(wholeIndex(plumbing, hides, 0, 1), 2);
});

test('A namespace and a method can be hidden, and nothing else of them', () => {
  assert.equal(namespaceOf(gate), 'Shop.Data.');
  const hides = hidesOf({ frameworks: false, names: new Set(['Shop.Data.', pay.method]) });
  assert.deepEqual(
    [main, pay, ship, gate].filter((one) => hides?.(one)),
    [pay, gate],
  );
  assert.equal(hidesOf({ frameworks: false, names: new Set() }), undefined);
});

test('What is wrong comes first, then code of the user, then frameworks, whatever the counts', () => {
  const finding: FindingRecord = { rule: 'hot-resource', severity: 'warning', confidence: 'likely', text: '', stacks: ['s2'] };
  const model = new Model();
  model.add(shop({ findings: [finding] }));
  model.merge();
  assert.deepEqual([...ranksOf(model.forest)], [ranks.own, ranks.warning, ranks.own, ranks.framework]);
  assert.deepEqual(
    model.tree.roots.map((root) => root.worst),
    [ranks.warning, ranks.own],
  );
  // By hiding frameworks, their stacks go.
  model.hiddenFrames.frameworks = true;
  model.merge();
  assert.equal(model.tree.count, 8);
});

test('Oldest first, if that is wanted: a box is as old as its oldest stack', () => {
  const model = new Model();
  model.add(shop());
  model.merge();
  const ages = (): number[] => model.tree.roots.map(({ oldest }) => oldest);
  assert.deepEqual(ages(), [0, 5000]);
  model.oldestFirst = true;
  model.merge();
  assert.deepEqual(ages(), [5000, 0]);
});
