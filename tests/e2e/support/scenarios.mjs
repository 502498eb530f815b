// Programs to look at: they bring themselves to a standstill and, of the scenarios, write down their own stacks (dumps/README.md).
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root, tool } from './tools.mjs';

export async function startScenarios(...options) {
  return start('Scenarios', options);
}

/** One situation; no truth but lines that the program marked. It answers lines of input (`ask`). */
export async function startSituation(name, ...options) {
  return start('Situations', [name, ...options]);
}

/** Line of a source file that has a text. */
export function lineWith(file, text) {
  return readFileSync(join(root, 'dumps', file), 'utf8').split('\n').findIndex(line => line.includes(text)) + 1;
}

/** A web server with its own clients. */
export async function startServer(...options) {
  return start('Server', options);
}

/** Big heaps; no truth. */
export async function startWorkload(...options) {
  return start('Workloads', options);
}

/** Path of a source file of the scenarios, by its name. */
export function sourceOf(folder, file) {
  return join(root, 'dumps/Scenarios', folder, file);
}

/** Has the process written as a dump by the tool itself. */
export function collectDump(pid, file) {
  const run = spawnSync(tool, ['dump', 'collect', String(pid), '-o', file, '--force'], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`no dump of ${pid}: ${run.stderr}`);
  return file;
}

async function start(project, options) {
  const program = join(root, 'dumps', project, 'bin/Release/net10.0', `${project}.dll`);
  if (!existsSync(program)) throw new Error(`there is no ${project}: dotnet build dumps/${project} -c Release makes it`);
  const child = spawn('dotnet', [program, ...options], {
    env: { ...process.env, DOTNET_RuntimeAsync: '1' }, stdio: ['pipe', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', text => { errors += text; });
  const ended = new Promise(resolve => child.once('close', resolve));
  const lines = [];
  const reader = createInterface({ input: child.stdout });
  await new Promise((resolve, reject) => {
    reader.on('line', line => {
      lines.push(line);
      if (line.startsWith('ready ')) resolve();
    });
    void ended.then(() => reject(new Error(`${project} did not get ready: ${errors}`)));
  });
  const stop = async () => {
    child.stdin.end();
    const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
    await ended;
    clearTimeout(timer);
  };
  const ask = question => new Promise(resolve => {
    reader.once('line', resolve);
    child.stdin.write(`${question}\n`);
  });
  return { ask, pid: child.pid, truth: lines[0].startsWith('{') ? JSON.parse(lines[0]) : undefined, stop, kill: async () => { child.kill('SIGKILL'); await ended; } };
}
