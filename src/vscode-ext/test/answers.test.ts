import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFromViewer } from '../src/panel/messages';
import { pageOf } from '../src/panel/page';
import { descriptionOf, labelOf, parseProcesses } from '../src/processes/processList';
import { readFramePage, readHtml, readPlace, readStackPage, readTreePage } from '../src/session/protocol';

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
