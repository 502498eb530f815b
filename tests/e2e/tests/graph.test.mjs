// What one does in the graph by hand: merge by wait, fold one box, hide a state, read the details, walk with the arrow keys.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { openEditor } from '../support/editor.mjs';
import { scenes } from '../support/scene.mjs';
import { collectDump, lineWith, startScenarios, startServer, startSituation, startWorkload } from '../support/scenarios.mjs';
import { tool } from '../support/tools.mjs';

const stacks = 60;
const hall = `Moving.cs:${lineWith('Situations/Moving.cs', 'At("hall")')}`;
const travel = `Moving.cs:${lineWith('Situations/Moving.cs', 'await HallAsync(luggage)')}`;

let editor;
const scene = scenes(() => editor);

before(async () => {
  editor = await openEditor('graph', { settings: { 'async2.toolPath': tool, 'debug.internalConsoleOptions': 'neverOpen' }, viewport: { width: 1600, height: 1200 } });
  for (const [name, program] of [['moving.dmp', await startSituation('moving')], ['oven.dmp', await startScenarios('--only', 'TwoAwaiters')], ['shop.dmp', await startWorkload('shop', String(stacks), '12')], ['server.dmp', await startServer('requests')]]) {
    collectDump(program.pid, join(editor.workspace, name));
    await program.stop();
  }
});
after(() => editor?.close());

async function openGraph({ workbench, workspace }, name) {
  await workbench.stopDebugging();
  await workbench.command('View: Close All Editors');
  await workbench.command('Async Stacks: Open Dump...');
  await workbench.chooseFile(join(workspace, name));
  const graph = await workbench.openGraph();
  await graph.getByRole('treeitem').first().waitFor({ timeout: 30_000 });
  return graph;
}

