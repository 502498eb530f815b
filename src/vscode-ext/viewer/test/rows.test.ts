import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heightOf, metrics, rowHeight, rowsOf, widthOf } from '../layout/rows';
import type { Box, BoxTree } from '../merge/boxes';
import { mergeFromInnermost } from '../merge/innermost';
import { mergeFromOutermost } from '../merge/outermost';
import { clip, kindWords, placeOf, shortName, shortType } from '../model/names';
import { counted, grouped, times } from '../model/numbers';
import type { TreeFrame } from '../model/tree';
import { editorLink } from '../shell/host';
import { all, face, forestOf } from './drawing';
import { drawn, pageOf } from './pages';

const frame: TreeFrame = {
  method: 'Shop.Orders.PayAsync(int)',
  name: 'PayAsync',
  type: 'Shop.Orders',
  kind: 'continuation',
  exactness: 'exact',
};

function first(tree: BoxTree): [BoxTree, Box] {
  return [tree, tree.roots[0] as Box];
}

const words = ([tree, box]: [BoxTree, Box], most?: number): string[] =>
  rowsOf(tree, box, { most }).map((row) => (row.kind === 'frame' ? row.name : row.text));

test('Names are short, and unknown parts are left out', () => {
  assert.equal(shortName(frame), 'Orders.PayAsync');
  assert.equal(shortName({ ...frame, type: undefined as never }), 'PayAsync');
  assert.equal(shortName({ method: '<unreadable 0x7f00>', kind: 'task', exactness: 'none' }), '<unreadable 0x7f00>');
  assert.equal(shortType('Shop.Data.Repository<Shop.Orders.Order, System.Int32>'), 'Repository<Order, Int32>');
  assert.equal(shortType('Shop.Cache<System.String>.Entry'), 'Cache<String>.Entry');
  assert.equal(shortType('Outer+Inner'), 'Inner');
});

test("The place of a frame is the tool's, or made of file and line", () => {
  assert.equal(placeOf({ ...frame, place: '~Orders.cs:42', file: '/a/b.cs', line: 1 }), '~Orders.cs:42');
  assert.equal(placeOf({ ...frame, file: 'C:\\src\\Orders.cs', line: 42 }), 'Orders.cs:42');
  assert.equal(placeOf({ ...frame, file: '/src/Orders.cs' }), 'Orders.cs');
  assert.equal(placeOf(frame), '');
});

test('A box lists its frames and what its stacks wait for', () => {
  const forest = forestOf(drawn('Main\n  Pay | x398 awaiting Semaphore | x2 blocked Lock | x1 scheduled'));
  assert.deepEqual(words(first(mergeFromOutermost(forest, all))), [
    'Main',
    'Pay',
    'blocked: Lock, 0 free',
    'scheduled',
    'waits for Semaphore, 0 free',
  ]);
  const [root] = mergeFromInnermost(forest, all).roots;
  assert.ok(root);
  assert.deepEqual(words([mergeFromInnermost(forest, all), root]), ['Semaphore', 'Pay', 'Main']);
});

test('Equal waits are one line with a count, and too many lines say how many more', () => {
  const same = forestOf(drawn('Main | x3 awaiting A | x4 awaiting A'));
  assert.deepEqual(words(first(mergeFromOutermost(same, all))), ['Main', 'waits for A, 0 free']);
  const many = forestOf(drawn('Main | x1 awaiting A | x2 awaiting B | x3 awaiting C | x4 awaiting D | x5 awaiting E'));
  assert.deepEqual(words(first(mergeFromOutermost(many, all))).slice(1), [
    'waits for E, 0 free',
    'waits for D, 0 free',
    'waits for C, 0 free',
    '\u2026 2 more waits',
  ]);
  assert.equal(words(first(mergeFromOutermost(many, all)), 30).length, 6, 'and all when asked');
});

test('A long run of frames says how many are not shown, and shows more when asked', () => {
  const path = Array.from({ length: 40 }, (_, at) => ({ ...frame, name: `F${at}`, type: undefined as never }));
  const box = first(mergeFromOutermost(forestOf(pageOf([{ frames: path, stack: { state: 'scheduled' } }])), all));
  assert.deepEqual(words(box), ['F0', 'F1', 'F2', 'F3', '\u2026 32 more frames', 'F36', 'F37', 'F38', 'F39', 'scheduled']);
  const more = words(box, 30);
  assert.equal(more.length, 31);
  assert.ok(more.includes('\u2026 11 more frames'));
  assert.equal(words(box, 40).length, 41);
});

