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

async function open({ workbench, workspace }, name, method) {
  await workbench.command('Async Stacks: Open Dump...');
  await workbench.chooseFile(join(workspace, name));
  await workbench.row(workbench.callStackRows(), method).waitFor({ timeout: 30_000 });
}

scene('Both sessions stand in Call Stack', async scenery => {
  const { workbench } = scenery;
  await open(scenery, 'one.dmp', 'SemaphoreWait');
  await workbench.fold('Watch', 'Breakpoints');
  await open(scenery, 'two.dmp', 'TwoAwaiters');
  const labels = await workbench.labels(workbench.callStackRows());
  await workbench.screenshot('call-stack');
  for (const text of ['one.dmp', 'two.dmp', 'SemaphoreWait', 'TwoAwaiters']) assert.ok(labels.some(label => label.includes(text)), `${text} is not in ${labels.join(' | ')}`);
});

scene('Each has a graph of its own', async ({ workbench, page }) => {
  await workbench.command('Async Stacks: Show Parallel Async Stacks');
  await (await workbench.graph()).getByText('BakeAsync').first().waitFor();
  await workbench.callStackRows().filter({ hasText: 'SemaphoreWait.EnterAsync' }).first().click();
  await page.keyboard.press('Enter');
  await workbench.row(workbench.variableRows(), 'door').waitFor();
  await workbench.command('Async Stacks: Show Parallel Async Stacks');
  await (await workbench.graph()).getByText('EnterAsync').first().waitFor();
  const tabs = await page.locator('.tab').evaluateAll(elements => elements.map(element => element.getAttribute('data-resource-name') ?? element.textContent));
  assert.equal(tabs.filter(text => text.startsWith('Stacks: ')).length, 2, tabs.join(' | '));
  await workbench.screenshot('graphs');
});

scene('When one ends, the other stays', async ({ workbench, page }) => {
  await workbench.stopDebugging();
  await page.locator('.tab', { hasText: '(ended)' }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.debug-call-stack .monaco-list-row').length > 0);
  const labels = await workbench.labels(workbench.callStackRows());
  assert.ok(labels.some(label => label.includes('TwoAwaiters')), labels.join(' | '));
  assert.ok(!labels.some(label => label.includes('SemaphoreWait')), labels.join(' | '));
  await workbench.screenshot('one-left');
});
