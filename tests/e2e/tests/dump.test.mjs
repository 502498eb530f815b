// A dump of the scenarios, opened in the real VS Code: what is on screen is what the program says about itself.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { axeFindings } from '../support/axe.mjs';
import { artifacts, openEditor } from '../support/editor.mjs';
import { collectDump, startScenarios } from '../support/scenarios.mjs';
import { scenes } from '../support/scene.mjs';
import { tool } from '../support/tools.mjs';
import { holdsTruth } from '../support/truths.mjs';

let editor;
let truth;
const scene = scenes(() => editor);

before(async () => {
  editor = await openEditor('dump', { settings: { 'async2.toolPath': tool }, viewport: { width: 1600, height: 1500 } });
  const program = await startScenarios('--only', 'SemaphoreWait,WhenAllChildren,NestedCalls,TwoAwaiters,CapturedLocals');
  truth = program.truth;
  collectDump(program.pid, join(editor.workspace, 'shop.dmp'));
  await program.stop();
});
after(() => editor?.close());

/** A frame of the truth, by scenario and method. */
function frameOf(scenario, method) {
  const frames = truth.stacks.filter(stack => stack.scenario === scenario).flatMap(stack => stack.frames);
  return frames.find(frame => frame.method === method);
}

scene('Open Dump shows every stack of the program in Call Stack, to the line', async ({ workbench, workspace }) => {
  await workbench.command('Async Stacks: Open Dump...');
  await workbench.chooseFile(join(workspace, 'shop.dmp'));
  await workbench.callStackRows().first().waitFor({ timeout: 30_000 });
  await workbench.fold('Watch', 'Breakpoints');
  const stacks = await workbench.openCallStack();
  await workbench.screenshot('call-stack');
  holdsTruth(stacks, truth);
  assert.ok(stacks.some(({ name }) => name.startsWith('x3 WhenAllChildren.ReachAsync')), 'equal stacks are not one thread with a count');
  assert.ok(stacks.some(({ frames }) => frames[0].startsWith('waits for SemaphoreSlim')), 'no stack says what it waits for');
});

scene('A frame shows its variables, and an object opens', async ({ workbench }) => {
  const frame = frameOf('CapturedLocals', 'SellAsync');
  await workbench.callStackRows().filter({ hasText: 'CapturedLocals.Till.SellAsync(Trail, string, int)' }).first().click();
  for (const { name, value } of frame.locals.filter(local => ['pieces', 'price', 'goods'].includes(local.name)))
    await workbench.page.locator(`.debug-variables .monaco-list-row[aria-label^='${name}, value ${value}']`).waitFor();
  const before = await workbench.variableRows().count();
  const self = workbench.variableRows().filter({ hasText: /^this/ }).first();
  await workbench.expand(self);
  await self.and(workbench.page.locator('[aria-expanded=true]')).waitFor();
  await workbench.page.waitForFunction(count => document.querySelectorAll('.debug-variables .monaco-list-row').length > count, before);
  await workbench.screenshot('variables');
});

scene('A watch shows a variable of the frame, its parts open, and one that is not there is said to be missing', async ({ workbench, page }) => {
  const { value } = frameOf('CapturedLocals', 'SellAsync').locals.find(({ name }) => name === 'pieces');
  await workbench.unfold('Watch');
  for (const expression of ['pieces', 'this', 'nobody']) {
    await workbench.watch(expression);
  }
  const rows = workbench.watchRows();
  await rows.and(page.locator(`[aria-label^='pieces, value ${value}']`)).waitFor();
  await rows.filter({ hasText: /nobody.*no variable/ }).waitFor();
  const before = await rows.count();
  await workbench.expand(rows.filter({ hasText: /^this/ }).first());
  await page.waitForFunction(count => document.querySelectorAll('.debug-watch .monaco-list-row').length > count, before);
  await workbench.screenshot('watch');
  await workbench.fold('Watch');
});

scene('A pointer over a variable in source shows its value', async ({ workbench, page }) => {
  const frame = truth.stacks.find(({ scenario }) => scenario === 'CapturedLocals').frames[1];
  await workbench.callStackRows().filter({ hasText: 'CapturedLocals.Till.SellAsync(Trail, string, int)' }).first().click();
  await workbench.waitForPlace(`${frame.file}:${frame.line}`);
  const { value } = frame.locals.find(({ name }) => name === 'pieces');
  await workbench.hover('pieces');
  const hover = page.locator('.debug-hover-widget');
  await hover.filter({ hasText: value }).waitFor();
  await workbench.screenshot('hover');
  assert.doesNotMatch(await hover.textContent(), /No stack matches/);
});

scene('A click on a frame lands on its line', async ({ workbench }) => {
  const outer = truth.stacks.find(stack => stack.scenario === 'NestedCalls').frames.at(-1);
  await workbench.callStackRows().filter({ hasText: 'NestedCalls.SendAsync' }).first().click();
  await workbench.waitForPlace(`${outer.file}:${outer.line}`);
});

