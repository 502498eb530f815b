// The VS Code extension and its viewer: packages, checks, unit tests, the .vsix; then the real VS Code in a real browser.
import { statSync } from 'node:fs';
import { countsIn } from './node-tests.mjs';
import { root, step } from './steps.mjs';

const extension = 'src/vscode-ext';
const endToEnd = 'tests/e2e';

/** Checks and unit tests of the extension; counts of tests, and of steps that failed. */
export async function testExtension() {
  const results = { passed: 0, failed: 0, skipped: [], failedSteps: 0 };
  if (!await packages(results, 'extension: packages', extension))
    return results;
  await ran(results, step('extension: types and style', 'npm', ['run', '--silent', 'check'], { folder: extension }));
  await tests(results, 'extension: unit tests', { folder: extension });
  await ran(results, step('extension: package', 'npm', ['run', '--silent', 'package'], { folder: extension }));
  return results;
}

/** The extension in VS Code, with real dumps and processes. Needs the tool and the scenarios built, and the .vsix. */
export async function testEndToEnd() {
  const results = { passed: 0, failed: 0, skipped: [], failedSteps: 0 };
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    results.skipped.push({ name: 'end-to-end tests', reason: 'they run on Linux x64 only: code-server and a browser' });
    return results;
  }
  if (await packages(results, 'end to end: packages', endToEnd))
    await tests(results, 'end to end: VS Code', { folder: endToEnd, minutes: 30 });
  return results;
}

// npm writes the inner file when it is done, so a newer lock file means that something else is wanted.
async function packages(results, name, folder) {
  const isThere = changed(`${folder}/node_modules/.package-lock.json`) > changed(`${folder}/package-lock.json`);
  // Not "npm ci": that one wants the packages of all systems in the lock file, also where a registry has only some of them.
  return isThere || ran(results, step(name, 'npm', ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'], { folder }));
}

function changed(file) {
  return statSync(new URL(file, root), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

async function ran(results, running) {
  const { ok } = await running;
  results.failedSteps += ok ? 0 : 1;
  return ok;
}

async function tests(results, name, options) {
  const { ok, output } = await step(name, 'npm', ['--silent', 'test'], { ...options, variables: { FORCE_COLOR: '0', NO_COLOR: '1' } });
  const counts = countsIn(output);
  results.passed += counts?.passed ?? 0;
  results.failed += counts?.failed ?? 0;
  for (const [, test, reason] of output.matchAll(/^skipped: (.*?): (.*)$/gm))
    results.skipped.push({ name: test, reason });
  // A crash leaves no failed test behind, and a run of no tests is none.
  if ((!ok && !counts?.failed) || (ok && !counts))
    results.failedSteps++;
}
