// npm run bench: builds the tool, the workloads and the benchmarks, then measures. See docs/performance.md.
//   npm run bench -- --rounds N --only NAME,... --quick --tool PATH --write
import { spawn } from 'node:child_process';
import { missingSdk } from './machine.mjs';
import { lacksForNative, nativeFramework, publishNative } from './native.mjs';
import { root, step } from './steps.mjs';

const project = 'tests/Async2.Benchmarks';
process.exitCode = await bench(process.argv.slice(2));

async function bench(args) {
  if (process.platform !== 'linux') {
    console.error('the benchmarks run on Linux only: they read /proc and make core dumps');
    return 1;
  }
  const missing = await missingSdk();
  if (missing) {
    console.error(missing);
    return 1;
  }
  const built = await step('build', 'dotnet', ['build', project, '-c', 'Release', '-v', 'quiet', '-nodeReuse:false']);
  if (!built.ok)
    return 1;
  // Measured beside the other one, where it can be made.
  const lack = await lacksForNative(), framework = lack ? null : await nativeFramework();
  if (!framework)
    console.error(`without the native build: ${lack ?? 'its compiler cannot be restored'}`);
  else if (!await publishNative(framework))
    return 1;
  return measure(args);
}

function measure(args) {
  return new Promise(resolve => {
    const child = spawn('dotnet', [`${project}/bin/Release/net10.0/Async2.Benchmarks.dll`, ...args], { cwd: root, stdio: 'inherit' });
    // Ctrl-C reaches the child, too: it cleans up, and its end is ours.
    process.on('SIGINT', () => {});
    child.on('error', error => {
      console.error(`dotnet: ${error.message}`);
      resolve(127);
    });
    child.on('close', code => resolve(code ?? 130));
  });
}
