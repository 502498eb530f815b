// A snapshot opens by a double click; notes are kept in it; two are compared; and what a session knows stands in the source, in Problems and in the list.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { axeFindings } from '../support/axe.mjs';
import { openEditor } from '../support/editor.mjs';
import { collectDump, lineWith, startSituation } from '../support/scenarios.mjs';
import { scenes } from '../support/scene.mjs';
import { tool } from '../support/tools.mjs';

const pay = lineWith('Situations/Hot.cs', '.At("pay")');

let editor;
const scene = scenes(() => editor);

before(async () => {
  editor = await openEditor('snapshots', { settings: { 'async2.toolPath': tool, 'debug.internalConsoleOptions': 'neverOpen' }, viewport: { width: 1600, height: 1200 } });
  const program = await startSituation('hotTill');
  for (const name of ['first', 'second']) {
    const run = spawnSync(tool, ['snapshot', String(program.pid), '--locals', '-o', join(editor.workspace, `${name}.async2snap`)], { encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
  }
  collectDump(program.pid, join(editor.workspace, 'hot.dmp'));
  await program.stop();
});
after(() => editor?.close());

scene('A double click on a snapshot opens its picture, without a debug session, with what is wrong on top', async scenery => {
  const { workbench } = scenery;
  const graph = await workbench.openPicture('first.async2snap');
  await graph.getByRole('treeitem').first().waitFor({ timeout: 60_000 });
  assert.match(await graph.getByRole('region', { name: 'What is wrong' }).textContent(), /hot-resource.*Hot\.ChargeAsync/);
  assert.equal(await workbench.callStackRows().count(), 0);
  await workbench.screenshot('editor');
  assert.deepEqual(await axeFindings(await workbench.graphFrame()), []);
});

scene('Its boxes lead to the source, beside the picture, which stays in view', async ({ workbench, page }) => {
  const graph = await workbench.graph();
  await graph.locator('.row.frame', { hasText: 'PayAsync' }).first().click();
  await workbench.waitForPlace(`Hot.cs:${pay}`);
  assert.ok(await graph.getByRole('tree').isVisible(), 'the picture is covered');
  assert.equal(await page.locator('.editor-group-container').count(), 2);
  // While it is open its source says how many wait there.
  await page.locator('.codelens-decoration', { hasText: /40 waiting here/ }).first().waitFor({ timeout: 30_000 });
  await workbench.screenshot('beside');
});

scene('The members of a group come from the file, with what differs between them', async ({ workbench }) => {
  const graph = await workbench.graph();
  await graph.getByRole('button', { name: 'Read each one and compare their variables' }).click();
  await graph.getByText('1 of 40, oldest first').waitFor({ timeout: 30_000 });
});

scene('A note that is pinned is saved in a snapshot, and is there when it is opened again', async scenery => {
  const { workbench, workspace } = scenery;
  const graph = await workbench.graph();
  await graph.locator('.card .head').first().click({ button: 'right' });
  await graph.getByRole('menuitem', { name: /Pin with a note/ }).click();
  await graph.getByRole('textbox', { name: 'Note' }).fill('ask the till team');
  await graph.getByRole('textbox', { name: 'Note' }).press('Enter');
  await graph.locator('.card.pinned').waitFor();
  await graph.getByRole('button', { name: 'Save snapshot' }).click();
  await workbench.quickRows().filter({ hasText: 'Stacks and variables' }).first().click();
  await workbench.chooseFile(join(workspace, 'noted.async2snap'));
  for (let tries = 0; tries < 100 && !existsSync(join(workspace, 'noted.async2snap')); tries++) await scenery.page.waitForTimeout(100);
  await workbench.command('View: Close All Editors');
  const again = await workbench.openPicture('noted.async2snap');
  await again.locator('.card.pinned', { hasText: 'ask the till team' }).waitFor({ timeout: 60_000 });
  await workbench.screenshot('note');
});

scene('A file that is not a snapshot says so in its editor', async scenery => {
  const { workbench } = scenery;
  writeFileSync(join(scenery.workspace, 'text.async2snap'), 'This is not a snapshot.');
  await workbench.command('View: Close All Editors');
  const shown = await workbench.openPicture('text.async2snap');
  await shown.getByText(/cannot be read as a snapshot|not a snapshot/).first().waitFor({ timeout: 60_000 });
  await workbench.command('View: Close All Editors');
});

scene('Two snapshots are compared side by side: what is stuck stands there', async scenery => {
  const { workbench, page } = scenery;
  await workbench.command('View: Show Explorer');
  // A click opens a preview, and Explorer selects its file alone, when it comes.
  await workbench.fileRow('first.async2snap').click();
  await (await workbench.graph()).getByRole('treeitem').first().waitFor({ timeout: 60_000 });
  await workbench.fileRow('second.async2snap').click({ modifiers: ['ControlOrMeta'] });
  await workbench.fileRow('first.async2snap').and(page.locator('.selected')).waitFor();
  await workbench.fileRow('second.async2snap').and(page.locator('.selected')).click({ button: 'right' });
  // VS Code ignores clicks on a menu that has just opened.
  await page.locator('.context-view .action-label', { hasText: 'Compare Dumps or Snapshots' }).hover();
  await page.locator('.context-view .action-item.focused', { hasText: 'Compare Dumps or Snapshots' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.tab', { hasText: 'first.async2snap and second.async2snap' }).waitFor({ timeout: 60_000 });
  const page2 = await workbench.graph();
  await page2.getByText(/41 stuck/).first().waitFor({ timeout: 60_000 });
  await workbench.screenshot('compared');
});

scene('A session shows in the source how many wait there, and in Problems what blocks', async scenery => {
  const { workbench, page, workspace } = scenery;
  await workbench.command('View: Close All Editors');
  await workbench.command('Async Stacks: Open Dump...');
  await workbench.chooseFile(join(workspace, 'hot.dmp'));
  await workbench.waitForPlace('Hot.cs', 60);
  await page.locator('.codelens-decoration', { hasText: /40 waiting here/ }).first().waitFor({ timeout: 30_000 });
  await workbench.screenshot('lens');
  await workbench.command('View: Focus Problems');
  await page.locator('.markers-panel .monaco-list-row', { hasText: 'Hot.Till' }).first().waitFor({ timeout: 30_000 });
  await workbench.screenshot('problems');
});

scene('The list begins with what is wrong, and a click shows it in the picture', async scenery => {
  const { workbench } = scenery;
  await workbench.command('View: Toggle Panel Visibility');
  await workbench.openStackView();
  await workbench.fold('Variables', 'Watch', 'Breakpoints');
  const rows = workbench.stackViewRows();
  const labels = await workbench.labels(rows);
  assert.match(labels[0], /^Findings/);
  assert.match(labels[1], /^warning, likely: hot-resource/);
  await workbench.screenshot('findings');
  await rows.nth(1).click();
  const graph = await workbench.graph();
  await graph.locator('.card.accused').first().waitFor({ timeout: 30_000 });
  await workbench.screenshot('finding');
});

scene('The watch knows paths into objects and facts of the stack; the console knows queries by their prefix', async ({ workbench, page }) => {
  await workbench.command('Debug Console: Focus on Debug Console View');
  const input = page.locator('.repl-input-wrapper .monaco-editor').first();
  const ask = async text => {
    await input.click();
    await page.keyboard.type(text);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
  };
  await ask('?Pay');
  await page.locator('.repl .monaco-list-row', { hasText: '40 of 41 stacks' }).first().waitFor({ timeout: 15_000 });
  await ask('nobody');
  await page.locator('.repl .monaco-list-row', { hasText: 'To search stacks, type ?nobody' }).first().waitFor({ timeout: 15_000 });
  await workbench.screenshot('console');
});

scene('What is looked at can be ended from the picture, which stays', async ({ workbench, page }) => {
  await workbench.command('Async Stacks: Show Parallel Async Stacks');
  const graph = await workbench.graph();
  await graph.getByRole('button', { name: /End the session/ }).click();
  await page.locator('.tab', { hasText: '(ended)' }).waitFor({ timeout: 30_000 });
  assert.equal(await graph.getByRole('button', { name: /End the session/ }).count(), 0);
  await graph.getByRole('treeitem').first().waitFor();
});
