// The graph as people see it, and as machines that help them do: three themes, near and far, held against axe's rules.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { axeFindings } from '../support/axe.mjs';
import { openEditor } from '../support/editor.mjs';
import { scenes } from '../support/scene.mjs';
import { collectDump, startScenarios, startWorkload } from '../support/scenarios.mjs';
import { tool } from '../support/tools.mjs';

const themes = { light: 'Default Light Modern', dark: 'Default Dark Modern', contrast: 'Default High Contrast', 'contrast-light': 'Default High Contrast Light' };

let editor;
const scene = scenes(() => editor);

before(async () => {
  editor = await openEditor('looks', { settings: { 'async2.toolPath': tool, 'async2.maxThreads': 100, 'debug.internalConsoleOptions': 'neverOpen' }, viewport: { width: 1500, height: 1000 } });
  const program = await startScenarios();
  collectDump(program.pid, join(editor.workspace, 'scenarios.dmp'));
  await program.stop();
  const many = await startWorkload('shop', '10000', '40');
  collectDump(many.pid, join(editor.workspace, 'many.dmp'));
  await many.stop();
});
after(() => editor?.close());

async function openGraph({ workbench, workspace }, name) {
  await workbench.command('Async Stacks: Open Dump...');
  await workbench.chooseFile(join(workspace, name));
  const graph = await workbench.openGraph();
  await graph.getByRole('treeitem').first().waitFor({ timeout: 30_000 });
  return graph;
}

scene('All scenarios: the graph has no findings of axe', async scenery => {
  await openGraph(scenery, 'scenarios.dmp');
  await scenery.workbench.screenshot('scenarios');
  assert.deepEqual(await axeFindings(await scenery.workbench.graphFrame()), []);
});

scene('All scenarios, seen from afar: the graph has no findings of axe', async ({ workbench, page }) => {
  const graph = await workbench.graph();
  await graph.getByRole('tree').focus();
  for (let times = 0; times < 12; times++) await page.keyboard.press('-');
  await page.waitForTimeout(500);
  await workbench.screenshot('scenarios-far');
  assert.deepEqual(await axeFindings(await workbench.graphFrame()), []);
});

for (const [name, id] of Object.entries(themes)) {
  scene(`The theme ${id} has no findings of axe`, async ({ workbench, page }) => {
    await editor.useSettings({ 'workbench.colorTheme': id });
    const frame = await workbench.graphFrame();
    await (await workbench.graph()).getByRole('tree').focus();
    // As near as text can be read.
    await page.keyboard.press('Home');
    for (let times = 0; times < 12; times++) await page.keyboard.press('+');
    await page.waitForTimeout(1000);
    await workbench.screenshot(`theme-${name}`);
    assert.deepEqual(await axeFindings(frame), []);
  });
}

scene('Ten thousand distinct stacks: near and far, the graph has no findings of axe', async scenery => {
  const { workbench, page } = scenery;
  await editor.useSettings({ 'workbench.colorTheme': themes.light });
  await workbench.stopDebugging();
  const graph = await openGraph(scenery, 'many.dmp');
  await workbench.screenshot('many');
  assert.deepEqual(await axeFindings(await workbench.graphFrame()), []);
  await graph.getByRole('button', { name: /unfold all/i }).click();
  await page.waitForTimeout(1500);
  await workbench.screenshot('many-unfolded');
  await graph.getByRole('button', { name: 'Fit (0)' }).first().click();
  await page.waitForTimeout(800);
  await workbench.screenshot('many-far');
  assert.deepEqual(await axeFindings(await workbench.graphFrame()), []);
});
