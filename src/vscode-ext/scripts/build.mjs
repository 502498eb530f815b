// Bundles the extension to dist/, and puts the viewer's bundle beside it, as the library has it committed.
import { copyFile, mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const viewer = fileURLToPath(new URL('../../Async2.Analysis/Rendering/Html/', import.meta.url));

await mkdir(`${root}dist`, { recursive: true });
await build({
  absWorkingDir: root,
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
  charset: 'ascii',
  legalComments: 'none',
  logLevel: 'warning',
});
for (const name of ['viewer.js', 'viewer.css']) await copyFile(viewer + name, `${root}dist/${name}`);
