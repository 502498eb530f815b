// The Windows build, under Wine: with .NET's runtime for Windows, and the programs to look at as Windows loads them. By hand, after "npm test" or a Release build:
//   node scripts/windows.mjs                               the tests of npm test, which run here and start Windows programs
//   node scripts/windows.mjs --findings [ARGUMENTS OF scripts/findings.mjs]   looks at all situations, as "npm run findings" does: hours
//   node scripts/windows.mjs --inside [ARGUMENTS OF XUNIT] those that a Windows machine runs, as Windows programs themselves; Wine 8 loses threads of these, so that some runs do not end
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { machineOf } from './pe.mjs';
import { root, run, said, step } from './steps.mjs';
import { readResults } from './trx.mjs';
import { calm, lacksForWine, makeExecutable, makeMachine, packages, quick, removeMachine, roots, variables, wine } from './wine.mjs';

const tests = 'artifacts/windows/tests';
const first = ['WindowsScenarioTests', 'CommandTests'];
const programs = ['Scenarios', 'Scenarios.Classic', 'Situations', 'Situations.Classic'];

// A ReadyToRun image of Linux: to Windows a file that it cannot load.
const imageOfLinux = 0xfd1d;

export { lacksForWine };

/** Prepares a machine and a folder with the tests; false, and what went wrong is printed, if that fails. */
export async function prepareWindows() {
  const found = await packages();
  if (!found)
    return false;
  try {
    await makeMachine(found);
    copyTests(found);
    installHost(found);
    for (const dll of programs.flatMap(name => ['Release', 'Debug'].map(configuration => path(`dumps/${name}/bin/${configuration}/net10.0/${name}.dll`))).filter(existsSync))
      makeExecutable(found, dll);
    return true;
  } catch (error) {
    console.log(error.message);
    await removeMachine();
    return false;
  }
}

// What tests say when Wine has lost a program three times in a row: never a wrong answer.
const lost = ['Wine did not bring ', 'the scenario program did not get ready'];

/**
 * Runs the tests that start Windows programs; the results go to a trx file. Wine 8 loses programs, now and then all that it is given: if nothing else failed, all of it runs once more, on a new
 * machine, and that is said.
 */
export async function testUnderWine(results) {
  let ended = await testOnce(results, 'windows: tests under Wine');
  const { failed } = readResults(results);
  if (!ended.ok && failed.every(({ reason }) => lost.some(words => reason.includes(words))) && !process.env.ASYNC2_LONG) {
    console.log(`note: on this Windows machine Wine ended too few programs, so all runs once more, on a new one:\n${failed.map(({ name, reason }) => `  ${name}\n    ${reason.split('\n')[0]}`).join('\n')}`);
    await removeMachine();
    rmSync(results, { recursive: true, force: true });
    ended = await prepareWindows() && await testOnce(results, 'windows: tests under Wine, again');
  }
  await removeMachine();
  return ended;
}

function testOnce(results, name) {
  return step(name, 'dotnet', [
    'test', 'tests/Async2.Tests/Async2.Tests.csproj', '-c', 'Release', '--no-build', '-v', 'quiet', '--logger', 'trx', '--results-directory', results, '--filter', 'Category=Wine',
    '--blame-hang-timeout', '8m', '--blame-hang-dump-type', 'none',
  ], { variables: { ...variables, ASYNC2_WINE: wine(), ASYNC2_WINE_TOOL: Object.entries(quick).map(pair => pair.join('=')).join(';') }, minutes: process.env.ASYNC2_LONG ? 240 : 12, outputIfFailed: false });
}

/** Looks at situations as findings.mjs does, with the tool and the programs of Windows. */
async function lookAtAll(words) {
  const child = spawn(process.execPath, [path('scripts/findings.mjs'), '--no-build', ...words], { env: { ...process.env, ...variables, ASYNC2_WINE: wine() }, stdio: 'inherit' });
  const [code] = await once(child, 'close');
  await removeMachine();
  return { ok: code === 0, output: '' };
}

