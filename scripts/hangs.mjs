// npm run hangs: what a test run that hangs shows, how long after the limit it comes, and what a run that is well pays for being watched. See docs/test-hangs.md.
//   npm run hangs -- --rounds N --tests N --only shown,delay,cost --write --no-build
//   With ASYNC2_NATIVE=FILE it asks a native build of the tool, as the tests do.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root as rootUrl, step } from './steps.mjs';

const root = fileURLToPath(rootUrl);
const page = join(root, 'docs', 'test-hangs.md');
const built = name => join(root, 'dumps', name, 'bin', 'Release', 'net10.0', `${name}.dll`);
const tool = process.env.ASYNC2_NATIVE ?? join(root, 'src', 'Async2.Dump', 'bin', 'Release', 'net10.0', 'dotnet-async2.dll');
const collector = join(root, 'src', 'Async2.Testing.DataCollector', 'bin', 'Release', 'net8.0');
const limitSeconds = 5;

const folder = mkdtempSync(join(tmpdir(), 'async2-hangs-'));
try {
  process.exitCode = await main(process.argv.slice(2));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(args) {
  const numberOf = (name, otherwise) => args.includes(name) ? Number(args[args.indexOf(name) + 1]) : otherwise;
  const rounds = numberOf('--rounds', 5), tests = numberOf('--tests', 3000), only = args.includes('--only') ? args[args.indexOf('--only') + 1].split(',') : ['shown', 'delay', 'cost'];
  for (const project of args.includes('--no-build') ? [] : ['src/Async2.Dump', 'src/Async2.Testing.DataCollector', 'dumps/HungTests', 'dumps/HungVsTests'])
    if (!(await step(`build ${project}`, 'dotnet', ['build', project, '-c', 'Release', '-v', 'quiet', '-nodeReuse:false'])).ok)
      return 1;
  // Both platforms look for one from their folder upwards.
  writeFileSync(join(folder, 'global.json'), '{}');
  const parts = { shown: shown, delay: () => delays(rounds), cost: () => costs(rounds, tests) };
  const texts = {};
  for (const name of only) {
    texts[name] = await parts[name]();
    console.log(`\n${texts[name]}`);
  }
  if (args.includes('--write'))
    write(texts);
  return 0;
}

// Runs of which tests hang.

function hungPlatform() {
  return run(['dotnet', built('HungTests'), '--async2-hang-timeout', `${limitSeconds}s`, '--results-directory', join(folder, 'results')], { HUNG: 'Deadlock,Lost,Quick', HUNG_STATIC: '1' });
}

function hungVsTest() {
  const truth = join(folder, 'truth');
  rmSync(truth, { force: true });
  const settings = settingsOf('hang', `${limitSeconds}s`);
  return run(['dotnet', 'test', built('HungVsTests'), '--settings', settings, '--test-adapter-path', collector, '--results-directory', join(folder, 'results'), '--filter', 'FullyQualifiedName~Suite'], { TRUTH: truth })
    // The test says when it waits in a file: VSTest shows nothing of it.
    .then(result => ({ ...result, began: statSync(truth).mtimeMs }));
}

// As users have it from the page, which has one for each way.
function settingsOf(name, timeout, isWithin = false) {
  const file = join(folder, `${name}.runsettings`);
  const documented = [...readFileSync(page, 'utf8').matchAll(/```xml\n(<RunSettings>[^]+?)```/g)].map(match => match[1]).find(text => text.includes('<InProcDataCollector ') === isWithin);
  writeFileSync(file, documented.replace('<HangTimeout>5m<', `<HangTimeout>${timeout}<`).replace('codebase="', `codebase="${collector}/`));
  return file;
}

/** Runs it until an annotation was printed and nothing more comes, then ends it; lines with the time at which they came. */
function run(command, variables) {
  const lines = [], child = spawn(command[0], command.slice(1), { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'inherit'], env: environment({ GITHUB_ACTIONS: 'true', ASYNC2_TOOL: tool, ...variables }) });
  return new Promise((resolve, reject) => {
    let rest = '', last;
    const end = setTimeout(() => finish(new Error(`nothing was shown:\n${lines.map(line => line.text).join('\n')}`)), 120_000);
    const finish = error => {
      clearTimeout(end);
      process.kill(-child.pid, 'SIGKILL');
      if (error)
        reject(error);
      else
        resolve({ lines, began: Math.max(0, ...lines.filter(line => line.text.startsWith('truth ')).map(line => line.at)) });
    };
    child.stdout.on('data', chunk => {
      const texts = (rest + chunk).split('\n'), at = Date.now();
      rest = texts.pop();
      lines.push(...texts.map(text => ({ text, at })));
      clearTimeout(last);
      if (lines.some(line => line.text.startsWith('::')))
        last = setTimeout(finish, 1500);
    });
  });
}

function environment(variables) {
  return { ...process.env, DOTNET_NOLOGO: '1', DOTNET_CLI_TELEMETRY_OPTOUT: '1', DOTNET_CLI_UI_LANGUAGE: 'en', MSBUILDTERMINALLOGGER: 'off', ...variables };
}

async function shown() {
  const platform = transcript(await hungPlatform()), vstest = transcript(await hungVsTest());
  return `On Microsoft.Testing.Platform, \`HungTests --async2-hang-timeout ${limitSeconds}s\` in a job of GitHub Actions:
\`\`\`text
${platform}
\`\`\`

The same with VSTest, \`dotnet test HungVsTests.dll --settings hang.runsettings --test-adapter-path ...\`:
\`\`\`text
${vstest}
\`\`\``;
}