scene('The list of stacks opens, shows frames, and a click on one opens its line', async ({ workbench }) => {
  await workbench.openStackView();
  const rows = workbench.stackViewRows();
  const stack = rows.filter({ hasText: 'x3 WhenAllChildren.ReachAsync' }).first();
  await workbench.expand(stack);
  const frame = frameOf('WhenAllChildren', 'PickAsync');
  const row = rows.filter({ hasText: 'WhenAllChildren.PickAsync' }).first();
  await row.waitFor();
  assert.match(await stack.getAttribute('aria-label'), /3 equal stacks, awaiting, waits for /);
  assert.match(await row.getAttribute('aria-label'), new RegExp(`${frame.file}:${frame.line}`));
  await workbench.screenshot('list');
  await row.click();
  await workbench.waitForPlace(`${frame.file}:${frame.line}`);
});

scene('Go to Async Stack finds by a query and selects the thread', async ({ workbench, page }) => {
  const go = async picture => {
    await workbench.command('Async Stacks: Go to Async Stack...');
    await workbench.type('waiting:Semaphore method:EnterAsync');
    await workbench.row(workbench.quickRows(), 'SemaphoreWait.EnterAsync').waitFor();
    await page.waitForFunction(() => document.querySelectorAll('.quick-input-list .monaco-list-row').length === 1);
    if (picture) await workbench.screenshot(picture);
    await page.keyboard.press('Enter');
  };
  await go('quick-pick');
  const frame = frameOf('SemaphoreWait', 'EnterAsync');
  await workbench.waitForPlace(`${frame.file}:${frame.line}`);
  await workbench.waitForMarkedFrame('EnterAsync', go);
});

scene('Go to Async Stack says what is wrong with a query', async ({ workbench, page }) => {
  await workbench.command('Async Stacks: Go to Async Stack...');
  await workbench.type('state:sleeping');
  await workbench.quickRows().filter({ hasText: /sleeping/ }).first().waitFor();
  await page.keyboard.press('Escape');
});

scene('The graph shows all stacks; search and Enter land on the line of the truth', async ({ workbench, page }) => {
  await workbench.command('View: Close All Editors');
  await workbench.command('Async Stacks: Show Parallel Async Stacks');
  const graph = await workbench.graph();
  await graph.getByText('ReachAsync').first().waitFor({ timeout: 20_000 });
  await workbench.screenshot('graph');
  const search = graph.locator('input[type=search]').first();
  await search.fill('PackAsync');
  await graph.locator('.hits', { hasText: '1 of 1' }).waitFor();
  await workbench.screenshot('graph-search');
  // In the search, Enter goes from match to match; in the picture it opens what is chosen.
  await search.press('Enter');
  await graph.getByRole('tree').focus();
  await page.keyboard.press('Enter');
  const frame = frameOf('NestedCalls', 'PackAsync');
  await workbench.waitForPlace(`${frame.file}:${frame.line}`);
  await workbench.screenshot('graph-opened');
  await workbench.row(workbench.variableRows(), 'goods').waitFor();
  await workbench.waitForMarkedFrame('PackAsync', async () => {
    await graph.getByRole('tree').focus();
    await page.keyboard.press('Enter');
  });
});

scene('Export HTML writes a page that opens without a network and without an error', async ({ workbench, workspace, page }) => {
  await workbench.command('Async Stacks: Export HTML...');
  const file = join(workspace, 'shop.html');
  await workbench.chooseFile(file);
  await workbench.notifications().filter({ hasText: 'shop.html' }).first().waitFor();
  assert.ok(existsSync(file));
  const other = await page.context().newPage();
  const requests = [];
  const errors = [];
  other.on('request', request => requests.push(request.url()));
  other.on('pageerror', error => errors.push(error.message));
  other.on('console', message => message.type() === 'error' && errors.push(message.text()));
  await other.goto(`file://${file}`);
  await other.getByText('ReachAsync').first().waitFor();
  await other.screenshot({ path: join(artifacts, 'dump-html.png') });
  assert.deepEqual(await axeFindings(other), []);
  assert.deepEqual(errors, []);
  assert.deepEqual(requests.filter(url => !url.startsWith('file://')), []);
  assert.doesNotMatch(readFileSync(file, 'utf8'), /<(script|link|img)[^>]+(src|href)=["']?https?:/);
  await other.close();
});

scene('A page with variables says whose they are where several stacks are equal', async ({ workspace, page }) => {
  const file = join(workspace, 'locals.html');
  const run = spawnSync(tool, ['dump', 'analyze', join(workspace, 'shop.dmp'), '--format', 'html', '--locals', '-o', file], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  const other = await page.context().newPage();
  await other.goto(`file://${file}`);
  await other.getByRole('treeitem').filter({ hasText: 'ReachAsync' }).locator('.head').first().click();
  const details = other.locator('.details');
  await details.locator('.locals').first().waitFor();
  await details.getByText('1 of 3, oldest first').waitFor();
  await other.screenshot({ path: join(artifacts, 'dump-locals-html.png') });
  await other.getByRole('treeitem').filter({ hasText: 'SellAsync' }).locator('.head').first().click();
  await details.getByText('1 stack in this box').waitFor();
  assert.equal(await details.getByText('oldest first').count(), 0);
  await other.close();
});
