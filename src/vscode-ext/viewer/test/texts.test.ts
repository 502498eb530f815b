// What is copied, exported, sorted and sent as an address.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barAt, barsOf } from '../draw/icicle';
import { SvgPen } from '../draw/pens';
import { showItems } from '../layout/items';
import { layOut } from '../layout/layout';
import { fitName, formsOf } from '../layout/names';
import { Folds } from '../merge/folds';
import { Model } from '../merge/model';
import { mergeFromOutermost } from '../merge/outermost';
import { heatOf } from '../model/ages';
import { fateOf, fateWords, sinceWords } from '../model/fates';
import { Pins } from '../model/pins';
import { stackMarkdown, stackText } from '../model/stackText';
import { type Column, rowsOfTable, sorted } from '../model/table';
import type { TreeFrame, TreeStack } from '../model/tree';
import { fragmentOf, readFragment } from '../shell/address';
import { all, face, forestOf } from './drawing';
import { drawn, pageOf } from './pages';
import { sampleShop } from './sample';

const measure = (text: string): number => text.length * 6;
const load: TreeFrame = {
  method: 'Shop.Data.Repo<Shop.Order>.LoadAsync(int)',
  type: 'Shop.Data.Repo<Shop.Order>',
  name: 'LoadAsync',
  file: '/src/Repository.cs',
  line: 42,
  place: 'Repository.cs:42 [thread]',
  kind: 'thread',
  exactness: 'exact',
};

test('The method of a frame is never cut: type arguments, the type and the place go first', () => {
  assert.deepEqual(formsOf(load), ['Repo<Order>.LoadAsync', 'Repo.LoadAsync', 'LoadAsync']);
  const shown = (room: number): string => {
    const { name, place } = fitName(load, room, measure);
    return `${name} ${place}`.trim();
  };
  assert.equal(shown(400), 'Repo<Order>.LoadAsync Repository.cs:42 [thread]');
  assert.equal(shown(250), 'Repo<Order>.LoadAsync Repository.cs:42');
  assert.equal(shown(210), 'Repo.LoadAsync Repository.cs:42');
  assert.equal(shown(170), 'LoadAsync Repository.cs:42');
  assert.equal(shown(130), 'Repo.LoadAsync :42');
  for (let room = 400; room > 0; room -= 7) assert.match(shown(room), /LoadAsync/, `${room}`);
  assert.equal(fitName(load, 20, measure).double, true);
  // Names of lambdas have brackets that are no type arguments.
  assert.deepEqual(formsOf({ ...load, type: 'Shop.Till', name: '<PayAsync>b__0' }), ['Till.<PayAsync>b__0', '<PayAsync>b__0']);
});

test('Boxes without a stack in sight stand beside each other, and those of a finding below each other', () => {
  const tree = mergeFromOutermost(
    forestOf(drawn(Array.from({ length: 9 }, (_, at) => `F${at} | x1 awaiting Gate`).join('\n'))),
    all,
  );
  const wide = { ...face, view: 1000 };
  const { items } = showItems(tree, new Folds(), wide);
  const { width, height } = layOut(items);
  assert.ok(width <= 1000 && height < 400, `${width} x ${height}`);
  assert.deepEqual(
    items.slice(0, 5).map(({ column }) => column),
    [0, 1, 2, 3, 0],
  );
  for (const one of items)
    for (const other of items) if (one !== other && one.column === other.column) assert.notEqual(one.y, other.y);
  const apart = new Set(items.map(({ box }) => box?.key ?? 0));
  assert.deepEqual([...new Set(showItems(tree, new Folds(), wide, apart).items.map(({ column }) => column))], [0]);
});

test('Bars of all boxes fill the room, each as high as it has stacks, and a place leads to its box', () => {
  const tree = mergeFromOutermost(forestOf(sampleShop(3000)), all);
  const bars = barsOf(tree, 800, 600);
  const roots = bars.filter(({ box }) => !box.parent);
  assert.ok(Math.abs(roots.reduce((sum, { height }) => sum + height, 0) - 600) < 30);
  for (const bar of bars.slice(0, 200)) {
    assert.equal(barAt(bars, bar.x + bar.width / 2, bar.y + bar.height / 2)?.box, bar.box);
    assert.ok(bar.height >= 1 && bar.x + bar.width <= 801);
  }
});

const labels = { route: '/pay', request: 'GET /pay' };
const rows: readonly Partial<TreeStack>[] = [
  { count: 1, state: 'awaiting', age: { atLeastMs: 9000, clock: 'timer' } },
  { count: 7, state: 'awaiting', labels, wait: { kind: 'lock', text: 'Lock', short: 'Lock' } },
  {
    count: 2,
    state: 'deadlocked',
    wait: { kind: 'timer', text: 'Task.Delay', short: 'Task.Delay' },
    fates: { stuck: 2, moved: 0, new: 0 },
  },
];

