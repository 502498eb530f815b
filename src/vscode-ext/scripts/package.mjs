// Makes the .vsix: builds, packs, and checks that it contains exactly the expected files and is small.
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { listFiles } from '@vscode/vsce';

const root = fileURLToPath(new URL('..', import.meta.url));
const largest = 200 * 1024;
const wanted = ['dist/extension.js', 'dist/viewer.js', 'dist/viewer.css', 'media/icon.png', 'package.nls.json', 'LICENSE.txt'];

await import('./build.mjs');
const { name, version } = JSON.parse(await readFile(`${root}package.json`, 'utf8'));
const file = `${root}out/${name}-${version}.vsix`;
await mkdir(`${root}out`, { recursive: true });
await rm(file, { force: true });
await copyFile(`${root}../../LICENSE`, `${root}LICENSE.txt`);

const files = await listFiles({ cwd: root, dependencies: false });
const missing = wanted.filter((path) => !files.includes(path));
const strange = files.filter((path) => /\.(ts|map|mjs|vsix)$|node_modules|package-lock|tsconfig/.test(path));
if (missing.length + strange.length > 0)
  fail(`missing: ${missing.join(', ') || 'nothing'}; too much: ${strange.join(', ') || 'nothing'}`);

const vsce = fileURLToPath(new URL('../node_modules/@vscode/vsce/vsce', import.meta.url));
const run = spawnSync(process.execPath, [vsce, 'package', '--no-dependencies', '--allow-missing-repository', '--out', file], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
  encoding: 'utf8',
});
if (run.status !== 0) fail(run.stdout);
const { size } = await stat(file);
if (size > largest) fail(`${file} has ${size} bytes; at most ${largest} are allowed`);
console.log(`${name}-${version}.vsix: ${files.length} files, ${size.toLocaleString('en')} bytes`);

function fail(why) {
  console.error(why);
  process.exit(1);
}
