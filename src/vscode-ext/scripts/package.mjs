// Makes the .vsix: builds, packs, and checks that it contains exactly the expected files and is small.
//   npm run package                                              for all platforms, without the tool
//   npm run package -- --native artifacts/native/dotnet-async2   for the platform of this tool, which it brings along
import { spawnSync } from 'node:child_process';
import { chmod, copyFile, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listFiles } from '@vscode/vsce';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = process.argv.indexOf('--native');
/** The native build of the tool; undefined without one. */
const native = at < 0 ? undefined : resolve(`${root}../..`, process.argv[at + 1] ?? '');
/** The target of the .vsix: the platform that the tool runs on, which is this one. */
const platform = `${process.platform}-${process.arch}`;
const largest = (native === undefined ? 200 : 30_000) * 1024;
const wanted = ['dist/extension.js', 'dist/viewer.js', 'dist/viewer.css', 'media/icon.png', 'package.nls.json', 'LICENSE.txt'];

await import('./build.mjs');
const { name, version } = JSON.parse(await readFile(`${root}package.json`, 'utf8'));
const file =
  native === undefined ? `${root}out/${name}-${version}.vsix` : `${root}out/${platform}/${name}-${platform}-${version}.vsix`;
await mkdir(resolve(file, '..'), { recursive: true });
await rm(`${root}tool`, { recursive: true, force: true });
if (native !== undefined) {
  const { size } = (await stat(native).catch(() => undefined)) ?? fail(`there is no ${native}: npm run native makes it`);
  if (size < 1_000_000) fail(`${native} is not the native build: it has ${size} bytes`);
  await mkdir(`${root}tool`);
  await copyFile(native, `${root}tool/${basename(native)}`);
  await chmod(`${root}tool/${basename(native)}`, 0o755);
  wanted.push(`tool/${basename(native)}`);
}
await rm(file, { force: true });
await copyFile(`${root}../../LICENSE`, `${root}LICENSE.txt`);

const files = await listFiles({ cwd: root, dependencies: false });
const missing = wanted.filter((path) => !files.includes(path));
const strange = files.filter((path) => /\.(ts|map|mjs|vsix)$|node_modules|package-lock|tsconfig/.test(path));
if (missing.length + strange.length > 0)
  fail(`missing: ${missing.join(', ') || 'nothing'}; too much: ${strange.join(', ') || 'nothing'}`);

const vsce = fileURLToPath(new URL('../node_modules/@vscode/vsce/vsce', import.meta.url));
const run = spawnSync(
  process.execPath,
  [
    vsce,
    'package',
    '--no-dependencies',
    '--allow-missing-repository',
    ...(native === undefined ? [] : ['--target', platform]),
    '--out',
    file,
  ],
  {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  },
);
await rm(`${root}tool`, { recursive: true, force: true });
if (run.status !== 0) fail(run.stdout);
const { size } = await stat(file);
if (size > largest) fail(`${file} has ${size} bytes; at most ${largest} are allowed`);
console.log(`${basename(file)}: ${files.length} files, ${size.toLocaleString('en')} bytes`);

function fail(why) {
  console.error(why);
  process.exit(1);
}
