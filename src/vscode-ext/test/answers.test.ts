import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFromViewer } from '../src/panel/messages';
import { pageOf } from '../src/panel/page';
import { descriptionOf, inOrder, isPending, isWrong, labelOf, parseLine, parseProcesses } from '../src/processes/processList';
import {
  readFindings,
  readFramePage,
  readHtml,
  readPlace,
  readPlaces,
  readSnapshot,
  readStackPage,
  readTreePage,
} from '../src/session/protocol';

const nonsense = [
  undefined,
  null,
  7,
  'text',
  [],
  {},
  { stacks: 7 },
  { stackFrames: [null, 7, 'x'] },
  { total: 'many', stacks: [null, {}, { id: 7 }] },
];

test('Invalid answers of an adapter are ignored and do not throw', () => {
  for (const answer of nonsense) {
    assert.deepEqual(readStackPage(answer).stacks, []);
    assert.ok(Array.isArray(readFramePage(answer).frames));
    assert.deepEqual(readPlace(answer), { line: 1, column: 1, source: undefined });
  }
});

test('A page of the tree, and the html, are validated', () => {
  for (const answer of nonsense) {
    assert.throws(() => readTreePage(answer), /not a page of async2.tree/);
    assert.throws(() => readHtml(answer), /has no html/);
  }
});

test('Idle loops are counted beside the stacks, and invalid data about them is ignored', () => {
  const idle = { entries: 2, name: '111 idle loops', text: '56 Kestrel receive, 55 Kestrel send' };
  assert.deepEqual(readStackPage({ total: 3, stacks: [], idle }).idle, idle);
  for (const wrong of [undefined, null, 7, {}, { entries: 0 }, { entries: 1.5 }, { entries: -1 }, { entries: '2' }])
    assert.equal(readStackPage({ total: 3, stacks: [], idle: wrong }).idle, undefined);
});

test('A frame says whether it is a label or subtle, and where it is', () => {
  const { frames, total } = readFramePage({
    totalFrames: 9,
    stackFrames: [
      { id: 1, name: 'waits', presentationHint: 'label', line: 0 },
      { id: 2, name: 'A', line: 4, column: 2, source: { path: '/a.cs' } },
      { id: 3, name: 'B', presentationHint: 'subtle', source: { sourceReference: 5 } },
      { id: 4, name: 'C', source: { name: 'nowhere', sourceReference: 0 } },
    ],
  });
  assert.equal(total, 9);
  assert.deepEqual(
    frames.map(({ label, subtle, line, source }) => [label, subtle, line, source !== undefined]),
    [
      [true, false, 1, false],
      [false, false, 4, true],
      [false, true, 1, true],
      [false, false, 1, false],
    ],
  );
});

test('A path that VS Code wrote as an address is a path again', () => {
  const paths = [
    '/src/a b.cs',
    'vscode-remote://ssh-remote%2Bbox:22/src/a%20b.cs',
    'file:///src/a%20b.cs',
    'file:///c:/src/a.cs',
    'C:\\src\\a.cs',
    'file://%/x',
  ];
  assert.deepEqual(
    paths.map((path) => readPlace({ source: { path }, line: 1 }).source?.path),
    ['/src/a b.cs', '/src/a b.cs', '/src/a b.cs', 'c:/src/a.cs', 'C:\\src\\a.cs', 'file://%/x'],
  );
});

test('The viewer may ask for four things, and nothing else', () => {
  assert.deepEqual(readFromViewer({ type: 'open', stack: 's12', frame: 3, path: '/etc/passwd' }), {
    type: 'open',
    stack: 's12',
    frame: 3,
  });
  for (const type of ['ready', 'export', 'refresh']) assert.deepEqual(readFromViewer({ type, more: 1 }), { type });
  const refused = [
    null,
    'ready',
    {},
    { type: 'eval' },
    { type: 'open' },
    { type: 'open', stack: '../x', frame: 0 },
    { type: 'open', stack: 's1', frame: -1 },
    { type: 'open', stack: 's1', frame: 0.5 },
    { type: 'open', stack: ['s1'], frame: 0 },
  ];
  for (const message of refused) assert.equal(readFromViewer(message), undefined, JSON.stringify(message));
});

test('The page of the panel allows two files and no text as script', () => {
  const page = pageOf({
    source: 'https://x',
    script: 'https://x/viewer.js',
    style: 'https://x/viewer.css',
    title: '<script>alert(1)</script>"',
  });
  assert.match(
    page,
    /content="default-src 'none'; script-src https:\/\/x; style-src https:\/\/x; base-uri 'none'; form-action 'none'"/,
  );
  assert.doesNotMatch(page, /unsafe-|<script>|<style/);
});

