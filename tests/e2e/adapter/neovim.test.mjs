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
    const program = await startSituation('hotTill');
    const dump = collectDump(program.pid, join(folder, 'hot.dmp'));
    await program.stop();
    const file = join(folder, 'answer.json');
    const run = spawnSync('nvim', ['--headless', '--clean', '-c', `luafile ${join(here, 'adapter/neovim.lua')}`], {
      encoding: 'utf8', timeout: 120_000, env: { ...process.env, ASYNC2_TOOL: tool, ASYNC2_DUMP: dump, ASYNC2_ANSWER: file, HOME: folder },
    });
    assert.equal(run.status, 0, run.stderr);
    const answer = JSON.parse(readFileSync(file, 'utf8'));
    assert.equal(answer.failed, undefined);
    assert.deepEqual([answer.stopped.reason, answer.stopped.description], ['pause', 'hot-resource']);
    assert.match(answer.stopped.text, /wait for `Hot\.Till`; held by Hot\.ChargeAsync/);
    assert.ok(answer.capabilities.completionTriggerCharacters.includes(':'));
    const line = lineWith('Situations/Hot.cs', 'await Till.WaitAsync');
    assert.ok(answer.frames.some(frame => frame.name.includes('Hot.') && frame.source?.path?.endsWith('Hot.cs')), JSON.stringify(answer.frames));
    assert.ok(line > 0);
    assert.match(answer.query, /40 of 41 stacks/);
    assert.ok(answer.threads.some(({ name }) => name.startsWith('x40 Hot.PayAsync')), JSON.stringify(answer.threads));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
