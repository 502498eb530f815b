// What --format writes for other programs, read by those: go tool pprof, Graphviz, Mermaid, speedscope's schema. Counts are those of the JSON answer.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import Ajv from 'ajv';
import { JSDOM } from 'jsdom';
import { here } from '../setup.mjs';
import { startSituation } from '../support/scenarios.mjs';
import { root, tool } from '../support/tools.mjs';

const folder = mkdtempSync(join(tmpdir(), 'async2-exports-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const snapshots = ['holders', 'cycle', 'blocked'].map(name => ({ name, file: join(folder, `${name}.async2snap`) }));

before(async () => {
  for (const { name, file } of snapshots) {
    const program = await startSituation(name);
    run(tool, 'snapshot', String(program.pid), '-o', file);
    await program.stop();
  }
});

function run(program, ...words) {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8', maxBuffer: 1 << 28, env: { ...process.env, HOME: process.env.HOME ?? folder } });
  assert.equal(status, 0, `${program} ${words.join(' ')}: ${stderr}`);
  return stdout;
}

/** The answer in a format, as a file. */
function written(snapshot, format, ...options) {
  const file = join(folder, `${snapshot.name}.${format}`);
  run(tool, snapshot.file, '--format', format, '-o', file, ...options);
  return file;
}

function answerOf(snapshot, ...options) {
  return JSON.parse(run(tool, snapshot.file, '--format', 'json', ...options));
}

/** Why a test cannot run here; false if it can. */
function lacks(program, ...words) {
  return spawnSync(program, words).error ? `${program} is not installed` : false;
}

function byKey(stacks) {
  const sums = {};
  for (const { key, count } of stacks) sums[key] = (sums[key] ?? 0) + count;
  return sums;
}

const total = stacks => stacks.reduce((sum, stack) => sum + stack.count, 0);

for (const snapshot of snapshots) {
  test(`pprof reads ${snapshot.name}: each group with its frames, lines and labels`, { skip: lacks('go', 'version') }, () => {
    const { stacks } = answerOf(snapshot);
    const file = written(snapshot, 'pprof'), raw = run('go', 'tool', 'pprof', '-raw', file);
    const [, samples, locations] = /stacks\/count\[dflt\]\n([\s\S]*)Locations\n([\s\S]*)Mappings/.exec(raw);
    // It adds up groups that differ only in which object of a name they wait for.
    const read = [...samples.matchAll(/^ +(\d+): [\d ]+\n.*key:\[(\w+)\]/gm)].map(([, count, key]) => ({ key, count: Number(count) }));
    assert.deepEqual(byKey(read), byKey(stacks));
    for (const { frames: [innermost] } of stacks.filter(stack => stack.frames[0]?.line))
      assert.ok(locations.includes(`${innermost.method} ${innermost.file}:${innermost.line} `), `${innermost.method} ${innermost.file}:${innermost.line} in\n${locations}`);
    assert.match(run('go', 'tool', 'pprof', '-top', file), new RegExp(`of ${total(stacks)} total`));
    // What has not changed cancels itself.
    assert.match(run('go', 'tool', 'pprof', '-top', '-diff_base', file, file), /Showing nodes accounting for 0,/);
  });

  test(`Collapsed stacks of ${snapshot.name} are those of the answer`, () => {
    const { stacks } = answerOf(snapshot);
    const lines = readFileSync(written(snapshot, 'collapsed'), 'utf8').trimEnd().split('\n').map(line => /^(.*) (\d+)$/.exec(line));
    assert.deepEqual(lines.map(([, , count]) => Number(count)), stacks.map(stack => stack.count));
    lines.forEach(([, frames], i) => {
      const methods = stacks[i].frames.map(frame => frame.method.replaceAll(';', ',')).reverse();
      frames.split(';').slice(0, methods.length).forEach((frame, n) => assert.ok(frame.startsWith(methods[n]), `${frame} is not ${methods[n]}`));
      assert.equal(frames.split(';').length, methods.length + (stacks[i].waitingOn ? 1 : 0));
    });
  });

  test(`speedscope accepts ${snapshot.name}`, () => {
    const { stacks } = answerOf(snapshot);
    const profile = JSON.parse(readFileSync(written(snapshot, 'speedscope'), 'utf8'));
    const schema = JSON.parse(readFileSync(join(here, 'node_modules/speedscope/dist/release/file-format-schema.json'), 'utf8'));
    const validate = new Ajv({ strict: false }).compile(schema);
    assert.ok(validate(profile), JSON.stringify(validate.errors));
    assert.equal(validate({ ...profile, shared: 7 }), false);
    const [{ samples, weights, endValue }] = profile.profiles;
    assert.deepEqual(weights, stacks.map(stack => stack.count));
    assert.equal(endValue, total(stacks));
    assert.equal(profile.shared.frames[samples[0].at(-1)].name.startsWith('waits for '), Boolean(stacks[0].waitingOn));
  });

  test(`Graphviz and Mermaid draw the same graph of ${snapshot.name}`, { skip: lacks('dot', '-V') }, async () => {
    const { stacks, findings } = answerOf(snapshot);
    const plain = run('dot', '-Tplain', written(snapshot, 'dot'));
    const boxes = [...plain.matchAll(/^node "?([^ "]+)"? /gm)].map(([, id]) => id), arrows = [...plain.matchAll(/^edge /gm)].length;
    for (const { id } of [...stacks, ...findings.filter(finding => finding.stacks.length > 0)])
      assert.ok(boxes.includes(id), `${id} is drawn`);
    const { window } = new JSDOM('');
    Object.assign(globalThis, { window, document: window.document });
    const { default: mermaid } = await import('mermaid');
    await mermaid.parse(readFileSync(written(snapshot, 'mermaid'), 'utf8'));
    const diagram = await mermaid.mermaidAPI.getDiagramFromText(readFileSync(written(snapshot, 'mermaid'), 'utf8'));
    assert.equal(diagram.db.getVertices().size, boxes.length);
    assert.equal(diagram.db.getEdges().length, arrows);
    await assert.rejects(mermaid.parse('flowchart LR\n a[ -->'));
  });

  test(`Each row of ${snapshot.name} is a stack, and each column is described`, () => {
    const { stacks, totals } = answerOf(snapshot);
    const rows = readFileSync(written(snapshot, 'ndjson'), 'utf8').trimEnd().split('\n').map(line => JSON.parse(line));
    assert.deepEqual(rows.map(({ key, count, state }) => ({ key, count, state })), stacks.map(({ key, count, state }) => ({ key, count, state })));
    assert.equal(total(rows), totals.stacks);
    const described = new Set([...readFileSync(join(root, 'docs/exports.md'), 'utf8').matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name));
    assert.deepEqual(rows.flatMap(Object.keys).filter(name => !described.has(name)), []);
    rows.forEach((row, i) => assert.deepEqual(row.frames.map(frame => frame.split(' ')[0]), stacks[i].frames.map(frame => frame.method.split(' ')[0])));
  });
}

test('With findings only, the cycle is what is drawn', () => {
  const [, cycle] = snapshots, { findings: [{ stacks }] } = answerOf(cycle);
  const text = readFileSync(written(cycle, 'dot', '--findings-only'), 'utf8');
  assert.deepEqual([...new Set([...text.matchAll(/^ {2}"(s\d+)" \[/gm)].map(([, id]) => id))].sort(), [...stacks].sort());
});

test('A terminal gets no binary', () => {
  const { status, stdout } = spawnSync('script', ['-qec', `${tool} ${snapshots[0].file} --format pprof`, '/dev/null'], { encoding: 'utf8' });
  assert.equal(status, 2);
  assert.match(stdout, /pprof is not text/);
});