/** Waits until what was asked for is drawn: the picture is drawn before the next frame (stage.ts), so it is there in the one after. */
function drawn(graph) {
  return graph.locator('body').evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** The boxes that are drawn: what each says, and what those who do not see it are told. */
async function boxes(graph) {
  await drawn(graph);
  return graph.locator('[role=treeitem]').evaluateAll(cards => cards.map(card => ({
    key: card.dataset.key,
    text: card.textContent,
    level: Number(card.getAttribute('aria-level')),
    open: card.getAttribute('aria-expanded'),
    selected: card.getAttribute('aria-selected') === 'true',
    count: Number(/^x([\d,]+)/.exec(card.textContent)?.[1].replaceAll(',', '')),
  })));
}

async function selected(graph) {
  return (await boxes(graph)).find(box => box.selected);
}

/** Chips of states and idle loops, as state to count, of those that are on. */
function chips(graph) {
  return graph.locator('.chip:has(.number):not(.fate)').evaluateAll(all => Object.fromEntries(all.filter(chip => chip.getAttribute('aria-pressed') === 'true')
    .map(chip => [chip.dataset.state, Number(chip.querySelector('.number').textContent)])));
}

function sum(counts) {
  return Object.values(counts).reduce((all, count) => all + count, 0);
}

scene('Idle loops of a server are one chip and one row, and are drawn when somebody asks for them', async scenery => {
  const { workbench, workspace } = scenery;
  await workbench.stopDebugging();
  await workbench.command('Async Stacks: Open Dump...');
  await workbench.chooseFile(join(workspace, 'server.dmp'));
  await workbench.callStackRows().first().waitFor({ timeout: 60_000 });
  // Its first stack has no source that would open over the graph.
  await workbench.command('Async Stacks: Show Parallel Async Stacks');
  const graph = await workbench.graph();
  await graph.getByRole('treeitem').first().waitFor({ timeout: 30_000 });
  const chip = graph.locator('.chip[data-state=idle]');
  assert.equal(await chip.getAttribute('aria-pressed'), 'false');
  const idle = Number(await chip.locator('.number').textContent());
  assert.ok(idle > 20, `${idle} idle loops`);
  const busy = sum(await chips(graph));
  assert.match(await graph.locator('.verdict').textContent(), new RegExp(`^${busy} stacks .*; and ${idle} idle loops$`));
  assert.ok(!(await boxes(graph)).some(box => /DoReceive/.test(box.text)), 'an idle loop is drawn');
  await chip.click();
  await graph.getByRole('treeitem').filter({ hasText: /DoReceive/ }).first().waitFor();
  const { idle: said, ...others } = await chips(graph);
  assert.deepEqual([said, sum(others)], [idle, busy + idle]);
  await chip.click();
  await workbench.openStackView();
  // The list draws what there is room for.
  await workbench.fold('Variables', 'Watch', 'Call Stack');
  await workbench.row(workbench.stackViewRows(), 'idle loops').waitFor({ timeout: 30_000 });
  const last = (await workbench.labels(workbench.stackViewRows())).filter(label => label.includes('idle loops'));
  assert.equal(last.length, 1, `one row for the idle loops: ${last.join('; ')}`);
  assert.ok(last[0].startsWith(`${idle} idle loops`), last[0]);
  await workbench.unfold('Variables', 'Watch', 'Call Stack');
});

scene('A click on a box shows the stacks of that box, and its details every frame with its place', async scenery => {
  const { workbench } = scenery;
  const graph = await openGraph(scenery, 'moving.dmp');
  for (const [method, state] of [['HallAsync', 'awaiting'], ['ShipAsync', 'deadlocked']]) {
    await graph.getByRole('treeitem').filter({ hasText: method }).locator('.head').first().click();
    const details = graph.getByRole('complementary', { name: 'Details of the selected box' });
    await details.getByText('in this box').waitFor();
    assert.match(await details.locator('.frames').textContent(), new RegExp(method), `the details of ${method} are another box's`);
    assert.match(await details.locator('.about').textContent(), new RegExp(`State${state}`));
    assert.ok((await selected(graph)).text.includes(method));
  }
  await graph.getByRole('treeitem').filter({ hasText: 'HallAsync' }).locator('.head').first().click();
  const frames = await graph.locator('.details .frames > li').evaluateAll(lines => lines.map(line => line.textContent));
  assert.equal(frames.length, 2, frames.join(' | '));
  assert.ok(frames[0].includes('HallAsync') && frames[0].includes(hall), frames[0]);
  assert.ok(frames[1].includes('TravelAsync') && frames[1].includes(travel), frames[1]);
  await workbench.screenshot('details');
  await graph.locator('.details .frames > li').nth(1).getByRole('button').click();
  await workbench.waitForPlace(travel);
});

scene('A link in the details goes to the stack that is waited for', async scenery => {
  const graph = await openGraph(scenery, 'oven.dmp');
  const waiting = graph.getByRole('treeitem').filter({ hasText: 'BuyAsync' }).filter({ hasNotText: 'BakeAsync' });
  await waiting.locator('.head').first().click();
  await graph.locator('.details .about .link').first().click();
  assert.ok((await selected(graph)).text.includes('BakeAsync'), (await selected(graph)).text);
});

scene('A chip hides the stacks of its state, and shows them again', async scenery => {
  const { workbench } = scenery;
  const graph = await openGraph(scenery, 'moving.dmp');
  assert.deepEqual(await chips(graph), { deadlocked: 1, awaiting: 1 });
  const states = async () => (await boxes(graph)).map(({ text }) => /deadlocked|awaiting/.exec(text)?.[0]).sort();
  const all = await states();
  assert.ok(all.includes('deadlocked') && all.includes('awaiting'), all.join());
  await graph.getByRole('button', { name: 'Show or hide deadlocked' }).or(graph.locator('.chip[data-state=deadlocked]')).first().click();
  assert.deepEqual(await chips(graph), { awaiting: 1 });
  assert.deepEqual([...new Set(await states())], ['awaiting']);
  assert.match(await graph.locator('.facts').textContent(), /1 of 2 stacks shown/);
  await workbench.screenshot('chip');
  await graph.locator('.chip[data-state=awaiting]').click();
  await graph.getByText('No stack matches the filters.').waitFor();
  for (const state of ['deadlocked', 'awaiting']) await graph.locator(`.chip[data-state=${state}]`).click();
  assert.deepEqual(await states(), all);
});

scene('By resource merges the same stacks by what they wait for, and By caller goes back', async scenery => {
  const { workbench } = scenery;
  const graph = await openGraph(scenery, 'shop.dmp');
  const total = async () => (await boxes(graph)).filter(({ level }) => level === 1).reduce((sum, { count }) => sum + (count || 0), 0);
  const before = await boxes(graph);
  assert.equal(await total(), stacks);
  await graph.getByRole('button', { name: 'By resource' }).click();
  assert.equal(await graph.getByRole('button', { name: 'By resource' }).getAttribute('aria-pressed'), 'true');
  const roots = await graph.locator('[role=treeitem][aria-level="1"]').evaluateAll(cards => cards.map(card => card.querySelector('.row.title')?.textContent ?? ''));
  assert.ok(roots.length > 0 && roots.every(title => title !== ''), `a box by resource does not begin with what is waited for: ${roots.join(' | ')}`);
  assert.equal(await total(), stacks);
  await workbench.screenshot('by-wait');
  await graph.getByRole('button', { name: 'By caller' }).click();
  assert.deepEqual((await boxes(graph)).map(({ text }) => text).sort(), before.map(({ text }) => text).sort());
});

scene('One box folds and unfolds: only what is in it goes and comes', async ({ workbench }) => {
  const graph = await workbench.graph();
  const before = await boxes(graph);
  const box = before.find(({ open }) => open === 'true');
  const card = graph.locator(`[data-key="${box.key}"]`);
  await card.locator('.fold').click();
  await graph.locator(`[data-key="${box.key}"][aria-expanded=false]`).waitFor();
  const folded = await boxes(graph);
  assert.ok(folded.length < before.length, 'nothing was folded away');
  assert.match(folded.find(({ key }) => key === box.key).text, /branch/);
  const order = before.map(({ key }) => key);
  for (const { key } of folded) assert.ok(order.includes(key), 'folding brought a box');
  await workbench.screenshot('folded');
  await card.locator('.fold').click();
  await graph.locator(`[data-key="${box.key}"][aria-expanded=true]`).waitFor();
  assert.deepEqual((await boxes(graph)).map(({ key }) => key).sort(), order.sort());
});

scene('The arrow keys walk to every box of the drawing, and no two boxes are taken for one', async ({ workbench, page }) => {
  const graph = await workbench.graph();
  await graph.getByRole('tree').focus();
  await page.keyboard.press('Home');
  const seen = new Set();
  const step = async key => {
    await page.keyboard.press(key);
    await page.waitForTimeout(60);
    return (await selected(graph)).key;
  };
  // Right goes inwards, Left folds what is open and then goes outwards; Right unfolds again.
  const first = await selected(graph);
  const inner = await step('ArrowRight');
  assert.equal((await selected(graph)).level, first.level + 1);
  const wasOpen = (await selected(graph)).open === 'true';
  if (wasOpen) assert.equal(await step('ArrowLeft'), inner);
  assert.notEqual((await selected(graph)).open, 'true');
  assert.equal(await step('ArrowLeft'), first.key);
  assert.equal(await step('ArrowRight'), inner);
  if (wasOpen) assert.equal(await step('ArrowRight'), inner);
  await page.keyboard.press('Home');
  await page.waitForTimeout(300);
  const drawn = await boxes(graph);
  assert.ok(drawn.length > 8, `${drawn.length} boxes`);
  assert.equal(new Set(drawn.map(({ key }) => key)).size, drawn.length, 'boxes share a key');
  const columns = Math.max(...drawn.map(({ level }) => level));
  for (let column = 1; column <= columns; column++) {
    for (let at = (await selected(graph)).key, last; at !== last; [last, at] = [at, await step('ArrowDown')]) seen.add(at);
    for (let at = (await selected(graph)).key, last; at !== last; [last, at] = [at, await step('ArrowUp')]) seen.add(at);
    if (column < columns) {
      // From any box of this column that leads further.
      for (let tries = 0; tries < drawn.length && (await selected(graph)).level === column; tries++) {
        if ((await selected(graph)).open === 'true') await step('ArrowRight');
        else await step('ArrowDown');
      }
    }
  }
  const missed = drawn.filter(({ key, text }) => !seen.has(key) && !text.startsWith('+'));
  assert.deepEqual(missed.map(({ text }) => text), []);
  await workbench.screenshot('arrows');
});
