// npm run startup-methods: notes which methods the tool leaves to the JIT, for crossgen2 to compile ahead of time: writes build/startup.mibc.
// Run it when StartupTests counts too many, and build again afterwards. See docs/decisions/0012-ready-to-run.md.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root as rootUrl, step } from './steps.mjs';

const root = fileURLToPath(rootUrl);
const profile = join(root, 'build', 'startup.mibc');
const output = (project, file) => join(root, project, 'bin', 'Release', 'net10.0', file);
const targets = [
  [output('dumps/Workloads', 'Workloads.dll'), 'chains', '10', '10'],
  [output('dumps/Workloads', 'Workloads.dll'), 'mixed', '10', '3'],
  [output('samples/Web', 'Web.dll'), 'default', '3'],
];
// For each of them; PID and DUMP are filled in.
const commands = [
  ['analyze', 'PID'],
  ['PID', '--format', 'json', '--locals'],
  ['PID', '--format', 'html'],
  ['PID', '--deep', '--all', '--limit', '3'],
  ['watch', 'PID', '--interval', '1s', '--count', '3'],
  ['dump', 'collect', 'PID', '-o', 'DUMP'],
  ['DUMP', '--state', 'blocked'],
];

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  for (const project of args.includes('--no-build') ? [] : ['src/Async2.Dump', 'tests/StartupMethods', 'dumps/Workloads', 'samples/Web'])
    if (!(await step(`build ${project}`, 'dotnet', ['build', project, '-c', 'Release', '-v', 'quiet', '-nodeReuse:false'])).ok) return 1;
  const folder = mkdtempSync(join(tmpdir(), 'startup-'));
  try {
    const tool = listeningTool(folder);
    for (const [at, target] of targets.entries())
      if (!(await note(tool, target, join(folder, `${at}.dmp`)))) return 1;
    return 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// The tool as it is, but for the switch without which the runtime does not say what it compiles.
function listeningTool(folder) {
  cpSync(join(output('src/Async2.Dump', '')), join(folder, 'tool'), { recursive: true });
  const file = join(folder, 'tool', 'dotnet-async2.runtimeconfig.json');
  const config = JSON.parse(readFileSync(file, 'utf8'));
  config.runtimeOptions.configProperties['System.Diagnostics.Tracing.EventSource.IsSupported'] = true;
  writeFileSync(file, JSON.stringify(config));
  return join(folder, 'tool', 'dotnet-async2.dll');
}

async function note(tool, target, dump) {
  const program = spawn('dotnet', target, { env: { ...process.env, DOTNET_RuntimeAsync: '1' }, stdio: ['pipe', 'pipe', 'ignore'] });
  try {
    const pid = await ready(program);
    for (const command of commands) {
      const args = command.map(word => word === 'PID' ? pid : word === 'DUMP' ? dump : word);
      const variables = { DOTNET_STARTUP_HOOKS: output('tests/StartupMethods', 'StartupMethods.dll'), STARTUP_METHODS: profile };
      // Exit codes 1 and 4 are answers, too; a step that finds nothing to note is seen by the tests.
      await step(command.join(' '), 'dotnet', [tool, ...args], { variables, outputIfFailed: false });
    }
    return true;
  } finally {
    program.stdin.end();
  }
}

function ready(program) {
  return new Promise((resolve, reject) => {
    let said = '';
    program.stdout.on('data', chunk => {
      said += chunk;
      const pid = /^ready (\d+)$/m.exec(said)?.[1];
      if (pid) resolve(pid);
    });
    program.on('error', reject);
    program.on('close', () => reject(new Error('the target ended')));
  });
}
