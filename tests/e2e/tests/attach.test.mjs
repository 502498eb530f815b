// A live process: chosen from the list, looked at, looked at again, and gone.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { openEditor } from '../support/editor.mjs';
import { scenes } from '../support/scene.mjs';
import { startScenarios } from '../support/scenarios.mjs';
import { tool } from '../support/tools.mjs';
import { holdsTruth } from '../support/truths.mjs';

let editor;
let program;
const scene = scenes(() => editor);

before(async () => {
  program = await startScenarios('--only', 'SemaphoreWait,TwoAwaiters');
  editor = await openEditor('attach', { settings: { 'async2.toolPath': tool }, viewport: { width: 1500, height: 1200 } });
});
after(async () => {
  await editor?.close();
  await program?.stop();
});

scene('Attach lists processes with what they do, and shows the stacks of the one that is chosen', async ({ workbench, page }) => {
  await workbench.command('Async Stacks: Attach to .NET Process...');
  const row = workbench.quickRows().filter({ hasText: `(${program.pid})` }).first();
  await row.waitFor({ timeout: 60_000 });
  await workbench.type(String(program.pid));
  assert.match(await row.textContent(), /\.NET 10\.\d+\.\d+ - \d+ stacks, awaiting/);
  await workbench.screenshot('picker');
  await page.keyboard.press('Enter');
  await workbench.callStackRows().first().waitFor({ timeout: 30_000 });
  await workbench.fold('Watch', 'Breakpoints');
  holdsTruth(await workbench.openCallStack(), program.truth);
});

scene('Refresh looks again, and the graph follows', async ({ workbench }) => {
  await workbench.command('Async Stacks: Show Parallel Async Stacks');
  const graph = await workbench.graph();
  await graph.getByText('BakeAsync').first().waitFor();
  const frame = await workbench.graphFrame();
  await frame.evaluate(() => window.addEventListener('message', event => { window.__pages = (window.__pages ?? 0) + (event.data.type === 'page' ? 1 : 0); }));
  await workbench.command('Async Stacks: Refresh');
  await frame.waitForFunction(() => window.__pages > 0, undefined, { timeout: 20_000 });
  await graph.getByText('BakeAsync').first().waitFor();
  await workbench.screenshot('refreshed');
});

scene('A process that is gone is said to be, and what was seen stays', async ({ workbench, page }) => {
  await program.kill();
  await workbench.command('Async Stacks: Refresh');
  await workbench.notifications().filter({ hasText: new RegExp(`${program.pid}|process`) }).first().waitFor({ timeout: 20_000 });
  await workbench.screenshot('gone');
  const text = await workbench.notifications().first().textContent();
  assert.match(text, /ended|no process|not running|exited|gone/i);
  await workbench.command('Async Stacks: Show Parallel Async Stacks');
  await (await workbench.graph()).getByText('BakeAsync').first().waitFor();
  assert.ok(await workbench.callStackRows().count() > 0, 'Call Stack is empty');
  await page.keyboard.press('Escape');
});
