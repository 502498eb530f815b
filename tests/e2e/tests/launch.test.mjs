// launch.json: what VS Code writes into one, and what one may not do that came with a repository.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { openEditor } from '../support/editor.mjs';
import { scenes } from '../support/scene.mjs';
import { collectDump, startScenarios } from '../support/scenarios.mjs';
import { root, tool } from '../support/tools.mjs';

let editor;
let line;
const scene = scenes(() => editor);

before(async () => {
  editor = await openEditor('launch', { settings: { 'async2.toolPath': tool }, viewport: { width: 1500, height: 1100 } });
  const program = await startScenarios('--only', 'NestedCalls');
  line = program.truth.stacks.flatMap(({ frames }) => frames).find(frame => frame.method === 'PackAsync').line;
  collectDump(program.pid, join(editor.workspace, 'shop.dmp'));
  await program.stop();
});
after(() => editor?.close());

let written = 0;

/**
 * Writes a launch.json as a repository has it, and starts its configuration when the editor has read it: a new name says that it has.
 * Now and then the editor misses that a file was written that it wrote itself a moment before, so it is written again.
 */
async function launch({ workbench, workspace }, more) {
  const configuration = { type: 'async2', request: 'launch', name: `Of the repository ${++written}`, dumpPath: '${workspaceFolder}/shop.dmp', ...more };
  mkdirSync(join(workspace, '.vscode'), { recursive: true });
  await workbench.command('View: Show Run and Debug');
  for (let tries = 0; tries < 40; tries++) {
    if (tries % 5 === 0)
      writeFileSync(join(workspace, '.vscode/launch.json'), JSON.stringify({ version: '0.2.0', configurations: [configuration] }) + '\n'.repeat(tries));
    if (await workbench.startDebugging(configuration.name)) return;
  }
  throw new Error(`the editor has not read ${configuration.name}`);
}

async function answer({ workbench, page }, button) {
  await workbench.dialog().waitFor({ timeout: 30_000 });
  const text = await workbench.dialog().textContent();
  await workbench.dialog().getByRole('button', { name: button }).last().click();
  await page.waitForTimeout(500);
  return text;
}

scene('"create a launch.json" writes each configuration once', async ({ workbench, workspace, page }) => {
  await workbench.command('View: Show Run and Debug');
  await page.getByText('create a launch.json file').first().click();
  const row = workbench.quickRows().filter({ hasText: '.NET async stacks' }).first();
  await row.waitFor();
  await workbench.screenshot('choice');
  await row.click();
  const file = join(workspace, '.vscode/launch.json');
  for (let tries = 0; tries < 50 && !existsSync(file); tries++) await page.waitForTimeout(200);
  await workbench.screenshot('created');
  const { configurations } = JSON.parse(readFileSync(file, 'utf8').replace(/^\s*\/\/.*$/gm, ''));
  assert.deepEqual(configurations.map(({ type, request }) => `${type} ${request}`), ['async2 launch', 'async2 attach']);
  await workbench.command('View: Close All Editors');
});

scene('A trace that a launch.json names is asked for, and without a yes nothing starts', async scenery => {
  const trace = join(scenery.workspace, 'trace.log');
  await launch(scenery, { trace });
  assert.ok((await answer(scenery, 'Cancel')).includes(trace), 'the file is not named');
  await scenery.workbench.screenshot('trace-cancelled');
  assert.equal(await scenery.workbench.callStackRows().count(), 0);
  assert.ok(!existsSync(trace));
});

scene('With a yes the trace is written, for its owner only, and the next time nothing is asked', async scenery => {
  const { workbench, page } = scenery;
  const trace = join(scenery.workspace, 'trace.log');
  for (const ask of [true, false]) {
    await launch(scenery, { trace });
    if (ask) await answer(scenery, 'Allow');
    await workbench.row(workbench.callStackRows(), 'NestedCalls').waitFor({ timeout: 30_000 });
    assert.equal(await workbench.dialog().count(), 0);
    await workbench.stopDebugging();
    await page.waitForFunction(() => document.querySelectorAll('.debug-call-stack .monaco-list-row').length === 0);
  }
  assert.match(readFileSync(trace, 'utf8'), /"command":"initialize"/);
  assert.equal(statSync(trace).mode & 0o777, 0o600);
});

scene('A file that is not a trace is not overwritten, whatever was agreed to', async scenery => {
  const precious = join(scenery.workspace, 'precious.log');
  writeFileSync(precious, 'years of work');
  await launch(scenery, { trace: precious });
  await answer(scenery, 'Allow');
  const text = await answer(scenery, 'Cancel');
  assert.match(text, /already exists and is not a trace/);
  assert.equal(readFileSync(precious, 'utf8'), 'years of work');
});

scene('Native code that a launch.json names is asked for, by its path', async scenery => {
  await launch(scenery, { dac: '${workspaceFolder}/libevil.so' });
  const text = await answer(scenery, 'Cancel');
  assert.ok(text.includes('native code') && text.includes(join(scenery.workspace, 'libevil.so')), text);
  assert.equal(await scenery.workbench.callStackRows().count(), 0);
});

scene('Sources that are not on this machine open as what is known of the place, without an error', async scenery => {
  const { workbench, page } = scenery;
  await launch(scenery, { sourceFileMap: { [join(root, 'dumps')]: '/nowhere' } });
  await workbench.row(workbench.callStackRows(), 'NestedCalls').waitFor({ timeout: 30_000 });
  const places = [
    ['Call Stack', async () => workbench.callStackRows().filter({ hasText: 'NestedCalls.PackAsync' }).last().click()],
    ['the list', async () => {
      await workbench.openStackView();
      await workbench.expand(workbench.row(workbench.stackViewRows(), 'NestedCalls'));
      await workbench.stackViewRows().filter({ hasText: 'NestedCalls.PackAsync(' }).last().click();
    }],
    ['Go to', async () => {
      await workbench.command('Async Stacks: Go to Async Stack...');
      await workbench.type('method:PackAsync');
      await page.waitForFunction(() => document.querySelectorAll('.quick-input-list .monaco-list-row').length === 1);
      await page.waitForTimeout(400);
      await page.keyboard.press('Enter');
    }],
    ['the graph', async () => {
      await workbench.command('Async Stacks: Show Parallel Async Stacks');
      await (await workbench.graph()).locator('.row.frame', { hasText: 'PackAsync' }).first().click();
    }],
  ];
  for (const [name, open] of places) {
    await workbench.command('View: Close All Editors');
    await workbench.command('Notifications: Clear All Notifications');
    await open();
    await page.locator('.editor-instance', { hasText: 'This file does not exist on this machine' }).first().waitFor({ timeout: 15_000 }).catch(() => {
      throw new Error(`${name} shows nothing of the place`);
    });
    await workbench.waitForPlace(`NestedCalls.cs:${name === 'Go to' ? '' : line}`);
    await page.waitForTimeout(500);
    await workbench.screenshot(`missing-source-${name.replace(/\W+/g, '-')}`);
    assert.deepEqual(await workbench.notifications().allTextContents(), [], `${name} complains`);
  }
});
