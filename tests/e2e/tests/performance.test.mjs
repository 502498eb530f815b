// How long people wait, as ratios within one run: ours against an adapter that answers from static data, and the graph by itself.
// The figures are printed. The goals are 1.5 times, one second, 50 frames a second. A machine that others use at the same time misses
// them by chance, so twice that is failure, unless ASYNC2_STRICT_TIMES=1 says that the machine is quiet.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { openEditor } from '../support/editor.mjs';
import { scenes } from '../support/scene.mjs';
import { collectDump, startWorkload } from '../support/scenarios.mjs';
import { tool, toyTool } from '../support/tools.mjs';

const { DebugClient } = createRequire(import.meta.url)('@vscode/debugadapter-testsupport');
const tolerance = Number(process.env.ASYNC2_STRICT_TIMES ?? 2);
const stacks = 10_000;
const runs = 5;

let editor;
const scene = scenes(() => editor);

before(async () => {
  const configuration = { type: 'async2', request: 'launch', name: 'Dump', dumpPath: '${workspaceFolder}/many.dmp', internalConsoleOptions: 'neverOpen' };
  editor = await openEditor('performance', {
    settings: { 'async2.toolPath': tool, 'debug.openDebug': 'openOnDebugBreak' },
    files: { '.vscode/launch.json': JSON.stringify({ version: '0.2.0', configurations: [configuration] }) },
  });
  const program = await startWorkload('shop', String(stacks), '56');
  collectDump(program.pid, join(editor.workspace, 'many.dmp'));
  await program.stop();
});
after(() => editor?.close());

