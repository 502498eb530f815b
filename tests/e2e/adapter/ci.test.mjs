// Recipes for CI: valid by schema where there is one, and the action's own script run as a runner does.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { validateAction, validateWorkflow } from '@action-validator/core';
import { parse } from 'yaml';
import { startSituation } from '../support/scenarios.mjs';
import { root, tool } from '../support/tools.mjs';

const folder = mkdtempSync(join(tmpdir(), 'async2-ci-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const action = readFileSync(join(root, 'action.yml'), 'utf8');
const recipes = [...readFileSync(join(root, 'docs/ci.md'), 'utf8').matchAll(/^## (.+)\n[\s\S]*?```yaml\n([\s\S]*?)```/gm)].map(([, name, text]) => ({ name, text }));

test('The action and the workflow are valid by schema', () => {
  assert.deepEqual(validateAction(action).errors, []);
  assert.notDeepEqual(validateAction(action.replace('composite', 'composed')).errors, []);
  const { text } = recipes.find(({ name }) => name === 'GitHub Actions');
  assert.deepEqual(validateWorkflow(text).errors, []);
  assert.notDeepEqual(validateWorkflow(text.replace('runs-on', 'runs-of')).errors, []);
});

test('Options of the recipes are options of the tool, and inputs are inputs of the action', () => {
  assert.deepEqual(recipes.map(({ name }) => name), ['GitHub Actions', 'Azure Pipelines', 'GitLab']);
  const { inputs } = parse(action);
  const help = ['check', 'snapshot'].map(command => spawnSync(tool, [command, '--help'], { encoding: 'utf8' }).stdout).join();
  for (const { text } of recipes) {
    parse(text);
    for (const [, line] of text.matchAll(/dotnet-async2 (?:check|snapshot)(.*)/g))
      for (const [option] of line.matchAll(/ (--?[a-z-]+)/g)) assert.ok(help.includes(option.trim()), option);
  }
  const step = parse(recipes[0].text).jobs.test.steps.find(({ uses }) => uses?.includes('async2diag'));
  assert.deepEqual(Object.keys(step.with).filter(name => !(name in inputs)), []);
});

/** Runs the action's check as a runner does; outputs and the exit code. */
function runCheck(target, options, name) {
  const step = parse(action).runs.steps.find(({ id }) => id === 'check');
  const output = join(folder, `${name}.output`), summary = join(folder, `${name}.md`);
  const env = {
    ...process.env, HOME: process.env.HOME ?? folder, PATH: `${dirname(tool)}:${process.env.PATH}`, GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary, GITHUB_WORKSPACE: root,
    TARGET: target, OPTIONS: options, FOLDER: join(folder, name),
  };
  const { status, stdout } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], { env, encoding: 'utf8' });
  return { status, stdout, output: readFileSync(output, 'utf8'), summary: readFileSync(summary, 'utf8') };
}

test('The action finds a deadlock, keeps it, and leaves a healthy program alone', async () => {
  const sick = await startSituation('cycle'), well = await startSituation('healthy');
  try {
    const found = runCheck(String(sick.pid), '--fail-on deadlock:certain', 'sick');
    assert.equal(found.status, 1);
    assert.match(found.output, /^result=found$/m);
    assert.match(found.summary, /deadlock/);
    for (const file of ['async2.txt', 'async2.html', 'async2.sarif', 'async2.async2snap']) assert.ok(existsSync(join(folder, 'sick', file)), file);
    const fine = runCheck(String(well.pid), '', 'well');
    assert.deepEqual([fine.status, /^result=(.*)$/m.exec(fine.output)[1]], [0, 'fine'], fine.stdout);
    const gone = runCheck('no-such-process', '', 'gone');
    assert.deepEqual([gone.status, /^result=(.*)$/m.exec(gone.output)[1]], [3, 'unreadable']);
  } finally {
    await sick.stop();
    await well.stop();
  }
});
