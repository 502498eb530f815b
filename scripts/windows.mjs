// The tests that run on Windows, under Wine: the same test program and the same programs to look at, as Windows loads them.
//   node scripts/windows.mjs [--all] [ARGUMENTS OF XUNIT]    runs them by hand, after "npm test" or a Release build; --all runs what takes too long for npm test as well
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { machineOf } from './pe.mjs';
import { root, run, said } from './steps.mjs';
import { calm, lacksForWine, makeExecutable, makeMachine, packages, roots, variables, wine } from './wine.mjs';

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
    return false;
  }
}

/**
 * Runs tests; the results go to trx files. Each class has a process of its own with one test at a time (see calm), two at once. One that does not end is Wine's fault and not a test's, which all have limits: it is
 * run again, once, and that is said. A test that fails has failed.
 */
export async function testOnWindows(results, words, minutes, names = classes()) {
  mkdirSync(results, { recursive: true });
  const start = performance.now(), left = [...names], outcomes = [];
  const worker = async () => {
    for (let name = left.shift(); name; name = left.shift())
      outcomes.push(await testClass(results, name, words, minutes));
  };
  await Promise.all([worker(), worker()]);
  await stopWine();
  const ok = outcomes.every(outcome => outcome.code === 0);
  said('windows: tests under Wine', ok, start);
  return { ok, classes: outcomes.length, output: outcomes.map(outcome => outcome.output).join('\n') };
}

// The longest first.
function classes() {
  const names = readdirSync(path('tests/Async2.Tests/Windows')).filter(name => name.endsWith('Tests.cs')).map(name => name.replace('.cs', ''));
  return names.sort((a, b) => first.includes(b) - first.includes(a));
}

async function testClass(results, name, words, minutes) {
  const trx = join(results, `${name}.trx`);
  for (let again = true; ; again = false) {
    const ended = await run(wine(), [path(`${tests}/Async2.Tests.exe`), '-noColor', '-parallel', 'none', '-trx', `Z:${trx.replaceAll('/', '\\')}`, ...(name === 'all' ? [] : ['-class', `Async2.Tests.Windows.${name}`]), ...words], { variables, minutes });
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

// Services of the machine would live on for a while.
async function stopWine() {
  await run(wine(), ['wineboot', '-k'], { variables, minutes: 1 });
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
  const words = process.argv.slice(2).filter(word => word !== '--all');
  const usual = process.argv.includes('--all') ? ['-trait', 'System=Windows', '-trait', 'System=WindowsLong'] : ['-trait', 'System=Windows'];
  const ended = !lack && await prepareWindows() && await testOnWindows(path('TestResults/windows'), ...(words.length > 0 ? [words, 60, ['all']] : [usual, 20]));
  console.log(ended ? ended.output : 'nothing was run');
  process.exit(ended && ended.ok ? 0 : 1);
}
