// The tool under test, and programs that pass for it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
export const tool = join(root, 'src/Async2.Dump/bin/Release/net10.0/dotnet-async2');

/** A program named dotnet-async2 in a folder of its own, that answers as the options say (toy/tool.mjs). */
export function toyTool(folder, options) {
  mkdirSync(folder, { recursive: true });
  const settings = join(folder, 'options.json');
  writeFileSync(settings, JSON.stringify(options));
  const program = join(folder, 'dotnet-async2');
  const toy = join(root, 'tests/e2e/toy/tool.mjs');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${toy}' '${settings}' "$@"\n`, { mode: 0o755 });
  return program;
}