/** Milliseconds from F5 to the first frame in Call Stack, by the page's own clock. */
async function firstFrames({ workbench, page }) {
  await workbench.command('View: Show Run and Debug');
  await page.evaluate(() => {
    window.__begin = undefined;
    window.__shown = undefined;
    addEventListener('keydown', event => { if (event.key === 'F5') window.__begin = performance.now(); }, { capture: true, once: true });
    const look = () => {
      if (document.querySelector('.debug-call-stack .monaco-list-row[aria-label^="Stack Frame"]')) window.__shown = performance.now();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.keyboard.press('F5');
  await page.waitForFunction(() => window.__shown !== undefined, undefined, { timeout: 60_000 });
  const spent = await page.evaluate(() => window.__shown - window.__begin);
  await page.waitForTimeout(1000);
  await workbench.stopDebugging();
  await page.waitForFunction(() => document.querySelectorAll('.debug-call-stack .monaco-list-row').length === 0);
  return spent;
}

scene('First stacks of 10,000 are on screen about as soon as those of an adapter with static data', async (scenery, context) => {
  const toy = toyTool(join(scenery.home, 'toy'), { count: stacks });
  const ways = {
    ours: { 'async2.toolPath': tool, 'async2.maxThreads': 2000 },
    'ours, all as threads': { 'async2.toolPath': tool, 'async2.maxThreads': stacks },
    'static data': { 'async2.toolPath': toy, 'async2.maxThreads': stacks },
  };
  const spent = Object.fromEntries(Object.keys(ways).map(name => [name, []]));
  for (let run = 0; run <= runs; run++) {
    for (const [name, settings] of Object.entries(ways)) {
      await scenery.useSettings(settings);
      const ms = await firstFrames(scenery);
      // The first of each asks for the version, and reads files that no cache has yet.
      if (run > 0) spent[name].push(ms);
    }
  }
  const least = median(spent['static data']);
  for (const [name, times] of Object.entries(spent))
    context.diagnostic(`first frames of ${stacks} stacks, ${name}: ${rounded(times)} ms, ${(median(times) / least).toFixed(2)} of static data`);
  // As it comes: 2,000 of them are threads, the others are found by a query.
  assert.ok(median(spent.ours) / least <= 1.5 * tolerance);
});

scene('A graph of 10,000 stacks opens at once and moves smoothly', async ({ workbench, workspace, page, useTool }, context) => {
  await useTool(tool);
  await workbench.command('Async Stacks: Open Dump...');
  await workbench.chooseFile(join(workspace, 'many.dmp'));
  const graph = await workbench.openGraph();
  const begin = Date.now();
  await graph.getByText('more is being loaded').first().waitFor({ state: 'hidden', timeout: 120_000 });
  context.diagnostic(`the panel had all pages ${Date.now() - begin} ms after it was there`);
  const frame = await workbench.graphFrame();
  const pages = await pagesOf(join(workspace, 'many.dmp'));
  const nodes = pages.reduce((sum, { nodes: { frame: column } }) => sum + column.length, 0);
  assert.ok(nodes >= 10_000, `${nodes} nodes`);
  const opened = [];
  const all = withFindings(pages, 1000);
  const whole = [];
  for (let run = 0; run < runs; run++) {
    const { first, complete } = await frame.evaluate(openingOf, all);
    opened.push(first);
    whole.push(complete);
  }
  await graph.getByRole('button', { name: /unfold all/i }).click();
  await page.waitForTimeout(1500);
  const near = await frame.evaluate(panning);
  await graph.getByRole('button', { name: 'Fit (0)' }).click();
  await page.waitForTimeout(500);
  const far = await frame.evaluate(panning);
  await workbench.screenshot('graph');
  context.diagnostic(`${nodes} nodes and 1,000 findings: opens ${rounded(opened)} ms after the data, all there after ${rounded(whole)} ms; pans near at ${rate(near)}, far at ${rate(far)}`);
  assert.ok(median(opened) <= 1000 * tolerance, `opens in ${median(opened)} ms`);
  assert.ok(median(whole) <= 3000 * tolerance, `all is there after ${median(whole)} ms`);
  for (const steps of [near, far]) assert.ok(1000 / median(steps) >= 50 / tolerance, `${1000 / median(steps)} frames a second`);
});

/** The same pages that the panel got. */
async function pagesOf(dumpPath) {
  const client = new DebugClient(tool, 'dap', 'async2');
  client.defaultTimeout = 60_000;
  await client.start();
  await client.initializeRequest({ adapterID: 'async2', linesStartAt1: true, columnsStartAt1: true, pathFormat: 'path' });
  await Promise.all([client.waitForEvent('initialized'), client.launchRequest({ dumpPath })]);
  const pages = [];
  for (let page = 0; page !== undefined; page = pages.at(-1).next) pages.push((await client.send('async2/tree', { page })).body);
  await client.stop();
  return pages;
}

/** The same pages with so many findings, each of its own stacks. */
function withFindings(pages, count) {
  const findings = Array.from({ length: count }, (_, at) => ({
    id: `f${at + 1}`, key: `k${at}`, rule: 'hot-resource', severity: at < 10 ? 'error' : 'warning', confidence: 'likely',
    text: `Shop.StepAsync (Shop.cs:${at + 1}) waits for what Shop.PayAsync holds`, stacks: [`s${at + 1}`, `s${at + 2}`], blocked: 2,
    evidence: [{ text: 'it waits', method: 'Shop.StepAsync()', file: '/src/Shop.cs', line: at + 1, stack: `s${at + 1}`, relation: 'blocked-on', to: `0x${(at + 1).toString(16)}` }],
  }));
  return pages.map((page, at) => (at === 0 ? { ...page, head: { ...page.head, findings } } : page));
}

/** In the viewer: milliseconds from all pages, at once, to a picture with cards, and until nothing is being loaded any more. */
function openingOf(pages) {
  const tell = data => window.dispatchEvent(new MessageEvent('message', { data }));
  tell({ type: 'reset' });
  return new Promise(resolve => {
    requestAnimationFrame(() => {
      const begin = performance.now();
      for (const page of pages) tell({ type: 'page', page });
      let first = 0;
      const look = () => {
        const now = performance.now() - begin;
        if (first === 0 && document.querySelector('[role=treeitem]')) first = now;
        if (first > 0 && !document.querySelector('.loading')) requestAnimationFrame(() => resolve({ first, complete: performance.now() - begin }));
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
  });
}

/** In the viewer: milliseconds between pictures while the wheel turns for two seconds. */
function panning() {
  const target = document.querySelector('[role=tree]');
  const steps = [];
  return new Promise(resolve => {
    const begin = performance.now();
    let last = begin;
    const step = now => {
      steps.push(now - last);
      last = now;
      if (now - begin > 2000) return resolve(steps.slice(2));
      const back = Math.floor((now - begin) / 500) % 2 === 0 ? 1 : -1;
      target.dispatchEvent(new WheelEvent('wheel', { deltaX: 25 * back, deltaY: 40 * back, bubbles: true, cancelable: true }));
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
}

function median(values) {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)];
}

function rounded(values) {
  return `${Math.round(median(values))} (${values.map(Math.round).join(' ')})`;
}

function rate(steps) {
  return `${(1000 / median(steps)).toFixed(0)} frames a second (median of ${steps.length})`;
}
