// A live process: chosen from the list, looked at, looked at again when it has moved on, and gone.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { openEditor } from '../support/editor.mjs';
import { scenes } from '../support/scene.mjs';
import { lineWith, startScenarios, startSituation } from '../support/scenarios.mjs';
import { tool } from '../support/tools.mjs';
import { holdsTruth } from '../support/truths.mjs';

const hall = `Moving.cs:${lineWith('Situations/Moving.cs', 'At("hall")')}`;
const garden = `Moving.cs:${lineWith('Situations/Moving.cs', 'At("garden")')}`;

let editor;
let still;
let moving;
const scene = scenes(() => editor);

before(async () => {
  still = await startScenarios('--only', 'SemaphoreWait,TwoAwaiters');
  moving = await startSituation('moving');
  const configurations = [{ type: 'async2', request: 'attach', name: 'Moving', processId: moving.pid }];
  editor = await openEditor('attach', {
    settings: { 'async2.toolPath': tool }, viewport: { width: 1500, height: 1200 },
    files: { '.vscode/launch.json': JSON.stringify({ version: '0.2.0', configurations }) },
  });
});
after(async () => {
  await editor?.close();
  await still?.stop();
  await moving?.stop();
});

/** Chooses a process from the list; gives what its row says. */
async function attach({ workbench, page }, { pid }) {
  await workbench.command('Async Stacks: Attach to .NET Process...');
  const row = workbench.quickRows().filter({ hasText: `(${pid})` }).first();
  await row.waitFor({ timeout: 60_000 });
  await workbench.type(String(pid));
  // Its name is there at once; what it does follows.
  await row.filter({ hasText: / \d+ stacks?,/ }).waitFor({ timeout: 60_000 });
  const words = await row.textContent();
  await workbench.screenshot('picker');
  await page.keyboard.press('Enter');
  await workbench.callStackRows().first().waitFor({ timeout: 30_000 });
  await workbench.fold('Watch', 'Breakpoints');
  return words;
}

scene('Attach lists processes with what they do, and shows the stacks of the one that is chosen', async scenery => {
  assert.match(await attach(scenery, still), /\.NET 10\.\d+\.\d+ - \d+ stacks, awaiting/);
  holdsTruth(await scenery.workbench.openCallStack(), still.truth);
  await scenery.workbench.stopDebugging();
});

scene('From the side bar to what is wrong in five clicks', async scenery => {
  const { workbench, page } = scenery;
  await workbench.command('View: Show Explorer');
  let clicks = 0;
  const click = async (where, name) => {
    await where.click();
    clicks++;
    await page.waitForTimeout(400);
    await workbench.screenshot(`first-${clicks}-${name}`);
  };
  await click(page.locator('.activitybar .action-label[aria-label^="Run and Debug"]').first(), 'run-and-debug');
  // VS Code folds views that extensions add here.
  await click(page.locator('.pane-header[aria-label^="Async Stacks"]'), 'async-stacks');
  const welcome = page.getByRole('button', { name: 'Attach to .NET Process...' }).first();
  await welcome.waitFor();
  await click(welcome, 'attach');
  const row = workbench.quickRows().filter({ hasText: `(${moving.pid})` }).first();
  await row.waitFor({ timeout: 60_000 });
  await row.filter({ hasText: /deadlock/ }).waitFor({ timeout: 60_000 });
  await click(row, 'process');
  const finding = workbench.stackViewRows().and(page.locator('[aria-label^="error, certain: deadlock"]')).first();
  await finding.waitFor({ timeout: 60_000 });
  await click(finding, 'finding');
  const graph = await workbench.graph();
  await graph.locator('.card.accused').first().waitFor({ timeout: 30_000 });
  await workbench.screenshot('first-6-seen');
  assert.ok(clicks <= 5, `${clicks} clicks`);
  await workbench.stopDebugging();
  await workbench.command('View: Close All Editors');
});

scene('A process in a deadlock opens at it', async scenery => {
  const { page } = scenery;
  await scenery.workbench.command('View: Show Run and Debug');
  await page.keyboard.press('F5');
  await scenery.workbench.waitForPlace('Cycles.cs', 60);
  await scenery.workbench.row(scenery.workbench.callStackRows(), 'deadlocked').waitFor();
  // What is wrong is said in words; nothing was thrown.
  await page.locator('.part.statusbar [aria-label*="Moving"]').filter({ hasText: /\d\d:\d\d:\d\d/ }).first().waitFor({ timeout: 15_000 });
  assert.equal(await page.locator('.exception-widget').count(), 0);
});

scene('Refresh shows where the program is now, and stays at the stack that was looked at', async scenery => {
  const { workbench, page } = scenery;
  await workbench.command('Async Stacks: Go to Async Stack...');
  await workbench.type('method:HallAsync');
  await page.waitForFunction(() => document.querySelectorAll('.quick-input-list .monaco-list-row').length === 1);
  await page.keyboard.press('Enter');
  await workbench.waitForPlace(hall);
  await workbench.row(workbench.variableRows(), 'lamps').waitFor();
  assert.equal(await moving.ask('move'), 'moved');
  await workbench.command('Async Stacks: Refresh');
  await workbench.waitForPlace(garden);
  await scenery.workbench.row(scenery.workbench.markedRows(), 'GardenAsync').waitFor();
  await workbench.row(workbench.variableRows(), 'roses').waitFor();
  await workbench.screenshot('refreshed');
  const labels = (await workbench.labels(workbench.callStackRows())).join(' | ');
  assert.match(labels, /deadlocked/, 'the deadlock has not gone away');
  assert.doesNotMatch(labels, /HallAsync/, 'what was is still shown');
});

scene('Refresh in the graph: it shows what is new, keeps the box, and stays in front', async scenery => {
  const { workbench, page } = scenery;
  await workbench.command('View: Close All Editors');
  await workbench.command('Async Stacks: Show Parallel Async Stacks');
  const graph = await workbench.graph();
  await graph.getByRole('treeitem').filter({ hasText: 'GardenAsync' }).waitFor();
  assert.equal(await graph.getByText('HallAsync').count(), 0, 'the graph shows what was before');
  await graph.getByRole('treeitem').filter({ hasText: 'GardenAsync' }).locator('.head').click();
  await graph.getByRole('button', { name: 'Read the process again' }).click();
  // Since the look before it nothing has moved, and the tab says of when the picture is.
  await graph.locator('.since').filter({ hasText: /since \d\d:\d\d:\d\d .*: 2 stuck, 0 moved, 0 new, 0 gone/ }).waitFor();
  await graph.getByRole('treeitem').filter({ hasText: 'GardenAsync' }).waitFor();
  await workbench.screenshot('graph-refreshed');
  assert.match(await graph.locator('.card.selected').textContent(), /GardenAsync/);
  await page.locator('.tab', { hasText: /Moving.*\d\d:\d\d:\d\d/ }).first().waitFor();
});

scene('A process that is gone is said to be, and what was seen stays', async ({ workbench, page }) => {
  await moving.kill();
  await workbench.command('Async Stacks: Refresh');
  await workbench.notifications().filter({ hasText: new RegExp(`${moving.pid}|process`) }).first().waitFor({ timeout: 20_000 });
  await workbench.screenshot('gone');
  const text = await workbench.notifications().first().textContent();
  assert.match(text, /ended|no process|not running|exited|gone/i);
  await workbench.command('Async Stacks: Show Parallel Async Stacks');
  await (await workbench.graph()).getByText('GardenAsync').first().waitFor();
  assert.ok(await workbench.callStackRows().count() > 0, 'Call Stack is empty');
  await page.keyboard.press('Escape');
});
