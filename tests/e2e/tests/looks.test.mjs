// The graph as people see it, and as machines that help them do: three themes, near and far, checked against axe's rules.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { axeFindings } from '../support/axe.mjs';
import { openEditor } from '../support/editor.mjs';
import { scenes } from '../support/scene.mjs';
import { collectDump, startScenarios, startWorkload } from '../support/scenarios.mjs';
import { themes } from '../support/themes.mjs';
import { tool } from '../support/tools.mjs';

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

/** Chooses a theme, and waits until the graph has it. */
async function useTheme({ workbench, useSettings }, { id, page }) {
  await useSettings({ 'workbench.colorTheme': id });
  const frame = await workbench.graphFrame();
  await frame.waitForFunction(wanted => document.body.dataset.vscodeThemeId === wanted, id, { timeout: 15_000 });
  assert.equal(await frame.evaluate(() => document.body.dataset.vscodeThemeKind), page);
}

const backgrounds = new Set();
for (const [name, theme] of Object.entries(themes)) {
  scene(`The theme ${theme.id} has no findings of axe`, async scenery => {
    const { workbench, page } = scenery;
    await useTheme(scenery, theme);
    const frame = await workbench.graphFrame();
    await (await workbench.graph()).getByRole('tree').focus();
    // As near as text can be read.
    await page.keyboard.press('Home');
    for (let times = 0; times < 12; times++) await page.keyboard.press('+');
    await page.waitForTimeout(1000);
    await workbench.screenshot(`theme-${name}`);
    assert.deepEqual(await axeFindings(frame), []);
    backgrounds.add(await frame.evaluate(() => `${getComputedStyle(document.body).backgroundColor} ${getComputedStyle(document.querySelector('[role=treeitem]')).color}`));
  });
}

scene('Each theme gives the graph colours of its own', () => {
  assert.equal(backgrounds.size, Object.keys(themes).length, [...backgrounds].join(' | '));
});

scene('Ten thousand distinct stacks: near and far, the graph has no findings of axe', async scenery => {
  const { workbench, page } = scenery;
  await useTheme(scenery, themes.light);
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
