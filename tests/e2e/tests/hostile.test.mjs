// Names, waits, files and values that are attacks: an adapter that speaks our protocol and means harm. Text stays text.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { openEditor } from '../support/editor.mjs';
import { scenes } from '../support/scene.mjs';
import { toyTool } from '../support/tools.mjs';

let editor;
const scene = scenes(() => editor);
const megabyte = 1_000_000;

before(async () => {
  editor = await openEditor('hostile', { files: { 'evil.dmp': '' } });
  const program = toyTool(join(editor.home, 'toy'), { data: 'hostile', long: megabyte });
  await editor.useTool(program);
});
after(() => editor?.close());

async function nothingRan({ scripts }) {
  assert.deepEqual(scripts.dialogs, [], 'a script opened a dialog');
  assert.ok((await scripts.flags()).every(flag => !flag), 'a script set its flag');
}

scene('Names that are markup stand in Call Stack as they are', async ({ workbench, workspace, ...rest }) => {
  await workbench.command('Async Stacks: Open Dump...');
  await workbench.chooseFile(join(workspace, 'evil.dmp'));
  await workbench.row(workbench.callStackRows(), '<img src=x onerror').waitFor();
  await workbench.screenshot('call-stack');
  assert.equal(await workbench.page.locator('.debug-call-stack img, .debug-call-stack script').count(), 0);
  await nothingRan(rest);
});

scene('The list of stacks shows hostile names as text, without icons and shortened', async ({ workbench, ...rest }) => {
  await workbench.openStackView();
  await workbench.row(workbench.stackViewRows(), '<img src=x onerror').waitFor();
  const labels = await workbench.labels(workbench.stackViewRows());
  assert.ok(labels.every(label => label.length < 5000), 'a label is as long as the name of a megabyte');
  assert.ok(labels.every(label => !/[\u0000-\u0008\u202e]/.test(label)), 'a label has control characters');
  await workbench.screenshot('list');
  await nothingRan(rest);
});

scene('The quick pick shows hostile names as text', async ({ workbench, page, ...rest }) => {
  await workbench.command('Async Stacks: Go to Async Stack...');
  await workbench.row(workbench.quickRows(), '<img src=x onerror').waitFor();
  await workbench.screenshot('quick-pick');
  await page.keyboard.press('Escape');
  await nothingRan(rest);
});

scene('The graph shows hostile names as text', async ({ workbench, page, ...rest }) => {
  await workbench.command('Async Stacks: Show Parallel Async Stacks');
  const graph = await workbench.graph();
  await graph.getByText('<img src=x onerror').first().waitFor({ timeout: 20_000 });
  assert.equal(await graph.locator('img, script:not([src]):not(#_vscodeApiScript)').count(), 0);
  await workbench.screenshot('graph');
  await nothingRan(rest);
});

scene('Search in the graph takes hostile words as words', async ({ workbench, page, ...rest }) => {
  const graph = await workbench.graph();
  await graph.locator('input[type=search]').first().fill('<img src=x onerror=alert(1)>(((');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(500);
  await workbench.screenshot('search');
  await nothingRan(rest);
});

scene('Variables of a megabyte leave VS Code quick', async ({ workbench, page, ...rest }) => {
  await workbench.variableRows().first().waitFor();
  const start = Date.now();
  await workbench.command('View: Show Explorer');
  await page.locator('.explorer-folders-view').waitFor();
  assert.ok(Date.now() - start < 5000, `a command took ${Date.now() - start} ms`);
  await nothingRan(rest);
});

scene('The list of processes shows hostile names as text', async ({ workbench, page, ...rest }) => {
  await workbench.command('Async Stacks: Attach to .NET Process...');
  await workbench.row(workbench.quickRows(), '<img src=x onerror').waitFor();
  await workbench.screenshot('processes');
  await page.keyboard.press('Escape');
  await nothingRan(rest);
});
