// What goes wrong is said in a sentence that helps: the tool is missing or old, the file is not a dump.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { openEditor } from '../support/editor.mjs';
import { scenes } from '../support/scene.mjs';
import { collectDump, startScenarios } from '../support/scenarios.mjs';
import { tool, toyTool } from '../support/tools.mjs';

let editor;
const scene = scenes(() => editor);

before(async () => {
  // No tool on PATH, and a home without tools.
  editor = await openEditor('bad-input', { environment: { PATH: '/usr/bin:/bin', HOME: '/nonexistent' }, files: { 'text.dmp': 'This is not a dump.' } });
});
after(() => editor?.close());

async function open({ workbench, workspace }, name) {
  await workbench.command('Notifications: Clear All Notifications');
  await workbench.command('Async Stacks: Open Dump...');
  await workbench.chooseFile(join(workspace, name));
}

/** Opens it until that is said: nothing on the screen tells when VS Code has read settings that have just been changed. */
async function openUntil(scenery, name, notice) {
  for (let tries = 1; ; tries++) {
    await open(scenery, name);
    if (await notice.waitFor({ timeout: 10_000 }).then(() => true, () => false)) return;
    console.log(`# not said yet, try ${tries}:\n${await scenery.workbench.onScreen()}`);
    if (tries === 4) throw new Error('it is not said');
  }
}

/** The dialog that VS Code shows when a session does not start. */
async function refusal({ workbench, page }) {
  await workbench.dialog().waitFor({ timeout: 30_000 });
  const text = await workbench.dialog().textContent();
  await page.keyboard.press('Escape');
  return text;
}

scene('Without the tool, one is told how to install it', async scenery => {
  const { workbench } = scenery;
  await open(scenery, 'text.dmp');
  const notice = workbench.notifications().filter({ hasText: 'dotnet-async2 was not found' });
  await notice.waitFor();
  await notice.getByRole('button', { name: 'Install...' }).waitFor();
  await workbench.press(notice, 'Open Settings');
  await workbench.page.locator('.settings-editor').getByText('Tool Path').first().waitFor();
  await workbench.screenshot('tool-missing');
});

scene('A path that leads nowhere is named', async scenery => {
  await scenery.useTool('/nowhere/dotnet-async2');
  await openUntil(scenery, 'text.dmp', scenery.workbench.notifications().filter({ hasText: 'names /nowhere/dotnet-async2, but there is no such file' }));
});

scene('A tool that is too old is told with its version and the one that is needed', async scenery => {
  await scenery.useTool(toyTool(join(scenery.home, 'old'), { version: '0.0.9' }));
  const notice = scenery.workbench.notifications().filter({ hasText: /is version 0\.0\.9, but \d+\.\d+\.\d+ or later is needed/ });
  await openUntil(scenery, 'text.dmp', notice);
  await notice.getByRole('button', { name: 'Update...' }).waitFor();
  await scenery.workbench.screenshot('tool-old');
});

scene('A program that is something else is told with what it said', async scenery => {
  await scenery.useTool('/bin/false');
  await openUntil(scenery, 'text.dmp', scenery.workbench.notifications().filter({ hasText: '/bin/false does not work' }));
});

scene('A file that is not a dump is said to be none', async scenery => {
  await scenery.useTool(tool);
  await open(scenery, 'text.dmp');
  const text = await refusal(scenery);
  assert.match(text, /text\.dmp/);
  assert.match(text, /not a|no core|neither/i);
});

scene('A dump that was cut off opens as far as it goes, or says so', async scenery => {
  const { workbench, workspace } = scenery;
  const program = await startScenarios('--only', 'SemaphoreWait');
  const file = collectDump(program.pid, join(workspace, 'cut.dmp'));
  await program.stop();
  truncateSync(file, 3_000_000);
  await open(scenery, 'cut.dmp');
  const text = await refusal(scenery);
  assert.match(text, /cut|incomplete|truncated|memory/i);
  await workbench.screenshot('cut');
});

scene('A dump without a heap is told with what to do instead', async (scenery, context) => {
  const { workbench, workspace } = scenery;
  const program = await startScenarios('--only', 'SemaphoreWait');
  // Pages of the process's own are left out: headers of mapped files are all there is.
  writeFileSync(`/proc/${program.pid}/coredump_filter`, '0x10');
  const { error } = spawnSync('gcore', ['-o', join(workspace, 'heapless'), String(program.pid)]);
  await program.stop();
  if (error) return context.skip('gcore is missing: sudo apt-get install gdb');
  await open(scenery, `heapless.${program.pid}`);
  assert.match(await refusal(scenery), /write a new one: dotnet-async2 dump collect/);
  await workbench.screenshot('heapless');
});

scene('An empty file is said to be empty', async scenery => {
  writeFileSync(join(scenery.workspace, 'empty.dmp'), '');
  await open(scenery, 'empty.dmp');
  assert.match(await refusal(scenery), /empty/i);
});

scene('VS Code answers as before', async ({ workbench, page }) => {
  await workbench.command('View: Show Explorer');
  await page.locator('.explorer-folders-view').waitFor();
});
