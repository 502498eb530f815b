// Runs the end-to-end tests, one file after the other, and writes artifacts/results.json: { passed, failed, skipped }, each a
// list of { name, reason }. Words of the command line are parts of file names to run; without any, all are run.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bring, here, lacks } from './setup.mjs';

const words = process.argv.slice(2);
const reasons = lacks();
if (reasons.length === 0) {
  process.exitCode = await run();
} else {
  for (const reason of reasons) console.log(`skipped: end-to-end tests: ${reason}`);
  console.log(`# pass 0\n# fail 0\n# skipped ${reasons.length}`);
}

async function run() {
  bring();
  const artifacts = join(here, 'artifacts');
  if (words.length === 0) rmSync(artifacts, { recursive: true, force: true });
  mkdirSync(artifacts, { recursive: true });
  const files = ['adapter', 'tests'].flatMap(folder => readdirSync(join(here, folder)).filter(name => name.endsWith('.test.mjs')).map(name => join(folder, name)));
  const wanted = files.filter(file => words.length === 0 || words.some(word => file.includes(word))).sort();
  const args = ['--test', '--test-concurrency=1', '--test-timeout=300000',
    '--test-reporter=spec', '--test-reporter-destination=stdout',
    '--test-reporter=./support/reporter.mjs', `--test-reporter-destination=${join(artifacts, 'results.json')}`, ...wanted];
  const code = await new Promise(resolve => spawn(process.execPath, args, { cwd: here, stdio: 'inherit' }).once('close', end => resolve(end ?? 1)));
  for (const { name, reason } of JSON.parse(readFileSync(join(artifacts, 'results.json'), 'utf8')).skipped) console.log(`skipped: ${name}: ${reason}`);
  return code;
}
