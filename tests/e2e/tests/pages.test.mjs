// The page that `--format html` writes, as somebody uses it who has a browser and nothing else: its views, its menu, its address, paper, no scripts, narrow and big.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { axeFindings } from '../support/axe.mjs';
import { artifacts, startBrowser } from '../support/editor.mjs';
import { startServer, startSituation, startWorkload } from '../support/scenarios.mjs';
import { tool } from '../support/tools.mjs';

const folder = mkdtempSync(join(tmpdir(), 'async2-pages-'));
let browser;

before(async () => {
  mkdirSync(artifacts, { recursive: true });
  const programs = { hot: await startSituation('hotTill'), ages: await startSituation('agesAlone'), requests: await startServer('requests'), many: await startWorkload('shop', '3000', '30') };
  for (const [name, program] of Object.entries(programs)) {
    const run = spawnSync(tool, [String(program.pid), '--format', 'html', '-o', join(folder, `${name}.html`), ...(name === 'many' ? [] : ['--locals'])], { encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
    await program.stop();
  }
  browser = await startBrowser(undefined, folder);
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function open(name, { fragment = '', width = 1300, height = 800, ...media } = {}) {
  const page = await browser.newPage();
  const errors = [];
  page.on('pageerror', error => errors.push(error.message));
  page.on('console', message => message.type() === 'error' && errors.push(message.text()));
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: 'light', ...media });
  await page.goto(`file://${join(folder, `${name}.html`)}${fragment}`);
  await page.getByRole('treeitem').or(page.getByRole('grid')).first().waitFor();
  return { page, errors };
}

/** A test with a picture of what was there when it failed, and without an error of the page. */
function scene(name, file, act, options) {
  test(name, async context => {
    const { page, errors } = await open(file, options);
    try {
      await act(page, context);
      assert.deepEqual(errors, []);
    } catch (error) {
      await page.screenshot({ path: join(artifacts, `pages-failed-${name.replace(/\W+/g, '-').slice(0, 50)}.png`) });
      throw error;
    } finally {
      await page.close();
    }
  });
}

/** Two pictures later everything is drawn (stage.ts). */
const drawn = page => page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
const picture = (page, name) => page.screenshot({ path: join(artifacts, `pages-${name}.png`) });

scene('By resource, the semaphore stands between those who wait and the one who holds it', 'hot', async page => {
  await page.getByRole('button', { name: 'By resource' }).click();
  const card = text => page.getByRole('treeitem').filter({ hasText: text }).first();
  const places = {};
  for (const [name, text] of [['resource', /^x40.*Hot\.Till/], ['holder', /held by s\d/], ['waiters', 'Hot.PayAsync']]) places[name] = await card(text).boundingBox();
  assert.ok(places.holder.x + places.holder.width < places.resource.x, JSON.stringify(places));
  assert.ok(places.resource.x + places.resource.width < places.waiters.x, JSON.stringify(places));
  assert.match(await card(/^x40.*Hot\.Till/).textContent(), /0 of 1 free, 40 waiting/);
  assert.match(await card(/held by s\d/).textContent(), /Hot\.ChargeAsync/);
  await picture(page, 'by-resource');
  await card(/held by s\d/).locator('.head').click();
  // It leads to its own box, which says what it waits for.
  await page.locator('.card.selected', { hasText: /TaskCompletionSource.*ChargeAsync/ }).waitFor();
});

scene('A finding that is shown dims the rest, in colours that can still be read', 'hot', async page => {
  await page.getByRole('region', { name: 'What is wrong' }).getByRole('button').first().click();
  await page.locator('.card.accused').first().waitFor();
  assert.equal(await page.locator('.stage.dims').count(), 1);
  assert.deepEqual(await axeFindings(page), []);
  await picture(page, 'finding');
});

scene('The members of a group are leafed through, and what differs between their variables is counted', 'ages', async page => {
  const group = page.getByRole('treeitem').filter({ hasText: /^x[2-9]/ }).first();
  await group.locator('.head').click();
  const details = page.locator('.details');
  await details.getByText(/^1 of \d+, oldest first/).waitFor();
  const first = await details.locator('.members .about').textContent();
  await details.getByRole('button', { name: 'Next of the equal stacks' }).click();
  await details.getByText(/^2 of \d+/).waitFor();
  assert.notEqual(await details.locator('.members .about').textContent(), first);
  await picture(page, 'members');
});

scene('Equal stacks say how many different values their variables have', 'requests', async page => {
  await page.locator('.chip[data-state=idle]').click();
  const data = await page.evaluate(() => JSON.parse(document.getElementById('async2-tree').textContent));
  const group = data.stacks.find(({ equal }) => equal?.spread?.length > 0);
  assert.ok(group, 'no group has variables that differ');
  const { name, values } = group.equal.spread[0];
  await page.getByRole('button', { name: 'Table' }).click();
  await page.locator('input[type=search]').fill(group.id);
  await page.locator('tr[data-row]').first().click();
  await page.locator('.details .spread dt', { hasText: name }).first().waitFor();
  assert.ok((await page.locator('.details .spread').textContent()).includes(`${values} different`));
});

scene('The table has all stacks, sorts by a click, and its rows are reached by keys', 'requests', async page => {
  await page.getByRole('button', { name: 'Table' }).click();
  const grid = page.getByRole('grid', { name: 'Stacks' });
  const heads = await grid.getByRole('columnheader').allTextContents();
  assert.deepEqual(heads, ['State', 'Count', 'Waits for', 'Route', 'Method']);
  const routes = () => page.locator('tr[data-row] .col-route').allTextContents();
  await grid.getByRole('button', { name: 'Route' }).click();
  const up = (await routes()).filter(Boolean);
  assert.deepEqual(up, up.toSorted());
  assert.ok(up.includes('/slow/{id}'), up.join());
  await grid.getByRole('button', { name: 'Route' }).click();
  assert.equal(await page.locator('th.col-route').getAttribute('aria-sort'), 'ascending');
  await grid.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press(' ');
  await page.locator('.details .frames').waitFor();
  assert.equal(await page.locator('tr[aria-selected=true]').getAttribute('data-row'), '1');
  assert.deepEqual(await axeFindings(page), []);
  await picture(page, 'table');
});

scene('A table of thousands of rows has only those in view as elements, and End reaches the last', 'many', async page => {
  await page.getByRole('button', { name: 'Table' }).click();
  const grid = page.getByRole('grid');
  assert.ok(Number(await grid.getAttribute('aria-rowcount')) > 1000);
  assert.ok(await page.locator('tr[data-row]').count() < 100);
  await grid.focus();
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.querySelector('tr[aria-selected=true]'));
  const last = Number(await grid.getAttribute('aria-rowcount')) - 2;
  assert.equal(await page.locator('tr[aria-selected=true]').getAttribute('data-row'), String(last));
});

scene('By label, stacks stand below their route, and one route can be left alone', 'requests', async page => {
  await page.getByRole('button', { name: 'By label' }).click();
  await page.getByRole('treeitem').filter({ hasText: '/slow/{id}' }).first().waitFor();
  await picture(page, 'by-label');
  await page.getByRole('button', { name: 'Table' }).click();
  await page.locator('tr[data-row]', { hasText: '/slow/{id}' }).first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Only route /slow/{id}' }).click();
  assert.deepEqual([...new Set(await page.locator('tr[data-row] .col-route').allTextContents())], ['/slow/{id}']);
});

scene('The menu opens by mouse and by key, and does what it says', 'many', async page => {
  const frame = page.locator('.card .row.frame').first();
  const name = await frame.locator('.name').textContent();
  await frame.click({ button: 'right' });
  const menu = page.getByRole('menu');
  await menu.waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await picture(page, 'menu');
  await page.keyboard.press('Escape');
  assert.equal(await menu.count(), 0);
  await page.getByRole('tree').focus();
  await page.keyboard.press('Shift+F10');
  await menu.getByRole('menuitem', { name: /^Callers and callees of/ }).click();
  await page.getByRole('treeitem').filter({ hasText: /^.*Callers of/ }).first().waitFor();
  await picture(page, 'around');
  await page.getByRole('button', { name: 'By caller' }).click();
  const before = await page.locator('.card .row.frame .name', { hasText: name }).count();
  assert.ok(before > 0);
  await page.locator('.card .row.frame').filter({ hasText: name }).first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: /^Hide .*[^*]$/ }).click();
  await drawn(page);
  assert.equal(await page.locator('.card .row.frame .name', { hasText: name }).count(), 0);
  await page.locator('.chip[data-state=names]').click();
  await page.locator('.card .row.frame .name', { hasText: name }).first().waitFor();
});

