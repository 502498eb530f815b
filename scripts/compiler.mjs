// The compiler as a server, for several builds in a row: it starts and warms up once instead of for each project. Its pipe has a name of our own, so that it
// is ended when the builds are, and nobody else's is.
import { join } from 'node:path';
import { run } from './steps.mjs';

const pipe = `async2-${process.pid}`;

/** For the environment of builds. */
export const withCompilerServer = { UseSharedCompilation: 'true', SharedCompilationId: pipe };

/** Ends the server, if there is one. */
export async function endCompilerServer() {
  const { output } = await run('dotnet', ['--info']);
  const sdk = /Base Path:\s+(.+)/.exec(output)?.[1].trim();
  if (sdk)
    await run('dotnet', [join(sdk, 'Roslyn', 'bincore', 'VBCSCompiler.dll'), '-shutdown', `-pipename:${pipe}`], { minutes: 1 });
}
