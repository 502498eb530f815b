import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeFromInnermost } from '../merge/innermost';
import { Model } from '../merge/model';
import { mergeFromOutermost } from '../merge/outermost';
import { type Found, search, stacksWith } from '../merge/search';
import { unanswered } from '../model/query';
import { queryOptions } from '../model/queryOptions';
import { all, forestOf } from './drawing';
import { drawn, pageOf } from './pages';

const shop = forestOf(
  drawn(`
Main
  Pay
    Gate | x3 awaiting Semaphore
    Bank | x1 awaiting Socket
  Ship
    Gate | x7 awaiting Semaphore
`),
);

function hits(found: Found | undefined): string[] {
  return (found?.hits ?? []).map((hit) => `x${hit.box.count} ${hit.frame}`);
}

test('Hits come in reading order, in any case', () => {
  const tree = mergeFromOutermost(shop, all);
  assert.deepEqual(hits(search(tree, 'gATE')), ['x7 1', 'x3 0']);
  assert.deepEqual(hits(search(tree, 'a')).slice(0, 2), ['x11 0', 'x7 1']);
});

test('Waits and ids are found where the stack ends', () => {
  const tree = mergeFromOutermost(shop, all);
  assert.deepEqual(hits(search(tree, 'socket')), ['x1 -1']);
  assert.deepEqual(hits(search(tree, 's3')), ['x7 -1']);
  assert.deepEqual(hits(search(mergeFromInnermost(shop, all), 'socket')), ['x1 -1']);
});

test('The text is plain, and nothing is found of what is not there', () => {
  const tree = mergeFromOutermost(shop, all);
  assert.deepEqual(hits(search(tree, 'G.te')), []);
  assert.equal(search(tree, ''), undefined);
});

test('A search with too many hits stops and says so', () => {
  const path = Array.from({ length: 12_000 }, () => ({ method: 'Walk', kind: 'continuation', exactness: 'exact' }) as const);
  const found = search(mergeFromOutermost(forestOf(pageOf([{ frames: path, stack: {} }])), all), 'walk');
  assert.equal(found?.more, true);
  assert.equal(found?.hits.length, 10_000);
});

test('Stacks that have the text anywhere are kept by the filter', () => {
  const has = stacksWith(shop, 'PAY');
  assert.deepEqual([0, 1, 2].map(has), [true, true, false]);
  assert.deepEqual([0, 1, 2].map(stacksWith(shop, 'socket')), [false, true, false]);
});

test('Filters by state and by matches are combined, and totals stay', () => {
  const model = new Model();
  model.add(drawn('Main\n  Pay | x3 | x2 blocked\n  Ship | x5 blocked'));
  model.hidden.add('awaiting');
  model.merge();
  assert.equal(model.tree.count, 7);
  model.query = 'pay';
  model.onlyFound = true;
  model.merge();
  assert.equal(model.tree.count, 2);
  assert.equal(
    model.totals.reduce((sum, count) => sum + count, 0),
    10,
  );
});

test('A reset discards the stacks and keeps the search', () => {
  const model = new Model();
  model.add(drawn('Main\n  Pay | x3'));
  model.query = 'pay';
  model.merge();
  model.reset();
  assert.equal(model.tree.count, 0);
  assert.equal(model.found?.hits.length, 0);
  model.add(drawn('Main\n  Pay | x4'));
  model.merge();
  assert.equal(model.found?.hits.length, 1);
});

const mixed = forestOf(
  drawn(`
Main
  Pay
    Gate | x3 awaiting Semaphore
    Bank | x2 blocked Socket
  Ship
    Gate | x7 awaiting Semaphore
`),
);

function matching(typed: string): string {
  const has = stacksWith(mixed, typed);
  return mixed.stacks.flatMap((stack, number) => (has(number) ? [stack.id] : [])).join(' ');
}