test('A requested frame is shown within a long run, with its neighbours', () => {
  const path = Array.from({ length: 5000 }, (_, at) => ({ ...frame, name: `F${at}`, type: undefined as never }));
  const [tree, box] = first(mergeFromOutermost(forestOf(pageOf([{ frames: path, stack: { state: 'scheduled' } }])), all));
  const names = (at: number): string[] =>
    rowsOf(tree, box, { frame: at }).map((row) => (row.kind === 'frame' ? row.name : row.text));
  assert.deepEqual(names(2000).slice(3, 9), [
    'F3',
    '\u2026 1,995 more frames',
    'F1999',
    'F2000',
    'F2001',
    '\u2026 2,994 more frames',
  ]);
  assert.equal(names(4999).filter((name) => name.includes('more frames')).length, 1);
  assert.equal(names(0).length, 10);
});

test('The rows that are shown have the index of their frame', () => {
  const path = Array.from({ length: 40 }, (_, at) => ({ ...frame, name: `F${at}`, type: undefined as never }));
  const [tree, box] = first(mergeFromOutermost(forestOf(pageOf([{ frames: path, stack: {} }])), all));
  const indexes = rowsOf(tree, box).flatMap((row) => (row.kind === 'frame' ? [row.index] : []));
  assert.deepEqual(indexes, [0, 1, 2, 3, 36, 37, 38, 39]);
});

test('Recursion and unusual frames are described', () => {
  assert.match(words(first(mergeFromOutermost(forestOf(drawn('Walk*5000 | x1')), all)))[0] ?? '', /Walk \S 5000 times/);
  assert.match(kindWords({ ...frame, kind: 'elided', folded: 3 }), /elided.*3 frames of frameworks/);
});

test('A long wait takes two lines in a narrow column, and no box exceeds the maximum width', () => {
  const [tree, box] = first(mergeFromOutermost(forestOf(drawn(`Main | x1 awaiting ${'SemaphoreSlim '.repeat(4)}`)), all));
  const rows = rowsOf(tree, box);
  assert.equal(widthOf(rows, box, face), metrics.roomy);
  assert.equal(widthOf(rows, box, { ...face, widest: 200 }), 200, 'on a narrow screen');
  const heights = (width: number): number[] => rows.map((row) => rowHeight(row, width, face));
  assert.deepEqual(heights(metrics.roomy), [metrics.row, metrics.row + metrics.second]);
  assert.deepEqual(heights(600), [metrics.row, metrics.row]);
  assert.equal(heightOf([metrics.row, metrics.row]), metrics.head + 2 * metrics.row + metrics.padding);
});

test('Strings of a megabyte are cut, and no character is cut in two', () => {
  const huge = 'x'.repeat(1_000_000);
  assert.equal(shortName({ ...frame, type: huge, name: huge }).length, 300);
  assert.equal(placeOf({ ...frame, file: huge }).length, 80);
  assert.equal(clip('ab\u{1f600}cd', 4), 'ab\u2026');
  const forest = forestOf(
    pageOf([{ frames: [{ ...frame, method: huge, name: huge }], stack: { wait: { kind: 'task', text: huge, short: huge } } }]),
  );
  for (const text of words(first(mergeFromOutermost(forest, all)))) assert.ok(text.length <= 320, `${text.length} characters`);
});

test('Counts are written with commas', () => {
  assert.deepEqual([grouped(0), grouped(999), grouped(1234567), times(4312)], ['0', '999', '1,234,567', 'x4,312']);
  assert.deepEqual([counted(1, 'stack'), counted(1000, 'stack')], ['1 stack', '1,000 stacks']);
});

test('Only absolute paths become links, and no path can be another kind of link', () => {
  const link = (file: string, line?: number): string | undefined =>
    editorLink({ ...frame, file, ...(line === undefined ? {} : { line }) });
  assert.equal(link('/src/My Orders.cs', 42), 'vscode://file/src/My%20Orders.cs:42');
  assert.equal(link('C:\\src\\Orders.cs', 7), 'vscode://file/C:/src/Orders.cs:7');
  assert.equal(link('javascript:alert(1)'), undefined);
  assert.equal(link('//host/share'), undefined);
  assert.equal(link('Orders.cs', 1), undefined);
  assert.equal(link('/a?x=<b>#"'), 'vscode://file/a%3Fx%3D%3Cb%3E%23%22');
});
