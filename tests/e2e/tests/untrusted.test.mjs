// A folder that nobody trusts yet: nothing of what its launch.json and settings name is written, loaded or run before somebody says yes.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { openEditor } from '../support/editor.mjs';
import { scenes } from '../support/scene.mjs';
import { collectDump, startScenarios } from '../support/scenarios.mjs';
import { tool } from '../support/tools.mjs';

let editor;
const scene = scenes(() => editor);
const configuration = { type: 'async2', request: 'launch', name: 'Of the repository', dumpPath: '${workspaceFolder}/shop.dmp' };
const files = {
  '.vscode/launch.json': JSON.stringify({
    version: '0.2.0',
    configurations: [{ ...configuration, trace: '${workspaceFolder}/trace.log' }, { ...configuration, name: 'Native code', dac: '${workspaceFolder}/libevil.so' }],
  }),
};

before(async () => {
  editor = await openEditor('untrusted', { trust: true, settings: { 'async2.toolPath': tool }, files });
  const evil = join(editor.workspace, 'evil.sh');
  writeFileSync(evil, `#!/bin/sh\ntouch '${join(editor.workspace, 'ran')}'\n`, { mode: 0o755 });
  writeFileSync(join(editor.workspace, '.vscode/settings.json'), JSON.stringify({ 'async2.toolPath': evil }));
  await editor.page.waitForTimeout(1500);
  const program = await startScenarios('--only', 'NestedCalls');
  collectDump(program.pid, join(editor.workspace, 'shop.dmp'));
  await program.stop();
});
after(() => editor?.close());

async function start({ workbench, page }) {
  await workbench.command('View: Show Run and Debug');
  await page.keyboard.press('F5');
  await workbench.dialog().waitFor({ timeout: 30_000 });
  return workbench.dialog().textContent();
}

async function press({ workbench, page }, name) {
  await workbench.dialog().getByRole('button', { name }).last().click();
  await page.waitForTimeout(1500);
}

async function nothingHappened({ workbench, workspace }) {
  assert.equal(await workbench.callStackRows().count(), 0, 'a session has begun');
  for (const file of ['trace.log', 'ran']) assert.ok(!existsSync(join(workspace, file)), `${file} is there`);
}

scene('In a folder that is not trusted nothing starts before VS Code has asked for trust', async scenery => {
  const { workbench, page } = scenery;
  await page.locator('.part.statusbar').getByText('Restricted Mode').waitFor({ timeout: 30_000 });
  assert.match(await start(scenery), /trust/i);
  await workbench.screenshot('asked');
  await press(scenery, 'Cancel');
  await nothingHappened(scenery);
  await page.locator('.part.statusbar').getByText('Restricted Mode').waitFor();
});

scene('The program that the settings of such a folder name is not run', async scenery => {
  const { workbench, page } = scenery;
  await workbench.command('Async Stacks: Attach to .NET Process...');
  await workbench.quickRows().first().waitFor({ timeout: 120_000 });
  await workbench.screenshot('picker');
  await page.keyboard.press('Escape');
  await nothingHappened(scenery);
});

scene('Trust in the folder is not a yes to the trace that its launch.json names', async scenery => {
  const { workbench, workspace } = scenery;
  await start(scenery);
  await press(scenery, /Trust/);
  await workbench.dialog().waitFor({ timeout: 30_000 });
  assert.ok((await workbench.dialog().textContent()).includes(join(workspace, 'trace.log')), 'the file is not named');
  await press(scenery, 'Cancel');
  assert.equal(await workbench.callStackRows().count(), 0);
  assert.ok(!existsSync(join(workspace, 'trace.log')));
});

scene('The same program is run once the folder is trusted, so that the test before could fail', async ({ workbench, workspace, page }) => {
  await workbench.command('Async Stacks: Attach to .NET Process...');
  for (let tries = 0; tries < 100 && !existsSync(join(workspace, 'ran')); tries++) await page.waitForTimeout(200);
  assert.ok(existsSync(join(workspace, 'ran')));
});
