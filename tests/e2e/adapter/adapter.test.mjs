// The adapter as any client meets it: VS Code's own test client, and clients that know less than VS Code does.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { collectDump, startScenarios } from '../support/scenarios.mjs';
import { tool } from '../support/tools.mjs';
import { holdsTruth } from '../support/truths.mjs';

const { DebugClient } = createRequire(import.meta.url)('@vscode/debugadapter-testsupport');
const folder = mkdtempSync(join(tmpdir(), 'async2-adapter-'));
const dump = join(folder, 'shop.dmp');
const clients = [];
let truth;

before(async () => {
  const program = await startScenarios('--only', 'SemaphoreWait,WhenAllChildren,NestedCalls,DeepRecursion,CapturedLocals');
  truth = program.truth;
  collectDump(program.pid, dump);
  await program.stop();
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.stop();
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** An adapter that runs, and a client that said who it is. */
async function connect(features = {}) {
  const client = new DebugClient(tool, 'dap', 'async2');
  client.defaultTimeout = 20_000;
  clients.push(client);
  await client.start();
  const capabilities = (await client.initializeRequest({ adapterID: 'async2', linesStartAt1: true, columnsStartAt1: true, pathFormat: 'path', ...features })).body;
  return { client, capabilities };
}

async function open(features = {}, more = {}) {
  const { client } = await connect(features);
  const initialized = client.waitForEvent('initialized');
  const stopped = client.waitForEvent('stopped');
  const launched = client.launchRequest({ dumpPath: dump, ...more });
  await initialized;
  await client.configurationDoneRequest();
  await launched;
  return { client, stopped: (await stopped).body };
}

/** As Call Stack would show it. */
async function stacksOf(client) {
  const { threads } = (await client.threadsRequest()).body;
  return Promise.all(threads.map(async ({ id, name }) => {
    const { stackFrames } = (await client.stackTraceRequest({ threadId: id })).body;
    return { name, frames: stackFrames.map(frame => `${frame.name}, line ${frame.line}, ${frame.source?.name ?? ''}`) };
  }));
}

test('What the adapter says it can do, it can; it promises no stepping', async () => {
  const { capabilities } = await connect();
  assert.equal(capabilities.supportsConfigurationDoneRequest, true);
  assert.equal(capabilities.supportsDelayedStackTraceLoading, true);
  for (const name of ['supportsStepBack', 'supportsSetVariable', 'supportsRestartRequest', 'supportsTerminateRequest']) assert.ok(!capabilities[name], name);
});

test('A dump stops at once, with all its stacks as threads, to the line of the truth', async () => {
  const { client, stopped } = await open();
  assert.equal(stopped.allThreadsStopped, true);
  assert.ok(stopped.threadId > 0);
  holdsTruth(await stacksOf(client), truth);
});

test('A client that shows no progress gets none, and one that does gets pairs', async () => {
  const seen = { started: [], ended: [] };
  const { client } = await connect();
  client.on('progressStart', () => assert.fail('progress for a client that shows none'));
  await Promise.all([client.waitForEvent('initialized'), client.launchRequest({ dumpPath: dump })]);
  const other = (await connect({ supportsProgressReporting: true })).client;
  other.on('progressStart', ({ body }) => seen.started.push(body.progressId));
  other.on('progressEnd', ({ body }) => seen.ended.push(body.progressId));
  await Promise.all([other.waitForEvent('initialized'), other.launchRequest({ dumpPath: dump })]);
  assert.ok(seen.started.length > 0);
  assert.deepEqual(seen.ended, seen.started);
});

test('A client whose lines start at 0 gets lines that do', async () => {
  const one = await stacksOf((await open()).client);
  const zero = await stacksOf((await open({ linesStartAt1: false, columnsStartAt1: false })).client);
  const frame = truth.stacks[0].frames[0];
  assert.ok(one.some(({ frames }) => frames.some(text => text.endsWith(`, line ${frame.line}, ${frame.file}`))));
  assert.ok(zero.some(({ frames }) => frames.some(text => text.endsWith(`, line ${frame.line - 1}, ${frame.file}`))));
  assert.ok(!zero.some(({ frames }) => frames.some(text => /line -\d/.test(text))), 'a line before the first');
});

test('Frames come in pages that fit together', async () => {
  const { client } = await open({}, { justMyCode: false });
  const { threads } = (await client.threadsRequest()).body;
  const deep = threads.find(({ name }) => name.includes('DeepRecursion'));
  const whole = (await client.stackTraceRequest({ threadId: deep.id })).body;
  assert.ok(whole.totalFrames > 20, `${whole.totalFrames} frames`);
  const pages = [];
  for (let start = 0; start < whole.totalFrames; start += 7) {
    const page = (await client.stackTraceRequest({ threadId: deep.id, startFrame: start, levels: 7 })).body;
    assert.equal(page.totalFrames, whole.totalFrames);
    pages.push(...page.stackFrames);
  }
  assert.deepEqual(pages, whole.stackFrames);
  const behind = (await client.stackTraceRequest({ threadId: deep.id, startFrame: whole.totalFrames + 5, levels: 3 })).body;
  assert.deepEqual(behind.stackFrames, []);
});

test('Variables are those of the truth, and objects open', async () => {
  const { client } = await open();
  const { threads } = (await client.threadsRequest()).body;
  const stack = truth.stacks.find(({ scenario }) => scenario === 'CapturedLocals');
  for (const { id } of threads) {
    const { stackFrames } = (await client.stackTraceRequest({ threadId: id })).body;
    const frame = stackFrames.find(({ name, line }) => name.includes('CapturedLocals') && line === stack.frames[1].line);
    if (!frame) continue;
    const { scopes } = (await client.scopesRequest({ frameId: frame.id })).body;
    const locals = (await client.variablesRequest({ variablesReference: scopes.find(({ name }) => name === 'Locals').variablesReference })).body.variables;
    for (const { name, value } of stack.frames[1].locals) assert.equal(locals.find(local => local.name === name)?.value, value, name);
    const self = locals.find(({ name }) => name === 'this');
    const fields = (await client.variablesRequest({ variablesReference: self.variablesReference })).body.variables;
    assert.ok(fields.length > 0, 'the object has no fields');
    return;
  }
  assert.fail('the stack is not there');
});

test('Requests in a hurry are all answered, each with its own', async () => {
  const { client } = await open();
  const { threads } = (await client.threadsRequest()).body;
  const answers = await Promise.all(Array.from({ length: 300 }, (_, index) => client.stackTraceRequest({ threadId: threads[index % threads.length].id, levels: 1 + index % 3 })));
  for (const [index, { body }] of answers.entries()) assert.ok(body.stackFrames.length <= 1 + index % 3);
});

test('What would change the target is refused in words', async () => {
  const { client } = await open();
  for (const [command, given] of [['continue', { threadId: 1 }], ['next', { threadId: 1 }], ['stepIn', { threadId: 1 }], ['stepOut', { threadId: 1 }]])
    await assert.rejects(client.send(command, given), error => error.message.length > 20 && error.message.endsWith('.'), command);
  assert.ok((await client.threadsRequest()).body.threads.length > 0, 'it does not answer any more');
});

test('Nonsense is refused, and what follows it is answered', async () => {
  const { client } = await open();
  for (const [command, given] of [['stackTrace', { threadId: 987654 }], ['scopes', { frameId: -1 }], ['variables', { variablesReference: 999999 }], ['stackTrace', {}],
    ['async2/select', { stack: 's99999' }], ['async2/locate', { stack: 's1', frame: 10_000 }], ['async2/tree', { page: -1 }], ['no such request', {}]])
    await assert.rejects(client.send(command, given), error => error.message.length > 10, command);
  assert.ok((await client.threadsRequest()).body.threads.length > 0);
});

test('Pages of the tree make one tree, whose stacks are all there are', async () => {
  const { client } = await open();
  const stacks = [];
  let nodes = 0;
  for (let page = 0; page !== undefined;) {
    const { body } = await client.send('async2/tree', { page });
    assert.equal(body.schema, 'async2.tree/1');
    nodes += body.nodes.frame.length;
    for (const [node, outer] of body.nodes.joins) assert.ok(node < nodes && outer < node, `node ${node} comes before the one outside of it, ${outer}`);
    for (const stack of body.stacks) assert.ok(stack.node < nodes, `${stack.id} ends at a node that is not there`);
    stacks.push(...body.stacks);
    page = body.next;
  }
  const { total } = (await client.send('async2/stacks', {})).body;
  assert.equal(stacks.length, total);
  assert.equal(stacks.reduce((sum, { count }) => sum + count, 0), truth.stacks.length);
});

test('A stack that is chosen stops there', async () => {
  const { client } = await open();
  const { stacks } = (await client.send('async2/stacks', { query: 'method:PackAsync' })).body;
  assert.equal(stacks.length, 1);
  const [{ body: stopped }, { body: chosen }] = await Promise.all([client.waitForEvent('stopped'), client.send('async2/select', { stack: stacks[0].id })]);
  assert.equal(stopped.threadId, chosen.threadId);
  assert.equal(chosen.threadId, stacks[0].thread);
});

test('A launch that cannot be is answered with the reason', async () => {
  const text = join(folder, 'text.dmp');
  writeFileSync(text, 'no dump');
  for (const dumpPath of [text, join(folder, 'gone.dmp'), folder, '', undefined]) {
    const { client } = await connect();
    await assert.rejects(client.launchRequest({ dumpPath }), error => error.message.length > 10, String(dumpPath));
  }
});

test('Disconnecting ends the adapter, before the launch and after it', async () => {
  for (const { client } of [await connect(), await open()]) {
    clients.splice(clients.indexOf(client), 1);
    const ended = once(client._adapterProcess, 'exit');
    await client.disconnectRequest();
    const [code] = await ended;
    assert.equal(code, 0);
  }
});
