import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Box, type BoxTree, frameIndex, stacksIn } from '../merge/boxes';
import { mergeFromInnermost } from '../merge/innermost';
import { mergeFromOutermost } from '../merge/outermost';
import type { TreeFrame } from '../model/tree';
import { all, expected, forestOf, picture } from './drawing';
import { drawn, pageOf } from './pages';
import { sampleShop } from './sample';

const shop = forestOf(
  drawn(`
Main
  Orders
    Pay
      Gate | x3 awaiting Semaphore
      Bank | x1 awaiting Socket
    Ship
      Gate | x7 awaiting Semaphore
Timer
  Ship
    Gate | x2 awaiting Semaphore
`),
);

test('Straight runs of frames are one box, and boxes branch', () => {
  assert.equal(
    picture(mergeFromOutermost(shop, all)),
    expected(`
      [Main Orders] x11
        [Ship Gate] x7 s3
        [Pay] x4
          [Gate] x3 s1
          [Bank] x1 s2
      [Timer Ship Gate] x2 s4
    `),
  );
});

test('Merged by wait, equal inner frames are joined and split at their callers', () => {
  assert.equal(
    picture(mergeFromInnermost(shop, all)),
    expected(`
      [<Semaphore> Gate] x12
        [Ship] x9
          [Orders Main] x7 s3
          [Timer] x2 s4
        [Pay Orders Main] x3 s1
      [<Socket> Bank Pay Orders Main] x1 s2
    `),
  );
});

test('A stack that ends within another one ends its box', () => {
  const forest = forestOf(drawn('Main\n  Read | x2\n    Wait | x1\n      Poll | x1'));
  assert.equal(
    picture(mergeFromOutermost(forest, all)),
    expected(`
      [Main Read] x4 s1
        [Wait] x2 s2
          [Poll] x1 s3
    `),
  );
});

test('Merged by wait, a stack whose outermost frame is within another one ends there', () => {
  const forest = forestOf(drawn('Read\n  Wait | x2\nMain\n  Read\n    Wait | x5'));
  assert.equal(
    picture(mergeFromInnermost(forest, all)),
    expected(`
      [<awaiting something unknown> Wait Read] x7 s1
        [Main] x5 s2
    `),
  );
});

test('Stacks that are filtered away leave no box and no branch', () => {
  const keep = (stack: number): boolean => shop.stacks[stack]?.wait?.short === 'Socket';
  assert.equal(picture(mergeFromOutermost(shop, keep)), '\n[Main Orders Pay Bank] x1 s2\n');
  assert.equal(picture(mergeFromInnermost(shop, keep)), '\n[<Socket> Bank Pay Orders Main] x1 s2\n');
});

test('What is deadlocked comes first, however many stacks the others have', () => {
  const forest = forestOf(drawn('Busy | x900\nStuck | x1 deadlocked Lock'));
  assert.deepEqual(
    mergeFromOutermost(forest, all).roots.map((box) => box.count),
    [1, 900],
  );
});

test('Both directions have every stack once, and counts are the sums of the contents', () => {
  const forest = forestOf(sampleShop(2000));
  for (const tree of [mergeFromOutermost(forest, all), mergeFromInnermost(forest, all)]) {
    assert.equal(tree.count, forest.head?.totals.stacks);
    const ends = tree.boxes.flatMap((box) => box.ends).sort((a, b) => a - b);
    assert.deepEqual(ends, [...forest.stacks.keys()]);
    for (const box of tree.boxes) assert.equal(box.count, sumOf(tree, box));
    for (const box of tree.boxes)
      assert.equal(
        box.count,
        box.states.reduce((sum, count) => sum + count, 0),
      );
  }
});

function sumOf(tree: BoxTree, box: Box): number {
  const own = box.ends.reduce((sum, end) => sum + (tree.forest.stacks[end]?.count ?? 0), 0);
  return box.children.reduce((sum, child) => sum + child.count, own);
}