/** Runs the tests of Windows as Windows programs. Each class has a process of its own with one test at a time (see calm), two at once; one that does not end is run again, once. */
async function testInside(results, words, names) {
  mkdirSync(results, { recursive: true });
  const start = performance.now(), left = [...names], outcomes = [];
  const worker = async () => {
    for (let name = left.shift(); name; name = left.shift())
      outcomes.push(await testClass(results, name, words));
  };
  await Promise.all([worker(), worker()]);
  await removeMachine();
  const ok = outcomes.every(outcome => outcome.code === 0);
  said('windows: tests inside Wine', ok, start);
  return { ok, output: outcomes.map(outcome => outcome.output).join('\n') };
}

// The longest first.
function classes() {
  const names = readdirSync(path('tests/Async2.Tests/Windows')).filter(name => name.endsWith('Tests.cs')).map(name => name.replace('.cs', ''));
  return names.sort((a, b) => first.includes(b) - first.includes(a));
}

async function testClass(results, name, words) {
  const trx = join(results, `${name}.trx`);
  for (let again = true; ; again = false) {
    const ended = await run(wine(), [path(`${tests}/Async2.Tests.exe`), '-noColor', '-parallel', 'none', '-trx', `Z:${trx.replaceAll('/', '\\')}`, ...(name === 'all' ? [] : ['-class', `Async2.Tests.Windows.${name}`]), ...words], { variables, minutes: 20 });
    // The file is written at the end.
    if (!again || existsSync(trx))
      return ended;
    console.log(`note: ${name} did not end under Wine and is run again:\n${ended.output.trimEnd().split('\n').slice(-12).join('\n')}`);
  }
}

// "dotnet PROGRAM.dll".
function installHost(found) {
  for (const root of roots()) {
    for (const name of ['dotnet.dll', 'dotnet.runtimeconfig.json'])
      cpSync(path(`tests/Wine.Host/bin/Release/net10.0/${name}`), join(root, name));
    makeExecutable(found, join(root, 'dotnet.dll'));
  }
}

function path(name) {
  return fileURLToPath(new URL(name, root));
}

// As they were built, but the libraries that were compiled for Linux: these as they came.
function copyTests(found) {
  const built = path('tests/Async2.Tests/bin/Release/net10.0'), target = path(tests);
  rmSync(target, { recursive: true, force: true });
  cpSync(built, target, { recursive: true });
  const origins = originsIn(JSON.parse(readFileSync(join(built, 'Async2.Tests.deps.json'), 'utf8')), found.store);
  for (const name of readdirSync(target).filter(file => file.endsWith('.dll') && machineOf(join(target, file)) === imageOfLinux))
    cpSync(origins[name], join(target, name));
  for (const name of ['Async2.Tests.dll', 'dotnet-async2.dll']) {
    makeExecutable(found, join(target, name));
    calm(join(target, name));
  }
}

function originsIn({ targets, libraries }, store) {
  const origins = { 'Async2.Analysis.dll': path('src/Async2.Analysis/bin/Release/net8.0/Async2.Analysis.dll'), 'dotnet-async2.dll': path('src/Async2.Dump/obj/Release/net10.0/dotnet-async2.dll') };
  for (const [library, { runtime = {} }] of Object.values(targets).flatMap(Object.entries)) {
    for (const file of Object.keys(runtime).filter(() => libraries[library]?.type === 'package'))
      origins[file.split('/').at(-1)] ??= join(store, libraries[library].path, file);
  }
  return origins;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const lack = lacksForWine();
  if (lack)
    console.error(lack);
  const mode = ['--inside', '--findings'].find(mode => process.argv.includes(mode)), words = process.argv.slice(2).filter(word => word !== mode), results = path('TestResults/windows');
  rmSync(results, { recursive: true, force: true });
  const usual = ['-trait', 'System=Windows', '-trait', 'System=WindowsLong'];
  const inside = () => testInside(results, ...(words.length > 0 ? [words, ['all']] : [usual, classes()]));
  const ended = !lack && await prepareWindows() && await (mode === '--inside' ? inside() : mode === '--findings' ? lookAtAll(words) : testUnderWine(results));
  console.log(ended ? ended.output : 'nothing was run');
  process.exit(ended && ended.ok ? 0 : 1);
}