// No path of this machine; what the tests themselves print, to be compared, is left out.
function transcript({ lines }) {
  return lines.map(line => line.text).filter(text => !text.startsWith('truth ')).join('\n').replaceAll(folder, '/ci').replaceAll(root.replace(/\/$/, ''), '/repo').trim();
}

// From the moment in which a test has waited for too long until its stacks are there.

async function delays(rounds) {
  const rows = [];
  for (const [name, hung] of [['Microsoft.Testing.Platform', hungPlatform], ['VSTest', hungVsTest]]) {
    const seconds = [];
    for (let i = 0; i < rounds; i++) {
      const { lines, began } = await hung(), first = lines.find(line => / Suite\.|HungVsTests\.Suite|Suite\.cs:/.test(line.text) && line.at - began > limitSeconds * 1000);
      seconds.push((first.at - began) / 1000 - limitSeconds);
    }
    rows.push(`| ${name} | ${median(seconds).toFixed(1)} s | ${Math.min(...seconds).toFixed(1)} to ${Math.max(...seconds).toFixed(1)} s |`);
  }
  return `| from the limit (${limitSeconds} s) to the stacks of the test, ${rounds} runs | median | all |\n|---|---|---|\n${rows.join('\n')}`;
}

// What a run costs in which nothing hangs.

function healthy(tests) {
  const platform = [built('HungTests'), '--results-directory', join(folder, 'results')], dump = ['--hangdump', '--hangdump-timeout', '1h'];
  const vstest = ['test', built('HungVsTests'), '--filter', 'FullyQualifiedName~Working', '--results-directory', join(folder, 'results')];
  const of = (words, variables) => ({ words, variables: { HUNG: `Work:${tests}`, WORK: String(tests), ...variables } });
  return {
    'Microsoft.Testing.Platform': [of(platform, { HUNG_STATIC: '0' }), of(platform, { HUNG_STATIC: '1' })],
    'the same, with a controller (`--hangdump`)': [of([...platform, ...dump], { HUNG_STATIC: '0' }), of([...platform, ...dump], { HUNG_STATIC: '1' })],
    'VSTest, xunit 2.9, from within the test host': [of(vstest, {}), of([...vstest, '--settings', settingsOf('within', '5m', true)], {})],
    'VSTest, xunit 2.9, data collector': [of(vstest, {}), of([...vstest, '--settings', settingsOf('healthy', '5m'), '--test-adapter-path', collector], {})],
  };
}

async function costs(rounds, tests) {
  const rows = [], short = healthy(1);
  for (const [name, [off, on]] of Object.entries(healthy(tests))) {
    const without = [], having = [], starts = [[], []];
    // The first round is not counted.
    for (let i = 0; i <= rounds; i++) {
      const pair = i % 2 === 0 ? [await timed(off), await timed(on)] : [await timed(on), await timed(off)].reverse();
      const start = [await timed(short[name][0]), await timed(short[name][1])];
      if (i > 0) {
        without.push(pair[0]), having.push(pair[1]);
        starts.forEach((list, index) => list.push(start[index]));
      }
    }
    rows.push(row(name, tests, without, having, starts));
  }
  return `| ${tests} short tests, ${rounds} rounds in turn | elapsed without | with | ratio | processor time without | with | ratio | of one test | of the start |\n|---|---|---|---|---|---|---|---|---|\n${rows.join('\n')}`;
}

function row(name, tests, without, having, [startOff, startOn]) {
  const of = (list, field) => median(list.map(time => time[field])), ratio = field => median(having.map((time, i) => time[field] / without[i][field])).toFixed(3);
  const start = of(startOn, 'processor') - of(startOff, 'processor'), each = (of(having, 'processor') - of(without, 'processor') - start) / tests;
  return `| ${name} | ${of(without, 'elapsed').toFixed(2)} s | ${of(having, 'elapsed').toFixed(2)} s | ${ratio('elapsed')} | ${of(without, 'processor').toFixed(2)} s | ${of(having, 'processor').toFixed(2)} s | ${ratio('processor')} | ${(each * 1e6).toFixed(0)} us | ${(start * 1000).toFixed(0)} ms |`;
}

// Seconds, of all processes of the run; the shell's "time" counts them.
function timed({ words, variables }) {
  const child = spawn('bash', ['-c', 'TIMEFORMAT="%R %U %S"; time dotnet "$@" >&2', 'bash', ...words], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env: environment({ ASYNC2_TOOL: tool, ...variables }) });
  let said = '';
  [child.stdout, child.stderr].forEach(stream => stream.on('data', chunk => said += chunk));
  return new Promise((resolve, reject) => child.on('close', code => {
    const [elapsed, user, system] = said.trim().split('\n').at(-1).split(' ').map(Number);
    if (code === 0 && system >= 0)
      resolve({ elapsed, processor: user + system });
    else
      reject(new Error(`${words.join(' ')} failed:\n${said}`));
  }));
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b), middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function write(texts) {
  let text = readFileSync(page, 'utf8');
  for (const [name, part] of Object.entries(texts))
    text = text.replace(new RegExp(`<!-- ${name} -->[^]*<!-- /${name} -->`), () => `<!-- ${name} -->\n${part}\n<!-- /${name} -->`);
  writeFileSync(page, text);
}