scene('A stack is pinned with a note, and the picture and the table show it', 'hot', async page => {
  await page.locator('.card .head').first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: /Pin with a note/ }).click();
  await page.getByRole('textbox', { name: 'Note' }).fill('look here <b>');
  await page.keyboard.press('Enter');
  await page.locator('.card.pinned', { hasText: 'look here <b>' }).waitFor();
  await picture(page, 'pinned');
  await page.keyboard.press('t');
  await page.locator('td .pin', { hasText: 'look here <b>' }).waitFor();
});

scene('The picture is written as SVG and as PNG', 'hot', async page => {
  for (const [format, button] of [['svg', /Picture as SVG/], ['png', 'PNG']]) {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button, exact: format === 'png' }).click()]);
    const bytes = readFileSync(await file.path());
    if (format === 'svg') assert.match(bytes.toString(), /^<svg[\s\S]*Hot\.PayAsync[\s\S]*<\/svg>\n$/);
    else assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
  }
});

scene('The address leads to the stack and the view; another page opens there', 'hot', async page => {
  await page.getByRole('treeitem').filter({ hasText: 'ChargeAsync' }).locator('.head').first().click();
  await page.keyboard.press('t');
  await page.waitForFunction(() => /stack=.*view=table/.test(location.hash));
  const { page: other } = await open('hot', { fragment: await page.evaluate(() => location.hash) });
  await other.locator('tr[aria-selected=true]', { hasText: 'ChargeAsync' }).waitFor();
  await other.close();
});

