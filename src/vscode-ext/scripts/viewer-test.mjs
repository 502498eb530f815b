// Bundles the viewer's unit tests, so that any Node from 20 on runs them, and runs them.
import { spawnSync } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = `${root}out/viewer-test`;
const names = (await readdir(`${root}viewer/test`)).filter((name) => name.endsWith('.test.ts')).sort();

await rm(out, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: names.map((name) => `viewer/test/${name}`),
  outdir: out,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  logLevel: 'warning',
});

const files = names.map((name) => `${out}/${name.replace(/\.ts$/, '.mjs')}`);
const run = spawnSync(process.execPath, ['--enable-source-maps', '--test', ...process.argv.slice(2), ...files], {
  stdio: 'inherit',
});
process.exitCode = run.status ?? 1;