test('The table sorts by each column, worst, most and oldest first, and empty cells last', () => {
  const model = new Model();
  model.add(pageOf(rows.map((stack) => ({ frames: [load], stack }))));
  model.merge();
  const by = (column: Column, down = true): string =>
    sorted(rowsOfTable(model.forest, model.keeps, model.ranks), { column, down })
      .map(({ stack }) => stack.id)
      .join(' ');
  assert.equal(by('state'), 's3 s2 s1');
  assert.equal(by('count'), 's2 s3 s1');
  assert.equal(by('count', false), 's1 s3 s2');
  assert.equal(by('oldest'), 's1 s3 s2');
  assert.equal(by('wait'), 's2 s3 s1');
  assert.equal(by('route'), 's2 s3 s1');
  assert.equal(by('since'), 's3 s2 s1');
});

test('A stack is copied as text and as Markdown, in which no name is markup', () => {
  const evil: TreeFrame = { ...load, method: '```\n<img src=x> **b**' };
  const forest = forestOf(
    pageOf([
      {
        frames: [load, evil],
        stack: { count: 40, labelText: 'GET /pay', wait: { kind: 'lock', text: 'Lock *x*', short: 'Lock' } },
      },
    ]),
  );
  const stack = forest.stacks[0] as TreeStack;
  assert.equal(
    stackText(forest, stack, 'look here'),
    's1 x40 awaiting: Lock *x*\n  works for GET /pay\n  note: look here\n    ```\n<img src=x> **b**  Repository.cs:42 [thread]\n    Shop.Data.Repo<Shop.Order>.LoadAsync(int)  Repository.cs:42 [thread]\n',
  );
  const markdown = stackMarkdown(forest, stack);
  assert.ok(markdown.startsWith('**s1 x40 awaiting: Lock \\*x\\***\n'), markdown);
  assert.equal(markdown.match(/^````$/gm)?.length, 2, markdown);
});

test('An SVG has text as text, and nothing that no XML may have', () => {
  const pen = new SvgPen();
  pen.text(1, 2, '</text><script>alert(1)</script>&\u0000', '#000"onload="x');
  const svg = pen.finish(10, 10, '#fff', 'x', '<b>');
  for (const part of ['<script', '<b>', '\u0000', '"onload="']) assert.ok(!svg.includes(part), svg);
});

test('An address keeps what is selected and how it is shown, and another page reads it back', () => {
  const model = new Model();
  model.direction = 'route';
  model.label = 'Shop.Tenant';
  model.query = 'method:"^A b$" #&=';
  model.onlyFound = true;
  model.chosen = 'deadlock:x';
  const fragment = fragmentOf(model, { stack: 'k1/&#', table: true });
  const back = new Model();
  assert.deepEqual(readFragment(fragment, back), { stack: 'k1/&#', table: true });
  assert.deepEqual(
    [back.direction, back.label, back.query, back.onlyFound, back.chosen],
    ['route', 'Shop.Tenant', model.query, true, 'deadlock:x'],
  );
  assert.equal(fragmentOf(new Model(), { table: false }), '');
  assert.deepEqual(readFragment('#by=method&x', new Model()), { stack: undefined, table: false });
});

test('What became of stacks is said with counts only where they differ', () => {
  const one = (stuck: number, moved: number, fresh: number): TreeStack => ({
    id: 's1',
    count: 4,
    state: 'awaiting',
    frames: 1,
    node: 0,
    fates: { stuck, moved, new: fresh },
  });
  assert.equal(fateWords(one(4, 0, 0)), 'stuck');
  assert.equal(fateWords(one(1, 0, 3)), '1 stuck, 3 new');
  assert.equal(fateOf(one(1, 0, 3)), 'new');
  assert.equal(fateOf(one(2, 2, 0)), 'stuck');
  const totals = { before: 9, after: 8, stuck: 5, moved: 2, new: 1, gone: 2 };
  assert.equal(
    sinceWords({ apartMs: 4200, totals, gone: [] }),
    'since an earlier look (4.2 s before): 5 stuck, 2 moved, 1 new, 2 gone',
  );
});

test('Notes are kept by key; what is noted here wins over what a snapshot has', () => {
  const stack = { id: 's1', count: 1, state: 'awaiting', frames: 0, node: -1, key: 'k' } as TreeStack;
  const pins = new Pins();
  assert.equal(pins.of(stack), undefined);
  pins.set(stack, 'mine');
  pins.take([
    { key: 'k', text: 'theirs' },
    { key: 'l', text: '' },
  ]);
  assert.deepEqual(pins.all, [
    { key: 'k', text: 'mine' },
    { key: 'l', text: '' },
  ]);
  pins.remove(stack);
  assert.equal(pins.of(stack), undefined);
});

test('Ages get warmer', () => assert.deepEqual([10, 1000, 10_000, 60_000, 600_000].map(heatOf), [undefined, 0, 1, 2, 3]));
