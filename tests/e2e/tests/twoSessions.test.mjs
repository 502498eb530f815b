// Two dumps at once, next to each other: each has its own threads, its own graph, and its own end.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { openEditor } from '../support/editor.mjs';
import { scenes } from '../support/scene.mjs';
import { collectDump, startScenarios } from '../support/scenarios.mjs';
import { tool } from '../support/tools.mjs';

let editor;
const scene = scenes(() => editor);

before(async () => {
  editor = await openEditor('two-sessions', { settings: { 'async2.toolPath': tool }, viewport: { width: 1500, height: 1200 } });
  for (const [scenario, name] of [['SemaphoreWait', 'one.dmp'], ['TwoAwaiters', 'two.dmp']]) {
    const program = await startScenarios('--only', scenario);
    collectDump(program.pid, join(editor.workspace, name));
    await program.stop();
  }
});
after(() => editor?.close());

/** @param row the start of what Call Stack says of it when it has been read: a session alone has no row of its own, and one that still reads has no threads */
async function open({ workbench, workspace }, name, row) {
  await workbench.command('Async Stacks: Open Dump...');
  await workbench.chooseFile(join(workspace, name));
  await workbench.callStackRows().and(workbench.page.locator(`[aria-label^="${row}"]`)).first().waitFor({ timeout: 60_000 });
}

/** Makes a thread the current one, as a click on one of its frames does. */
async function choose({ workbench }, method) {
  await workbench.callStackRows().and(workbench.page.locator('[aria-label^="Stack Frame"]')).filter({ hasText: method }).first().click();
}

scene('Both sessions stand in Call Stack, each with its own stacks', async scenery => {
  const { workbench } = scenery;
  await open(scenery, 'one.dmp', 'Thread SemaphoreWait');
  await workbench.fold('Watch', 'Breakpoints');
  await open(scenery, 'two.dmp', 'Session Async stacks of two.dmp Paused');
  await workbench.openCallStack();
  const labels = await workbench.labels(workbench.callStackRows());
  await workbench.screenshot('call-stack');
  const [one, two] = ['one.dmp', 'two.dmp'].map(name => labels.findIndex(label => label.includes(name)));
  assert.ok(one >= 0 && two > one, labels.join(' | '));
  assert.ok(labels.slice(one, two).some(label => label.includes('SemaphoreWait.EnterAsync')), labels.join(' | '));
  assert.ok(labels.slice(two).some(label => label.includes('TwoAwaiters.BakeAsync')), labels.join(' | '));
});

scene('Each has a graph of its own', async scenery => {
  const { workbench, page } = scenery;
  await choose(scenery, 'TwoAwaiters.BakeAsync');
  await workbench.command('Async Stacks: Show Parallel Async Stacks');
  await (await workbench.graph()).getByText('BakeAsync').first().waitFor();
  await choose(scenery, 'SemaphoreWait.EnterAsync');
  await workbench.row(workbench.variableRows(), 'door').waitFor();
  await workbench.command('Async Stacks: Show Parallel Async Stacks');
  await (await workbench.graph()).getByText('EnterAsync').first().waitFor();
  const tabs = await page.locator('.tab').evaluateAll(elements => elements.map(element => element.getAttribute('aria-label') ?? ''));
  assert.equal(tabs.filter(text => text.includes('Stacks: ')).length, 2, tabs.join(' | '));
  await workbench.screenshot('graphs');
});

scene('When one ends, the other stays', async ({ workbench, page }) => {
  await workbench.stopOneSession();
  await page.locator('.tab', { hasText: '(ended)' }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.debug-call-stack .monaco-list-row').length > 0);
  const labels = await workbench.labels(workbench.callStackRows());
  assert.ok(labels.some(label => label.includes('TwoAwaiters')), labels.join(' | '));
  assert.ok(!labels.some(label => label.includes('SemaphoreWait')), labels.join(' | '));
  await workbench.screenshot('one-left');
});
