// A VS Code of its own for a test file: a code-server with a fresh profile, and a browser that shows it.
import { spawn, spawnSync } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { chromium as browserPath, codeServer, here, node24 } from '../setup.mjs';
import { themes } from './themes.mjs';
import { Workbench } from './workbench.mjs';

export const artifacts = join(here, 'artifacts');
const vsixFolder = join(here, '../../src/vscode-ext/out');
const entry = join(codeServer, 'out/node/entry.js');

/** Quiet: nothing asks the network, nothing covers what is looked at. */
const settings = {
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'json.schemaDownload.enable': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'git.enabled': false,
  'files.simpleDialog.enable': true,
  'security.workspace.trust.enabled': false,
  'debug.onTaskErrors': 'debugAnyway',
};

/**
 * @param name of the test file, for logs and screenshots
 * @param options.settings besides those that keep VS Code quiet
 * @param options.files of the workspace: name to text
 * @param options.trust folders are not trusted until somebody says so
 */
export async function openEditor(name, options = {}) {
  const home = mkdtempSync(join(tmpdir(), 'async2-e2e-'));
  const folders = { user: join(home, 'user'), extensions: join(home, 'extensions'), workspace: join(home, 'workspace') };
  mkdirSync(folders.workspace);
  mkdirSync(artifacts, { recursive: true });
  const trust = { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never', 'security.workspace.trust.banner': 'never' };
  const own = { ...(options.trust ? trust : {}), ...options.settings };
  writeSettings(folders.user, own);
  for (const [file, text] of Object.entries(options.files ?? {})) {
    mkdirSync(join(folders.workspace, file, '..'), { recursive: true });
    writeFileSync(join(folders.workspace, file), text);
  }
  install(home, folders, name);
  const server = await startServer(home, folders, name, options);
  const browser = await startBrowser(server.port, home, options);
  const page = await browser.newPage();
  const scripts = watchScripts(page);
  await page.goto(`http://127.0.0.1:${server.port}/?folder=${encodeURIComponent(folders.workspace)}`);
  const workbench = new Workbench(page, name);
  await workbench.waitUntilReady();
  const close = async () => {
    await browser.close();
    server.process.kill();
    await server.ended;
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  let current = own;
  /** As if the user had changed settings; VS Code reads the file again by itself. */
  const useSettings = async more => {
    current = { ...current, ...more };
    writeSettings(folders.user, current);
    await page.waitForTimeout(2500);
  };
  // To be looked at by a person: each picture of the tests in all themes.
  if (process.env.ASYNC2_THEMES)
    workbench.inEachTheme = async take => {
      for (const [name, { id, window }] of Object.entries(themes)) {
        await useSettings({ 'workbench.colorTheme': id });
        await page.locator(`.monaco-workbench.${window}`).waitFor();
        await take(name);
      }
      await useSettings({ 'workbench.colorTheme': themes.light.id });
    };
  const useTool = path => useSettings({ 'async2.toolPath': path });
  return { useTool, useSettings, workbench, page, browser, scripts, home, workspace: folders.workspace, close };
}

// What depends on the machine, as the path of the tool does, is only read from the machine's settings.
function writeSettings(user, more) {
  for (const scope of ['User', 'Machine']) {
    mkdirSync(join(user, scope), { recursive: true });
    writeFileSync(join(user, scope, 'settings.json'), JSON.stringify({ ...settings, ...more }));
  }
}

/** Everything by which a script of a hostile name would show: dialogs, and a flag that it sets. */
function watchScripts(page) {
  const seen = { dialogs: [], async flags() {
    return Promise.all(page.frames().map(frame => frame.evaluate(() => window.__async2_hostile === true).catch(() => false)));
  } };
  page.on('dialog', dialog => {
    // "Leave the page?" is VS Code's own.
    if (dialog.type() !== 'beforeunload') seen.dialogs.push(dialog.message());
    void dialog.accept();
  });
  return seen;
}

function install(home, folders, name) {
  const vsix = readdirSync(vsixFolder).find(file => file.endsWith('.vsix'));
  if (!vsix) throw new Error('there is no .vsix: npm run package in src/vscode-ext makes it');
  const run = spawnSync(node24, [entry, ...options(home, folders), '--install-extension', join(vsixFolder, vsix)], { encoding: 'utf8', env: environment() });
  if (run.status !== 0) throw new Error(`${name}: the .vsix could not be installed:\n${run.stdout}${run.stderr}`);
}

async function startServer(home, folders, name, { environment: more = {}, trust = false }) {
  const port = await freePort();
  const log = createWriteStream(join(artifacts, `${name}.server.log`));
  const child = spawn(node24, [entry, ...options(home, folders, trust), '--bind-addr', `127.0.0.1:${port}`, '--auth', 'none'], {
    env: environment(more), stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.pipe(log);
  child.stderr.pipe(log, { end: false });
  const ended = new Promise(resolve => child.once('close', resolve));
  for (let tries = 0; tries < 300; tries++) {
    const up = await fetch(`http://127.0.0.1:${port}/healthz`).then(answer => answer.ok, () => false);
    if (up) return { process: child, port, ended };
    if (child.exitCode !== null) break;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  child.kill();
  throw new Error(`VS Code's server did not start: see artifacts/${name}.server.log`);
}

function options(home, { user, extensions }, trust = false) {
  // Without --config it writes into the user's own home.
  return ['--user-data-dir', user, '--extensions-dir', extensions, '--config', join(home, 'config.yaml'),
    '--disable-telemetry', '--disable-update-check', ...(trust ? [] : ['--disable-workspace-trust'])];
}

function environment(more = {}) {
  return { ...process.env, EXTENSIONS_GALLERY: '{}', DOTNET_CLI_TELEMETRY_OPTOUT: '1', ...more };
}

export function startBrowser(port, home, options = {}) {
  const only = port ? [`--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`] : ['--host-resolver-rules=MAP * ~NOTFOUND'];
  return chromium.launchPersistentContext(join(home, 'browser'), {
    executablePath: browserPath(),
    headless: true,
    viewport: options.viewport ?? { width: 1500, height: 950 },
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', ...only],
  });
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