scene('Zooming by key keeps the selected box in view', 'many', async page => {
  await page.getByRole('button', { name: 'Unfold all' }).click();
  await page.getByRole('tree').focus();
  await page.keyboard.press('End');
  for (const key of ['+', '+', '+', '-', '+', '+']) {
    await page.keyboard.press(key);
    await drawn(page);
    const [card, stage] = await Promise.all([page.locator('.card.selected').boundingBox(), page.locator('.stage').boundingBox()]);
    assert.ok(card.x >= stage.x - 1 && card.y >= stage.y - 1 && card.x < stage.x + stage.width && card.y < stage.y + stage.height, `${key}: ${JSON.stringify({ card, stage })}`);
  }
});

scene('Fit shows everything: as bars when boxes would be dust, and a click on one opens it', 'many', async page => {
  await page.getByRole('button', { name: 'Unfold all' }).click();
  await page.getByRole('button', { name: 'Fit (0)' }).click();
  await page.locator('.stage.icicle').waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await picture(page, 'bars');
  const stage = await page.locator('.stage').boundingBox();
  await page.mouse.click(stage.x + 20, stage.y + stage.height / 2);
  await page.locator('.stage:not(.icicle) .card.selected').waitFor();
});

scene('The map of the whole lies beside the drawing, and is gone where all is in view', 'many', async page => {
  const [map, stage] = await Promise.all([page.locator('.minimap').boundingBox(), page.locator('.stage').boundingBox()]);
  assert.ok(map.x >= stage.x + stage.width - 1, 'the map covers the drawing');
  const { page: other } = await open('hot');
  assert.equal(await other.locator('.minimap:visible').count(), 0);
  await other.close();
});

scene('Where and when it was read stands on the page', 'hot', async page => {
  assert.match(await page.locator('.capture').textContent(), /read \d{4}-\d\d-\d\d \d\d:\d\d:\d\d on .+ hotTill/);
});

scene('On paper there are findings and stacks as text, and no controls', 'hot', async page => {
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  assert.equal(await page.locator('.toolbar:visible, .main:visible').count(), 0);
  assert.match(await page.locator('.paper:visible').textContent(), /hot-resource[\s\S]*s1 x40 awaiting[\s\S]*Hot\.PayAsync/);
});

test('Without scripts the answer stands there as text', async () => {
  const page = await (await browser.browser()?.newContext({ javaScriptEnabled: false }) ?? browser).newPage();
  await page.goto(`file://${join(folder, 'hot.html')}`);
  const text = readFileSync(join(folder, 'hot.html'), 'utf8').split('<noscript>')[1].split('</noscript>')[0];
  assert.match(text, /hot-resource[\s\S]*Hot\.PayAsync\(\)[\s\S]*scripts are switched off/);
  await page.close();
});

for (const [name, options] of Object.entries({
  'On a telephone': { width: 375, height: 700 },
  'At 200 %': { width: 640, height: 400 },
  'With reduced motion and more contrast': { reducedMotion: 'reduce', contrast: 'more', colorScheme: 'dark' },
  'In forced colours': { forcedColors: 'active' },
})) {
  scene(`${name} nothing is cut off, and axe finds nothing`, 'hot', async page => {
    for (const view of ['picture', 'table']) {
      if (view === 'table') await page.getByRole('button', { name: 'Table' }).click();
      await drawn(page);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${view}: the page is wider than its window`);
      const { height } = await page.locator('.main').boundingBox();
      assert.ok(height > 120, `${view}: ${height} pixels are left for it`);
      assert.deepEqual(await axeFindings(page), []);
      await picture(page, `${name.toLowerCase().replace(/\W+/g, '-')}-${view}`);
    }
  }, options);
}