test('Processes with stacks come first, those that cannot be read last', () => {
  const rows = parseProcesses(
    JSON.stringify({
      schema: 'async2.ps/1',
      processes: [
        { pid: 1, name: 'a', verdict: 'unreadable', reason: 'no permission' },
        { pid: 2, name: 'b', verdict: 'idle', stacks: 0 },
        { pid: 3, name: 'c', verdict: 'awaiting', stacks: 1200, runtime: '10.0.12', complete: false },
        { pid: '4', name: 'no number' },
        null,
      ],
    }),
  );
  assert.deepEqual(rows.map(labelOf), ['c (3)', 'b (2)', 'a (1)']);
  assert.deepEqual(rows.map(descriptionOf), ['.NET 10.0.12 - at least 1,200 stacks, awaiting', '0 stacks, idle', 'unreadable']);
});

test('Output that is not a list of processes is rejected', () => {
  for (const text of ['null', '{}', '[]', '{"schema":"async2.ps/2","processes":[]}', '{"schema":"async2.ps/1"}'])
    assert.throws(() => parseProcesses(text), /not a list/);
});

test('Findings, places and snapshots are validated, and nothing of an adapter throws', () => {
  for (const answer of nonsense) {
    assert.deepEqual(readFindings(answer).findings, []);
    assert.deepEqual(readPlaces(answer), []);
    assert.throws(() => readSnapshot(answer), /has no snapshot/);
  }
  const step = { text: 'waits', stack: 's1', path: 'vscode-remote://host/src/Till.cs', line: 7 };
  const finding = {
    id: 'f1',
    rule: 'deadlock',
    severity: 'fatal',
    confidence: 'certain',
    text: 'x',
    stacks: ['s1', 7],
    steps: [step, { line: -1 }],
  };
  const [row] = readFindings({ findings: [finding, {}, null], takenAt: '2026-11-25T19:41:07Z', live: 1 }).findings;
  assert.deepEqual(
    [row?.severity, row?.stacks, row?.steps[0]?.path, row?.steps[1]?.line],
    ['info', ['s1'], '/src/Till.cs', undefined],
  );
  assert.equal(readFindings({ live: 1 }).live, false);
  const place = { path: '/src/Till.cs', line: 7, stacks: 40, stack: 's1', oldest: '4 min', wait: '' };
  assert.deepEqual(
    readPlaces({ places: [place, { ...place, line: 0 }, { ...place, stack: 7 }] }).map(({ wait }) => wait),
    [undefined],
  );
  assert.deepEqual([...readSnapshot({ snapshot: 'QTI=' })], [65, 50]);
});

test('The viewer can ask for nothing but what it has buttons for, with arguments that are checked', () => {
  const fine = [
    { type: 'select', stack: 's12' },
    { type: 'members', stack: 's1', start: 50 },
    { type: 'copy', text: 'x' },
    { type: 'link', key: 'k' },
    { type: 'picture', format: 'png', data: 'AA==' },
    { type: 'pin', pinned: true },
    { type: 'save', notes: [{ key: 'k', text: 'n' }] },
    { type: 'stop' },
    { type: 'debug' },
  ];
  for (const message of fine) assert.deepEqual(readFromViewer(message), message);
  const wrong = [
    { type: 'select', stack: '../x' },
    { type: 'members', stack: 's1', start: -1 },
    { type: 'copy', text: 'x'.repeat(2_000_001) },
    { type: 'copy' },
    { type: 'link', key: 7 },
    { type: 'picture', format: 'exe', data: '' },
    { type: 'pin' },
    { type: 'save', notes: 'x' },
    { type: 'run', text: 'x' },
  ];
  for (const message of wrong) assert.equal(readFromViewer(message), undefined, JSON.stringify(message));
  assert.deepEqual(readFromViewer({ type: 'save', notes: [7, { key: 'k' }, { key: 'k', text: 'n', more: 1 }] }), {
    type: 'save',
    notes: [{ key: 'k', text: 'n' }],
  });
});

test('A list of processes that comes line by line: names first, what is wrong before all others', () => {
  const lines = [
    '{"pid":1,"name":"a","verdict":"pending"}',
    '{"pid":2,"name":"b","verdict":"awaiting","stacks":9}',
    '{"pid":3,"name":"c","verdict":"deadlock","stacks":2}',
    '{"pid":4,"name":"d","verdict":"unreadable"}',
    'no json',
    '{}',
  ];
  const rows = lines.flatMap((line) => parseLine(line) ?? []);
  assert.deepEqual(
    inOrder(rows).map(({ pid }) => pid),
    [3, 2, 1, 4],
  );
  assert.deepEqual([rows.filter(isPending).length, rows.filter(isWrong).length], [1, 1]);
  assert.equal(descriptionOf(rows[0] as (typeof rows)[0]), '...');
});

test('A file that is opened without a session says so to the viewer', () => {
  const files = { source: 'x', script: 'y', style: 'z', title: 't' };
  assert.match(pageOf({ ...files, debugs: true }), /<body data-debugs="true">/);
  assert.match(pageOf(files), /<body data-debugs="false">/);
});
