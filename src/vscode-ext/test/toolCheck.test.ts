import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runTool } from '../src/tool/runTool';
import { judge } from '../src/tool/toolCheck';
import { commandOf } from '../src/tool/toolCommand';
import { isAtLeast, oldestVersion, parseVersion, type Version } from '../src/tool/version';

function version(text: string): Version {
  const parsed = parseVersion(text);
  assert.ok(parsed, text);
  return parsed;
}

test('A version has three numbers and may include a commit', () => {
  assert.deepEqual(version('0.1.0+12a8b8cff7f6'), { numbers: [0, 1, 0], preview: false });
  assert.deepEqual(version('v1.20.3-beta.2'), { numbers: [1, 20, 3], preview: true });
  for (const text of ['', 'usage: tool', '1.2', '1.2.3.4', '1.2.3 and more', `1.${'9'.repeat(40)}.0`])
    assert.equal(parseVersion(text), undefined, text);
});

test('Versions are compared as numbers, and a preview comes before its version', () => {
  assert.ok(isAtLeast(version('0.10.0'), version('0.9.9')));
  assert.ok(!isAtLeast(version('0.9.9'), version('0.10.0')));
  assert.ok(isAtLeast(version('1.0.0'), version('1.0.0-rc.1')));
  assert.ok(!isAtLeast(version('1.0.0-rc.1'), version('1.0.0')));
});

test('A tool is fine, too old, or broken', () => {
  assert.deepEqual(judge(true, `${oldestVersion}+abc\n`, ''), { kind: 'fine', version: `${oldestVersion}+abc` });
  assert.deepEqual(judge(true, '0.0.9\n', ''), { kind: 'too-old', version: '0.0.9' });
  assert.deepEqual(judge(false, '', 'no runtime'), { kind: 'broken', text: 'no runtime' });
  assert.deepEqual(judge(true, '', ''), { kind: 'broken', text: 'it printed nothing' });
});

test('A file that is not a program, or a program that never answers, is reported without an exception', async () => {
  const gone = await runTool(commandOf('/nowhere/at-all', 'setting'), ['--version'], { seconds: 5 });
  assert.equal(gone.ok, false);
  assert.match(gone.error, /ENOENT/);
  const silent = await runTool({ ...commandOf(process.execPath, 'setting'), args: ['-e', 'setInterval(() => {}, 1000)'] }, [], {
    seconds: 0.3,
  });
  assert.equal(silent.ok, false);
  assert.match(silent.error, /no answer within 0.3 s/);
});
