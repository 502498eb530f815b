// The graph as people see it, and as machines that help them do: three themes, near and far, held against axe's rules.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { openEditor } from '../support/editor.mjs';
import { scenes } from '../support/scene.mjs';
import { collectDump, startScenarios, startWorkload } from '../support/scenarios.mjs';
import { tool } from '../support/tools.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const themes = { light: 'Default Light Modern', dark: 'Default Dark Modern', contrast: 'Default High Contrast', 'contrast-light': 'Default High Contrast Light' };

let editor;
const scene = scenes(() => editor);

before(async () => {
  editor = await openEditor('looks', { settings: { 'async2.toolPath': tool, 'async2.maxThreads': 100 }, viewport: { width: 1500, height: 1000 } });
  const program = await startScenarios();
  collectDump(program.pid, join(editor.workspace, 'scenarios.dmp'));
  await program.stop();
  const many = await startWorkload('shop', '10000', '40');
  collectDump(many.pid, join(editor.workspace, 'many.dmp'));
  await many.stop();
});
after(() => editor?.close());

/** What axe finds in a frame; pictures of the page around it are not ours. */
async function findings(frame) {
  // The policy of the page allows no script of ours, so axe comes in by the debugger, not by a tag.
  await frame.evaluate(axe);
  const { violations } = await frame.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(node => `${node.html.slice(0, 160)} ${node.failureSummary?.split('\n')[1]?.trim() ?? ''}`).join(' | ')}`);
}

async function openGraph({ workbench, workspace }, name) {
  await workbench.command('Async Stacks: Open Dump...');
  await workbench.chooseFile(join(workspace, name));
  await workbench.callStackRows().first().waitFor({ timeout: 60_000 });
  await workbench.command('View: Close All Editors');
  await workbench.command('Async Stacks: Show Parallel Async Stacks');
  const graph = await workbench.graph();
  await graph.getByRole('treeitem').first().waitFor({ timeout: 30_000 });
  return graph;
}

scene('All scenarios: the graph has no findings of axe', async scenery => {
  await openGraph(scenery, 'scenarios.dmp');
  await scenery.workbench.command('View: Close Panel');
  await scenery.workbench.screenshot('scenarios');
  assert.deepEqual(await findings(await scenery.workbench.graphFrame()), []);
});

scene('All scenarios, seen from afar: the graph has no findings of axe', async ({ workbench, page }) => {
  const graph = await workbench.graph();
  await graph.getByRole('treeitem').first().click();
  for (let times = 0; times < 12; times++) await page.keyboard.press('-');
  await page.waitForTimeout(500);
  await workbench.screenshot('scenarios-far');
  assert.deepEqual(await findings(await workbench.graphFrame()), []);
});

for (const [name, id] of Object.entries(themes)) {
  scene(`The theme ${id} has no findings of axe`, async ({ workbench, page }) => {
    await editor.useSettings({ 'workbench.colorTheme': id });
    const frame = await workbench.graphFrame();
    await page.waitForTimeout(1000);
    await workbench.screenshot(`theme-${name}`);
    assert.deepEqual(await findings(frame), []);
  });
}

scene('Ten thousand distinct stacks: near and far, the graph has no findings of axe', async scenery => {
  const { workbench, page } = scenery;
  await editor.useSettings({ 'workbench.colorTheme': themes.light });
  await workbench.stopDebugging();
  const graph = await openGraph(scenery, 'many.dmp');
  await workbench.command('View: Close Panel');
  await workbench.screenshot('many');
  assert.deepEqual(await findings(await workbench.graphFrame()), []);
  await graph.getByRole('button', { name: /unfold all/i }).click();
  await page.waitForTimeout(1500);
  await workbench.screenshot('many-unfolded');
  await graph.getByRole('button', { name: 'Fit (0)' }).first().click();
  await page.waitForTimeout(800);
  await workbench.screenshot('many-far');
  assert.deepEqual(await findings(await workbench.graphFrame()), []);
});
