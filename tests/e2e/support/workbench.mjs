// What a test does with VS Code, in words. Selectors are VS Code's internals, so its version is pinned; rows are told by what
// a screen reader is told, their aria-label.
import { join } from 'node:path';
import { artifacts } from './editor.mjs';

export class Workbench {
  constructor(page, name) {
    this.page = page;
    this.name = name;
  }

  async waitUntilReady() {
    await this.page.locator('.monaco-workbench').waitFor({ timeout: 60_000 });
    await this.page.locator('.part.statusbar').waitFor();
  }

  /** Runs a command by its exact title. The list of commands comes and goes while VS Code starts, so one try may not do. */
  async command(title) {
    for (let tries = 1; ; tries++) {
      await this.page.keyboard.press('F1');
      const row = this.quickRows().filter({ hasText: title }).first();
      try {
        await this.input().fill(`>${title}`, { timeout: 3000 });
        await row.waitFor({ timeout: 4000 });
        await this.input().press('Enter');
        return;
      } catch (error) {
        if (tries === 5) throw error;
        await this.page.keyboard.press('Escape');
        await this.page.waitForTimeout(500);
      }
    }
  }

  /** Starts a configuration by its name; false when the editor does not know it yet, or nothing has started. F5 starts whichever is chosen at that moment. */
  async startDebugging(name) {
    await this.page.keyboard.press('F1');
    const row = this.quickRows().filter({ hasText: name }).first();
    const known = await this.input().fill(`debug ${name}`, { timeout: 3000 }).then(() => row.waitFor({ timeout: 700 })).then(() => true, () => false);
    await this.page.keyboard.press(known ? 'Enter' : 'Escape');
    const started = known && await this.hasStarted();
    if (known && !started) console.log(`# ${name} did not start:\n${await this.onScreen()}`);
    return started;
  }

  /** Something is asked, or there is a session: now and then the list changes under the key, and nothing is started. */
  hasStarted() {
    return this.page.locator('.monaco-dialog-box:visible, .debug-toolbar:visible, .debug-call-stack .monaco-list-row:visible').first().waitFor({ timeout: 10_000 }).then(() => true, () => false);
  }