test('Filters select the same stacks as in the tool', () => {
  for (const [typed, expected] of [
    ['method:^pay$', 's1 s2'],
    ['method:Pay method:Gate', 's1'],
    ['state:blocked', 's2'],
    ['state:Blocked,awaiting', 's1 s2 s3'],
    ['waiting-on:sema', 's1 s3'],
    ['waiting:sema without:Ship', 's1'],
    ['with:"Ga te"', ''],
    ['with:Gate Pay', 's1'],
    ['type:Gate', 's1 s3'],
    ['type:gate', ''],
    ['thread:7', ''],
    ['pay state:', 's1 s2'],
    ['address:0x7f task:7f', ''],
  ] as const)
    assert.equal(matching(typed), expected, typed);
});

test('Hits of a filter can be stepped through, in matching stacks only', () => {
  const tree = mergeFromOutermost(mixed, all);
  assert.deepEqual(hits(search(tree, 'method:Gate')), ['x7 1', 'x3 0']);
  assert.deepEqual(hits(search(tree, 'method:Gate without:Ship')), ['x3 0']);
  assert.deepEqual(hits(search(tree, 'state:blocked')), ['x2 -1']);
  assert.deepEqual(hits(search(tree, 'without:Ship')), ['x3 -1', 'x2 -1']);
  assert.deepEqual(hits(search(mergeFromInnermost(mixed, all), 'waiting-on:Socket')), ['x2 -1']);
  assert.deepEqual(hits(search(mergeFromInnermost(mixed, all), 'state:blocked')), ['x2 -1']);
});

test('An invalid search is reported and finds nothing', () => {
  const tree = mergeFromOutermost(mixed, all);
  for (const [typed, wrong] of [
    ['method:(', 'method: needs a regular expression'],
    ['with:(?=a)', 'with: needs a regular expression'],
    ['state:asleep', "state: does not know 'asleep'"],
    ['thread:main', 'thread: needs a number above 0'],
    ['address:orders', 'address: needs an address in hex'],
  ] as const) {
    assert.equal(search(tree, typed)?.wrong, wrong);
    assert.equal(search(tree, typed)?.hits.length, 0);
    assert.equal(matching(typed), '');
  }
});

test('Text with a colon that is not a filter is plain text', () => {
  assert.deepEqual(hits(search(mergeFromOutermost(mixed, all), 'Shop::Pay')), []);
  assert.equal(search(mergeFromOutermost(mixed, all), 'colour:red')?.wrong, undefined);
});

test('All filters of the tool are supported except those that need data a page does not have', () => {
  const example = { pattern: 'a', name: 'a', address: '0x1', number: '1', duration: '30s', words: 'awaiting' } as const;
  const tree = mergeFromOutermost(mixed, all);
  const lacking = queryOptions.filter(({ name, kind }) => search(tree, `${name}:${example[kind]}`)?.wrong !== undefined);
  assert.deepEqual(
    lacking.map(({ name }) => name),
    unanswered,
  );
});

test('Labels are found by request, trace and name', () => {
  const labels = { request: 'GET /orders/42?...', route: '/orders/{id}', trace: '4bf92f35', 'Shop.Tenant': 't42' };
  const frames = [{ method: 'Pay', kind: 'continuation', exactness: 'exact' }] as const;
  const labelled = forestOf(
    pageOf([
      { frames: [...frames], stack: { labels } },
      { frames: [...frames], stack: {} },
    ]),
  );
  const count = (typed: string): number => [0, 1].filter(stacksWith(labelled, typed)).length;
  for (const typed of [
    'request:/orders/*',
    'request:"GET /orders/42"',
    'request:/orders/{id}',
    'trace:4BF9',
    'label:tenant',
    'label:Shop.Tenant=t4*',
  ])
    assert.equal(count(typed), 1, typed);
  for (const typed of ['request:/orders', 'request:/orders/4', 'trace:bf9', 'label:ten', 'label:tenant=t4', 'request:POST*'])
    assert.equal(count(typed), 0, typed);
});
