// Bundles the unit tests of the given folders, so that Node 20 and later runs them, and runs them.
import { spawnSync } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = `${root}out/unit-tests`;
const folders = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const options = process.argv.slice(2).filter((word) => word.startsWith('--'));
const tests = [];
for (const folder of folders) {
  const names = (await readdir(root + folder)).filter((name) => name.endsWith('.test.ts')).sort();
  tests.push(...names.map((name) => `${folder}/${name}`));
}

await rm(out, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: tests,
  outdir: out,
  outbase: '.',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  logLevel: 'warning',
});

const files = tests.map((name) => `${out}/${name.replace(/\.ts$/, '.mjs')}`);
const run = spawnSync(process.execPath, ['--enable-source-maps', '--test', ...options, ...files], { stdio: 'inherit' });
process.exitCode = run.status ?? 1;