  /** What a person would read on the screen when something did not come, for the message of a test that fails where nobody sees a picture. */
  async onScreen() {
    const parts = {
      dialog: '.monaco-dialog-box', input: '.quick-input-widget:visible', notifications: '.notifications-toasts', chosen: '.start-debug-action-item',
      tabs: '.tabs-container', stacks: '.debug-call-stack', status: '.part.statusbar',
    };
    const said = await Promise.all(Object.entries(parts).map(async ([name, selector]) => {
      const texts = await this.page.locator(selector).allInnerTexts().catch(() => []);
      return `${name}: ${texts.join(' | ').replace(/\s+/g, ' ').slice(0, 300)}`;
    }));
    const focus = await this.page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200)).catch(() => '');
    return [...said, `focus: ${focus}`].join('\n');
  }

  /** The quick input that is open. */
  input() {
    return this.page.locator('.quick-input-widget:visible input.input');
  }

  quickRows() {
    return this.page.locator('.quick-input-list .monaco-list-row');
  }

  async type(text) {
    await this.input().fill(text);
  }

  /** Answers a file dialog, which is a quick input here. It writes its own folder into it as late as it likes, even between the path and Enter. */
  async chooseFile(path) {
    await this.page.locator('.quick-input-title:visible').waitFor();
    for (let tries = 1; ; tries++) {
      await this.#enterPath(path);
      if (await this.input().waitFor({ state: 'hidden', timeout: 5000 }).then(() => true, () => false)) return;
      console.log(`# the dialog has not taken ${path}, try ${tries}:\n${await this.onScreen()}`);
      if (tries === 4) throw new Error(`no file dialog took ${path}`);
    }
  }

  async #enterPath(path) {
    const input = this.input();
    for (let steady = 0; steady < 4; ) {
      if (await input.inputValue() !== path) {
        await input.fill(path);
        steady = 0;
      }
      await this.page.waitForTimeout(150);
      steady += await input.inputValue() === path ? 1 : 0;
    }
    await input.press('Enter');
  }

  /** A file of the workspace, in Explorer. */
  fileRow(name) {
    return this.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();
  }

  /**
   * Opens a file of the workspace that has an editor with a picture, by a double click in Explorer. A file that was written while VS Code still began to
   * watch the folder is not listed until somebody refreshes it; and what did not open is clicked again, which is said.
   */
  async openPicture(name) {
    const row = this.fileRow(name);
    for (let tries = 1; ; tries++) {
      await this.command('View: Show Explorer');
      if (!await row.waitFor({ timeout: 10_000 }).then(() => true, () => false)) await this.command('Refresh Explorer');
      await row.dblclick();
      if (await this.page.locator('iframe.webview.ready').last().waitFor({ timeout: 20_000 * tries }).then(() => true, () => false)) return this.graph();
      console.log(`# ${name} did not open, try ${tries}:\n${await this.onScreen()}`);
      if (tries === 3) throw new Error(`${name} does not open`);
      await this.command('View: Close All Editors');
    }
  }

  callStackRows() {
    return this.page.locator('.debug-call-stack .monaco-list-row');
  }

  stackViewRows() {
    return this.page.locator('.pane', { has: this.page.locator('.pane-header[aria-label^="Async Stacks"]') }).locator('.monaco-list-row');
  }

  /** The view lies folded below the others. */
  async openStackView() {
    await this.command('Debug: Focus on Async Stacks View');
    await this.stackViewRows().first().waitFor();
  }

  variableRows() {
    return this.page.locator('.debug-variables .monaco-list-row');
  }

  /** Labels of all rows that the view has drawn. */
  async labels(rows) {
    return rows.evaluateAll(elements => elements.map(element => element.getAttribute('aria-label') ?? element.textContent ?? ''));
  }

  /** Folds views of the side bar away, so that the others have room. */
  async fold(...names) {
    for (const name of names) {
      const header = this.page.locator(`.pane-header[aria-label^="${name}"]`);
      if (await header.getAttribute('aria-expanded') === 'true') await header.click({ position: { x: 40, y: 10 } });
    }
  }

  async unfold(...names) {
    for (const name of names) {
      const header = this.page.locator(`.pane-header[aria-label^="${name}"]`);
      if (await header.getAttribute('aria-expanded') === 'false') await header.click({ position: { x: 40, y: 10 } });
    }
  }

  watchRows() {
    return this.page.locator('.debug-watch .monaco-list-row');
  }

  /** Adds an expression to Watch, which is unfolded. */
  async watch(expression) {
    const header = this.page.locator('.pane-header[aria-label^="Watch"]');
    await header.hover();
    await header.locator('.codicon-watch-expressions-add, .codicon-add').first().click();
    const input = this.page.locator('.debug-watch input.input');
    await input.fill(expression);
    await input.press('Enter');
    await this.watchRows().filter({ hasText: expression }).first().waitFor();
  }

  /** Rests the pointer on a word of the editor, as close to the current line as it can be seen. */
  async hover(word) {
    const found = await this.page.evaluate(wanted => {
      const top = document.querySelector('.editor-instance .current-line, .editor-instance .debug-top-stack-frame-line, .editor-instance .debug-focused-stack-frame-line')?.getBoundingClientRect().top ?? 0;
      const places = [];
      for (const span of document.querySelectorAll('.editor-instance .view-line span span')) {
        const text = document.createTreeWalker(span, NodeFilter.SHOW_TEXT).nextNode();
        const at = text?.data.search(new RegExp(`\\b${wanted}\\b`)) ?? -1;
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + wanted.length);
        const { left, right, top: y, bottom } = range.getBoundingClientRect();
        places.push({ x: (left + right) / 2, y: (y + bottom) / 2, far: Math.abs(y - top) });
      }
      return places.sort((one, other) => one.far - other.far)[0];
    }, word);
    if (!found) throw new Error(`${word} is not to be seen in the editor`);
    await this.page.mouse.move(found.x - 40, found.y + 60);
    await this.page.mouse.move(found.x, found.y, { steps: 5 });
  }

  /** Call Stack as it stands there: threads with their frames, all of them opened. */
  async openCallStack() {
    const rows = this.callStackRows();
    await rows.first().waitFor({ timeout: 30_000 });
    for (let index = 0; index < await rows.count(); index++) {
      if (await rows.nth(index).getAttribute('aria-expanded') !== 'false') continue;
      await this.expand(rows.nth(index));
      await rows.nth(index).and(this.page.locator('[aria-expanded=true]')).waitFor();
      await this.page.waitForTimeout(150);
    }
    const stacks = [];
    for (const label of await this.labels(rows)) {
      const thread = /^Thread (.*)$/.exec(label);
      if (thread) stacks.push({ name: thread[1], frames: [] });
      else stacks.at(-1)?.frames.push(label.replace(/^Stack Frame /, ''));
    }
    return stacks;
  }

  row(rows, text) {
    return rows.filter({ hasText: text }).first();
  }

  /** The row of Call Stack that is the current one. */
  markedRows() {
    return this.callStackRows().and(this.page.locator('.selected, .focused'));
  }

  /**
   * The frame is marked in Call Stack. On a busy machine VS Code may not mark a row that it is still loading, even if it is asked to:
   * then a user opens the frame again, and once more.
   */
  async waitForMarkedFrame(text, openAgain) {
    const row = this.row(this.markedRows(), text);
    for (let tries = 0; tries < 3; tries++) {
      if (await row.waitFor({ timeout: 10_000 }).then(() => true, () => false)) return;
      await openAgain();
    }
    await row.waitFor();
  }

  /** Presses a button of a notification by keys: a notification that slides in is not yet where a pointer finds it. */
  async press(notification, name) {
    const button = notification.getByRole('button', { name });
    await button.waitFor();
    await button.focus();
    await this.page.keyboard.press('Enter');
  }

  /** Opens a row by its twistie: keys go to the editor as soon as VS Code shows the source of what was selected. */
  async expand(row) {
    const opened = row.and(this.page.locator('[aria-expanded=true]'));
    for (let tries = 0; tries < 5 && await row.getAttribute('aria-expanded') === 'false'; tries++) {
      await row.locator('.monaco-tl-twistie').click();
      await opened.waitFor({ timeout: 3000 }).catch(() => {});
    }
  }

  /** The graph of a session that has just begun. VS Code opens the source of the first frame, which must not happen over it. */
  async openGraph() {
    await this.waitForPlace('.cs', 60);
    await this.command('View: Close All Editors');
    await this.command('Async Stacks: Show Parallel Async Stacks');
    return this.graph();
  }

  /** The viewer's document, which lies in two frames. */
  async graph() {
    const outer = this.page.frameLocator('iframe.webview.ready').last();
    const inner = outer.frameLocator('iframe#active-frame');
    await inner.locator('body').waitFor({ timeout: 30_000 });
    return inner;
  }

  /** The same as a frame, for scripts that are run in it. */
  async graphFrame() {
    const graph = await this.graph();
    const handle = await graph.locator('body').elementHandle();
    return handle.ownerFrame();
  }

  notifications() {
    return this.page.locator('.notifications-toasts .notification-list-item');
  }

  dialog() {
    return this.page.locator('.monaco-dialog-box');
  }

  /** File and line that the active editor shows: `Orders.cs:42`. */
  async place() {
    const name = await this.page.locator('.tabs-container .tab.active').first().getAttribute('data-resource-name');
    const status = await this.page.locator('#status\\.editor\\.selection').textContent({ timeout: 2000 }).catch(() => '');
    const line = /Ln (\d+)/.exec(status ?? '')?.[1];
    return `${name}:${line}`;
  }

  async waitForPlace(wanted, seconds = 15) {
    const end = Date.now() + seconds * 1000;
    let seen = '';
    while (Date.now() < end) {
      seen = await this.places();
      if (seen.includes(wanted)) return;
      await this.page.waitForTimeout(100);
    }
    throw new Error(`the editor shows ${seen}, not ${wanted}`);
  }

  /** Of all editor groups: name of the active tab, and the line in the status bar. */
  async places() {
    const status = await this.page.locator('#status\\.editor\\.selection').textContent({ timeout: 1000 }).catch(() => '');
    const line = /Ln (\d+)/.exec(status ?? '')?.[1] ?? '?';
    const names = await this.page.locator('.tab.active').evaluateAll(tabs => tabs.map(tab => tab.getAttribute('data-resource-name')));
    return names.map(name => `${name}:${line}`).join(' ');
  }

  /** Ends the session, if there is one. A busy VS Code now and then does not take the keys: what has not ended is asked again, which is said. */
  async stopDebugging() {
    const session = this.page.locator('.activitybar .badge[aria-label*="active session"]:visible');
    for (let tries = 1; await session.count() > 0; tries++) {
      if (tries > 1) console.log(`# the session did not end, try ${tries}:\n${await this.onScreen()}`);
      if (tries === 4) throw new Error('the session does not end');
      await this.stopOneSession();
      await session.waitFor({ state: 'hidden', timeout: 10_000 }).catch(() => {});
    }
  }

  /** Asks for the end of the session that is looked at. */
  async stopOneSession() {
    await this.page.keyboard.press('Shift+F5');
    await this.page.waitForTimeout(300);
  }

  async screenshot(what) {
    await this.page.screenshot({ path: join(artifacts, `${this.name}-${what}.png`) });
    await this.inEachTheme?.(theme => this.page.screenshot({ path: join(artifacts, `${this.name}-${what}-${theme}.png`) }));
  }
}
