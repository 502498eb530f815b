// What check writes as SARIF, read by Microsoft's own validator, which has the official schema of 2.1.0.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { here } from '../setup.mjs';
import { startSituation } from '../support/scenarios.mjs';
import { root, tool } from '../support/tools.mjs';

const multitool = join(here, 'node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool');
const folder = mkdtempSync(join(tmpdir(), 'async2-sarif-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The rules that a file breaks, by the validator; notes and warnings are advice. */
function errorsIn(file) {
  // Installed without its script, which does this.
  chmodSync(multitool, 0o755);
  const run = spawnSync(multitool, ['validate', file], { encoding: 'utf8' });
  const said = run.stdout + run.stderr;
  assert.match(said, /1 files scanned/, said);
  return said.split('\n').filter(line => line.includes(': error '));
}

for (const situation of ['crossed', 'posted', 'named', 'signal']) {
  test(`SARIF of the situation ${situation} is valid`, async () => {
    const program = await startSituation(situation);
    const file = join(folder, `${situation}.sarif`);
    const run = spawnSync(tool, ['check', String(program.pid), '--format', 'sarif', '-o', file, '--source-root', root], { encoding: 'utf8' });
    await program.stop();
    assert.ok([0, 1].includes(run.status), run.stderr);
    assert.deepEqual(errorsIn(file), []);
    const { runs: [{ results }] } = JSON.parse(readFileSync(file, 'utf8'));
    assert.equal(results.length > 0, run.status === 1);
  });
}

test('A file that breaks the schema is found', () => {
  const file = join(folder, 'broken.sarif');
  writeFileSync(file, JSON.stringify({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [{ tool: { driver: {} }, results: [{ message: 7 }] }] }));
  assert.notDeepEqual(errorsIn(file), []);
});
