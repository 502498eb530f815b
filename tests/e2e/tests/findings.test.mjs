// What is wrong is said without being asked: the banner over the graph, the cycle and the holders in it, in VS Code and on a page.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { axeFindings } from '../support/axe.mjs';
import { artifacts, openEditor } from '../support/editor.mjs';
import { collectDump, lineWith, startSituation } from '../support/scenarios.mjs';
import { scenes } from '../support/scene.mjs';
import { tool } from '../support/tools.mjs';

const desk = lineWith('Situations/AsyncLocks.cs', 'await Desk.WaitAsync();');
const names = ['monitorAndSemaphore', 'hotTill', 'healthy'];

let editor;
const scene = scenes(() => editor);

before(async () => {
  editor = await openEditor('findings', { settings: { 'async2.toolPath': tool, 'debug.internalConsoleOptions': 'neverOpen' }, viewport: { width: 1600, height: 1200 } });
  for (const name of names) {
    const program = await startSituation(name);
    collectDump(program.pid, join(editor.workspace, `${name}.dmp`));
    await program.stop();
    const run = spawnSync(tool, [join(editor.workspace, `${name}.dmp`), '--format', 'html', '-o', join(editor.workspace, `${name}.html`)], { encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
  }
});
after(() => editor?.close());

async function openPage({ page, workspace }, name, options = {}) {
  const other = await page.context().newPage();
  const errors = [];
  other.on('pageerror', error => errors.push(error.message));
  other.on('console', message => message.type() === 'error' && errors.push(message.text()));
  await other.setViewportSize({ width: options.width ?? 1200, height: 760 });
  await other.emulateMedia({ colorScheme: options.scheme ?? 'light' });
  await other.goto(`file://${join(workspace, `${name}.html`)}`);
  await other.getByRole('treeitem').first().waitFor();
  return { other, errors };
}

/** The boxes of the finding, as their text, and the rows that are its steps. */
async function accused(graph) {
  return {
    boxes: await graph.locator('.card.accused').evaluateAll(cards => cards.map(card => card.textContent)),
    steps: await graph.locator('.card.accused .row.step .name').evaluateAll(rows => rows.map(row => row.textContent)),
  };
}

/** Whether the canvas over the boxes has anything on it. */
function arcs(graph) {
  return graph.locator('canvas.over').evaluate(canvas => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some(value => value !== 0));
}

async function chooseWorst(graph) {
  const alarm = graph.getByRole('region', { name: 'What is wrong' }).getByRole('button').first();
  await alarm.click();
  await graph.locator('.card.accused').first().waitFor();
  assert.equal(await alarm.getAttribute('aria-pressed'), 'true');
  return alarm;
}

scene('In VS Code a deadlock is said by itself, and a click shows its cycle', async ({ workbench, workspace }) => {
  await workbench.command('Async Stacks: Open Dump...');
  await workbench.chooseFile(join(workspace, 'monitorAndSemaphore.dmp'));
  await workbench.callStackRows().first().waitFor({ timeout: 60_000 });
  const graph = await workbench.openGraph();
  await graph.getByRole('treeitem').first().waitFor({ timeout: 30_000 });
  const banner = graph.getByRole('region', { name: 'What is wrong' });
  const text = await banner.textContent();
  assert.match(text, /error: deadlock AsyncLocks\.BookAsync .*AsyncLocks\.Count .*certain \u00b7 2 stacks/);
  assert.ok(text.includes(`AsyncLocks.DeskAsync (AsyncLocks.cs:${desk})`), text);
  assert.equal(await graph.locator('.card.accused').count(), 0);
  const alarm = await chooseWorst(graph);
  const { boxes, steps } = await accused(graph);
  assert.equal(boxes.length, 2, boxes.join(' | '));
  assert.deepEqual(steps.map(step => step.replace(/^.*\./, '')).sort(), ['Count', 'DeskAsync', 'lambda']);
  assert.equal(await arcs(graph), true);
  await workbench.screenshot('cycle');
  assert.deepEqual(await axeFindings(await workbench.graphFrame()), []);
  await alarm.click();
  assert.equal(await graph.locator('.card.accused').count(), 0);
});

for (const [scheme, width] of [['light', 1200], ['dark', 1200], ['light', 420], ['dark', 420]]) {
  scene(`On a page, ${scheme} and ${width} wide, who waits is drawn with who holds it`, async scenery => {
    const { other, errors } = await openPage(scenery, 'hotTill', { scheme, width });
    await chooseWorst(other);
    const { boxes } = await accused(other);
    assert.deepEqual(boxes.map(text => /Hot\.\w+/.exec(text)?.[0]).sort(), ['Hot.ChargeAsync', 'Hot.PayAsync']);
    await other.waitForTimeout(200);
    assert.equal(await arcs(other), true);
    await other.screenshot({ path: join(artifacts, `findings-${scheme}-${width}.png`) });
    // Nothing of the banner is cut off.
    assert.ok(await other.locator('.banner').evaluate(banner => banner.scrollWidth <= banner.clientWidth));
    assert.deepEqual(await axeFindings(other), []);
    assert.deepEqual(errors, []);
    await other.close();
  });
}

scene('The banner is reached and closed by keys, and stays closed', async scenery => {
  const { other } = await openPage(scenery, 'hotTill');
  const banner = other.getByRole('region', { name: 'What is wrong' });
  for (let steps = 0; steps < 30 && !(await banner.evaluate(element => element.contains(document.activeElement))); steps++) await other.keyboard.press('Tab');
  await other.keyboard.press('Enter');
  await other.locator('.card.accused').first().waitFor();
  assert.equal(await banner.evaluate(element => element.contains(document.activeElement)), true, 'the focus was lost');
  await other.keyboard.press('Escape');
  assert.equal(await banner.count(), 0);
  assert.equal(await other.evaluate(() => document.activeElement?.getAttribute('role')), 'tree');
  await other.getByRole('button', { name: 'By resource' }).click();
  assert.equal(await banner.count(), 0);
  await other.close();
});

scene('The search answers finding:', async scenery => {
  const { other } = await openPage(scenery, 'hotTill');
  const search = other.locator('input[type=search]');
  await search.fill('finding:hot-resource');
  await other.locator('.hits', { hasText: /1 of 2/ }).waitFor();
  await search.fill('finding:deadlock');
  await other.locator('.hits', { hasText: 'no match' }).waitFor();
  await other.close();
});

scene('A healthy program has no banner', async scenery => {
  const { other } = await openPage(scenery, 'healthy');
  assert.equal(await other.getByRole('region', { name: 'What is wrong' }).count(), 0);
  await other.close();
});
