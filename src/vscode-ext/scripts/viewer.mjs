// Bundles the viewer for the webview and for the HTML report. The result is committed, so that a build of the
// library needs no Node; `--check` fails if the committed bundle does not match the sources.
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = fileURLToPath(new URL('../../Async2.Analysis/Rendering/Html/', import.meta.url));
const check = process.argv.includes('--check');

const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: {
    viewer: 'viewer/shell/main.ts',
    'viewer-css': 'viewer/shell/viewer.css',
    diff: 'viewer/diff/main.ts',
    'diff-css': 'viewer/diff/diff.css',
  },
  outdir: 'out',
  bundle: true,
  minify: true,
  write: false,
  format: 'iife',
  target: 'es2022',
  charset: 'ascii',
  legalComments: 'none',
  logLevel: 'warning',
});

let stale = 0;
for (const { path, contents } of outputFiles) {
  const name = basename(path).replace('-css.css', '.css');
  if (check) {
    const committed = await readFile(target + name).catch(() => Buffer.alloc(0));
    if (!committed.equals(contents)) {
      console.error(`${name} is stale: run \`npm run viewer:build\` in src/vscode-ext and commit the result.`);
      stale++;
    }
  } else {
    await writeFile(target + name, contents);
    console.log(`${name}: ${contents.length.toLocaleString('en')} bytes`);
  }
}
process.exitCode = stale > 0 ? 1 : 0;
