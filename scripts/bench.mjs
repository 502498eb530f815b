// npm run bench: builds the tool, the workloads and the benchmarks, then measures. See docs/performance.md.
//   npm run bench -- --rounds N --only NAME,... --quick --tool PATH --write
import { spawn } from 'node:child_process';
import { missingSdk } from './machine.mjs';
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
  return built.ok ? measure(args) : 1;
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