test('A frame has the same index in a stack from both directions, and recursion counts in full', () => {
  const forest = forestOf(drawn('Main\n  Walk*5000\n    Visit\n      Gate | x1 awaiting Semaphore\nOther | x1'));
  const outer = mergeFromOutermost(forest, all).roots.find((box) => box.length === 4);
  const inner = mergeFromInnermost(forest, all).roots.find((box) => box.length === 4);
  assert.ok(outer && inner);
  const indexes = [0, 1, 2, 3].map((row) => frameIndex(mergeFromOutermost(forest, all), outer, row, 0));
  assert.deepEqual(indexes, [5002, 2, 1, 0]);
  const inwards = [0, 1, 2, 3].map((row) => frameIndex(mergeFromInnermost(forest, all), inner, row, 0));
  assert.deepEqual(inwards, [0, 1, 2, 5002]);
});

test('The index of a frame in an outer box includes the inner frames', () => {
  const tree = mergeFromInnermost(shop, all);
  const ship = tree.roots[0]?.children[0];
  assert.equal(ship && frameIndex(tree, ship, 0, 3), 1);
  assert.equal(ship?.children[1] && frameIndex(tree, ship.children[1], 0, 3), 2);
});

test('Chains of 50,000 frames and 2,000 branches on one another do not exhaust the stack', () => {
  const path = Array.from(
    { length: 50_000 },
    (_, at) => ({ method: `F${at}`, kind: 'continuation', exactness: 'exact' }) as const,
  );
  const plans = Array.from({ length: 2000 }, (_, at) => ({ frames: path.slice(0, at + 1), stack: {} }));
  const forest = forestOf(pageOf([...plans, { frames: path, stack: {} }]));
  assert.equal(mergeFromOutermost(forest, all).boxes.length, 2001);
  assert.equal(mergeFromInnermost(forest, all).count, 2001);
});

test('Stacks in a box are given up to a limit', () => {
  const tree = mergeFromOutermost(shop, all);
  assert.deepEqual(tree.roots[0] && stacksIn(tree.roots[0], 2), [2, 0]);
});

test('Keys of boxes stay when more pages come and when stacks are filtered', () => {
  const few = mergeFromOutermost(shop, (stack) => stack !== 2);
  const many = new Set(mergeFromOutermost(shop, all).boxes.map((box) => box.key));
  assert.ok(few.boxes.length > 0 && few.roots.every((box) => many.has(box.key)));
  assert.equal(many.size, mergeFromOutermost(shop, all).boxes.length, 'no two boxes have the same key');
});

/** A service: requests run through the same frame with more or fewer frames of the framework folded. */
function folded(): TreeFrame[] {
  const main: TreeFrame = { method: 'Main', kind: 'continuation', exactness: 'exact', line: 7 };
  return [main, { ...main, folded: 12 }, { ...main, folded: 3 }];
}

test('Frames that differ only in folded frames are one box, in either direction', () => {
  const [none, twelve, three] = folded() as [TreeFrame, TreeFrame, TreeFrame];
  const leaf = (method: string): TreeFrame => ({ method, kind: 'continuation', exactness: 'exact' });
  const page = pageOf([
    { frames: [none, leaf('Wait')], stack: { count: 5 } },
    { frames: [twelve, leaf('Pay')], stack: { count: 40 } },
    { frames: [three, leaf('Pay')], stack: { count: 2 } },
  ]);
  const forest = forestOf(page);
  assert.equal(
    picture(mergeFromOutermost(forest, all)),
    expected(`
      [Main] x47
        [Pay] x42 s2 s3
        [Wait] x5 s1
    `),
  );
  assert.equal(forest.frames[0]?.folded, 12, 'the most that is folded');
  const inner = mergeFromInnermost(forest, all);
  assert.equal(new Set(inner.boxes.map(({ key }) => key)).size, inner.boxes.length);
});

test('No two boxes have the same key', () => {
  const main: TreeFrame = { method: 'Main', kind: 'continuation', exactness: 'exact', line: 7 };
  const others: TreeFrame[] = [
    main,
    { ...main, kind: 'state-machine' },
    { ...main, exactness: 'order' },
    { ...main, place: 'Main.cs:~7' },
    { ...main, file: '/other/Main.cs' },
    { ...main, folded: 3 },
    { ...main, module: 'Other.dll' },
  ];
  const forest = forestOf(pageOf(others.map((frame) => ({ frames: [frame], stack: {} }))));
  for (const merge of [mergeFromOutermost, mergeFromInnermost]) {
    const tree = merge(forest, all);
    assert.equal(new Set(tree.boxes.map(({ key }) => key)).size, tree.boxes.length);
    assert.equal(tree.count, others.length);
  }
});
