// The adapter in Neovim, headless, over its own pipes and its own JSON: what a client such as nvim-dap does (docs/dap.md).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { here } from '../setup.mjs';
import { collectDump, lineWith, startSituation } from '../support/scenarios.mjs';
import { tool } from '../support/tools.mjs';

test('Neovim opens a dump, stops at what is wrong, and shows frames and variables', async context => {
  if (spawnSync('nvim', ['--version']).error) return context.skip('nvim is missing: sudo apt-get install neovim');
  const folder = mkdtempSync(join(tmpdir(), 'async2-neovim-'));
  try {
    const program = await startSituation('monitorAndSemaphore');
    const dump = collectDump(program.pid, join(folder, 'stuck.dmp'));
    await program.stop();
    const file = join(folder, 'answer.json');
    const run = spawnSync('nvim', ['--headless', '--clean', '-c', `luafile ${join(here, 'adapter/neovim.lua')}`], {
      encoding: 'utf8', timeout: 120_000, env: { ...process.env, ASYNC2_TOOL: tool, ASYNC2_DUMP: dump, ASYNC2_ANSWER: file, HOME: folder },
    });
    assert.equal(run.status, 0, run.stderr);
    const answer = JSON.parse(readFileSync(file, 'utf8'));
    assert.equal(answer.failed, undefined);
    assert.deepEqual([answer.stopped.reason, answer.stopped.description], ['pause', 'deadlock']);
    const line = lineWith('Situations/AsyncLocks.cs', 'await Desk.WaitAsync();');
    assert.ok(answer.stopped.text.includes(`AsyncLocks.DeskAsync (AsyncLocks.cs:${line}) waits for`), answer.stopped.text);
    assert.ok(answer.capabilities.completionTriggerCharacters.includes(':'));
    assert.equal(answer.threads.length, 2);
    assert.ok(answer.frames.some(frame => frame.name.includes('AsyncLocks.') && frame.source?.path?.endsWith('AsyncLocks.cs') && frame.line > 0), JSON.stringify(answer.frames));
    assert.ok(answer.facts.state === 'blocked' && answer.facts['waiting for'].length > 0, JSON.stringify(answer.facts));
    assert.match(answer.query, /^1 of 2 stacks/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
