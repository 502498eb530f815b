// Runs commands as steps: one line each with its time, and the whole output only of a step that failed.
import { spawn } from 'node:child_process';

export const root = new URL('..', import.meta.url);

// Nothing that a build starts may outlive it: no reused build nodes, no compiler server that nobody ends (compiler.mjs has one that is).
const environment = {
  ...process.env,
  DOTNET_CLI_TELEMETRY_OPTOUT: '1',
  DOTNET_NOLOGO: '1',
  DOTNET_CLI_UI_LANGUAGE: 'en',
  DOTNET_CLI_USE_MSBUILD_SERVER: '0',
  MSBUILDDISABLENODEREUSE: '1',
  MSBUILDTERMINALLOGGER: 'off',
  UseSharedCompilation: 'false',
};

/** Runs a command to its end; never throws. */
export function run(command, args, { folder = '.', variables = {}, minutes = 30 } = {}) {
  return new Promise(resolve => {
    const child = spawn(command, args, {
      cwd: new URL(folder + '/', root), env: { ...environment, ...variables }, stdio: ['ignore', 'pipe', 'pipe'],
      // npm is a script there.
      shell: process.platform === 'win32' && command === 'npm',
    });
    let isTooLong = false;
    const limit = setTimeout(() => {
      isTooLong = true;
      child.kill();
    }, minutes * 60_000);
    const end = result => {
      clearTimeout(limit);
      resolve(result);
    };
    let output = '';
    child.stdout.on('data', chunk => output += chunk);
    child.stderr.on('data', chunk => output += chunk);
    child.on('error', error => end({ code: 127, output: `${command}: ${error.message}\n` }));
    // What it started may live on, with its output in hand.
    child.on('exit', () => setTimeout(() => [child.stdout, child.stderr].forEach(stream => stream.destroy()), 10_000).unref());
    child.on('close', (code, signal) => {
      if (signal || isTooLong)
        output += `\n${command} ${args[0]} was ended by ${signal ?? 'SIGTERM'} (its limit is ${minutes} minutes)\n`;
      // "dotnet test" ends in good order then, with 0 if no test had failed by that time.
      end({ code: isTooLong ? code || 1 : code ?? 1, isTooLong, output });
    });
  });
}

/** Runs a command as a step of its own and says how it went; true when it went well. */
export async function step(name, command, args, options) {
  process.stdout.write(named(name));
  const start = performance.now();
  const result = await run(command, args, options);
  console.log(outcome(result.code === 0, start));
  if (result.code !== 0 && options?.outputIfFailed !== false)
    console.log(`\n$ ${command} ${args.join(' ')}\n${result.output.trimEnd()}\n`);
  return { ok: result.code === 0, isTooLong: result.isTooLong, output: result.output };
}

/** Says how a step of several commands went. */
export function said(name, ok, start) {
  console.log(named(name) + outcome(ok, start));
}

function named(name) {
  return `${name.padEnd(36)} `;
}

function outcome(ok, start) {
  return `${ok ? 'ok    ' : 'FAILED'} ${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s`;
}
