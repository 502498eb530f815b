// npm test: everything there is to check, in order. The last line is always "N passed, N failed, N skipped".
//   --fast     unit tests only: no test that starts scenario programs or VS Code, no style check
//   --accept   the same, and takes what the tests produce as the approved files (ASYNC2_ACCEPT=1)
// With CI=true or ASYNC2_REQUIRE_ALL=1 a skipped test is a failure; not with ASYNC2_MAY_SKIP=1, where it is only said.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endCompilerServer, withCompilerServer } from './compiler.mjs';
import { hasPowerShell, installPowerShell, lacks, missingSdk, testsFor } from './machine.mjs';
import { installNative, lacksForNative, nativeFramework, packNative, packages } from './native.mjs';
import { root, step } from './steps.mjs';
import { readResults } from './trx.mjs';
import { testEndToEnd, testExtension } from './vscode.mjs';
import { lacksForWine, prepareWindows, testUnderWine } from './windows.mjs';

const known = ['--fast', '--accept'];
const wrong = process.argv.slice(2).filter(argument => !known.includes(argument));
const accept = process.argv.includes('--accept');
const fast = accept || process.argv.includes('--fast');
const requireAll = process.env.ASYNC2_MAY_SKIP !== '1' && (['1', 'true'].includes((process.env.CI ?? '').toLowerCase()) || process.env.ASYNC2_REQUIRE_ALL === '1');
const resultFolder = fileURLToPath(new URL('TestResults', root));
const quiet = ['-v', 'quiet', '-nodeReuse:false'];
const built = ['--no-restore', ...quiet];

let failedSteps = 0;
const results = { passed: [], failed: [], skipped: [], died: [] };
const ofNode = { passed: 0, failed: 0 };
const end = await everything();
report(end);

/** Runs the steps; returns why it ended early, or null. */
async function everything() {
  if (wrong.length > 0)
    return `unknown option ${wrong[0]}: there are ${known.join(' and ')}`;
  const missing = await missingSdk();
  if (missing)
    return missing;
  // In CI nothing is left out; elsewhere that is said, and nothing is brought that nobody asked for.
  if (requireAll && !fast && process.platform === 'linux' && !hasPowerShell())
    await check('PowerShell', installPowerShell);
  for (const lack of lacks())
    console.log(`note: ${lack}`);
  if (fast)
    console.log('fast: unit tests only, without the style check, tests of the category Integration and VS Code; npm test runs everything');
  if (!await check('restore', ['restore', 'Async2Diag.sln', ...quiet]))
    return 'nothing can be built without its packages';
  await check('whitespace', ['format', 'whitespace', '.', '--folder', '--verify-no-changes', '--include', 'src/', 'tests/', 'samples/'], 'npm run format fixes this');
  if (!fast)
    await check('style', ['format', 'style', 'Async2Diag.sln', '--no-restore', '--verify-no-changes', '--include', 'src/', 'tests/', 'samples/'], 'npm run format fixes most of this');
  const lack = await build();
  await endCompilerServer();
  if (lack)
    return lack;
  const end = await test();
  if (!fast) {
    await testNative();
    await testWindows();
  }
  add(await testExtension());
  // Last, and alone: it looks at how smooth the picture moves.
  if (!fast)
    add(await testEndToEnd());
  return end;
}

/** Returns what is missing then, or null. */
async function build() {
  if (!await check('build, warnings are errors', ['build', 'Async2Diag.sln', '-c', 'Release', ...built]))
    return 'nothing can be tested that does not build';
  for (const project of fast ? [] : ['Scenarios', 'Scenarios.Classic', 'Situations', 'Situations.Classic']) {
    if (!await check(`build ${project} in Debug`, ['build', `dumps/${project}/${project}.csproj`, '-c', 'Debug', '-f', 'net10.0', ...built]))
      return 'the tests need the scenarios';
  }
  return null;
}

function add({ passed, failed, skipped, failedSteps: steps }) {
  ofNode.passed += passed;
  ofNode.failed += failed;
  results.skipped.push(...skipped);
  failedSteps += steps;
}

async function check(name, args, fix) {
  const { ok } = await step(name, 'dotnet', args, { variables: withCompilerServer });
  failedSteps += ok ? 0 : 1;
  if (!ok && fix)
    console.log(fix);
  return ok;
}

async function test() {
  const { filter, skipped } = testsFor();
  results.skipped.push(...fast ? [] : skipped);
  rmSync(resultFolder, { recursive: true, force: true });
  const { ok, isTooLong, output } = await step(fast ? 'unit tests' : 'tests', 'dotnet', [
    'test', 'Async2Diag.sln', '-c', 'Release', '--no-build', '-v', 'quiet', '--logger', 'trx', '--results-directory', resultFolder,
    '--blame-hang-timeout', '5m', '--blame-hang-dump-type', 'none', '--filter', fast ? `(${filter})&Category!=Integration` : filter,
  ], { variables: accept ? { ASYNC2_ACCEPT: '1' } : {}, minutes: 55, outputIfFailed: false });
  take(readResults(resultFolder), '');
  // A crash or a hang leaves no failed test behind, only words in the output or the results; and other tests may have failed before it.
  const died = results.died.length > 0 || /test run was aborted|host process crashed|test host process exited/i.test(output);
  if (died || isTooLong || (!ok && results.failed.length === 0)) {
    failedSteps++;
    console.log(`\n${died ? `the test process died: tests that come after it did not run\n${results.died.join('\n')}` : ''}\n${output.trimEnd()}`);
  }
  return results.passed.length + results.failed.length === 0 ? 'no test ran' : null;
}

// What starts the tool as a process, once more with the native build, as it is installed from its packages.
async function testNative() {
  const lack = await lacksForNative();
  if (lack) {
    results.skipped.push({ name: 'native build', reason: lack });
    return;
  }
  const framework = await nativeFramework();
  const tool = framework && await packNative(framework) ? await installNative(fileURLToPath(new URL('artifacts/installed', root))) : null;
  if (!tool) {
    failedSteps++;
    return;
  }
  const folder = join(resultFolder, 'native'), rooms = ['BadInput', 'Tool', 'Agents', 'Dap', 'Snapshots', 'Watching', 'Fleets', 'Lldb'].map(room => `FullyQualifiedName~Async2.Tests.${room}.`).join('|');
  const { ok, isTooLong } = await step('native: tests', 'dotnet', [
    'test', 'tests/Async2.Tests/Async2.Tests.csproj', '-c', 'Release', '--no-build', '-v', 'quiet', '--logger', 'trx', '--results-directory', folder,
    // Those are about what is left to the JIT.
    '--filter', `(Category=Native|${rooms})&FullyQualifiedName!~StartupTests`, '--blame-hang-timeout', '5m', '--blame-hang-dump-type', 'none',
  ], { variables: { ASYNC2_NATIVE: tool, ASYNC2_NATIVE_PACKAGES: packages }, minutes: 20, outputIfFailed: false });
  const found = readResults(folder);
  take(found, 'native: ');
  if (isTooLong || found.passed.length === 0 || (!ok && found.failed.length === 0)) {
    failedSteps++;
    console.log(`the tests of the native build did not run to their end\n${found.died.join('\n')}`);
  }
}

// The Windows build of the tool, and programs as Windows has them, under Wine.
async function testWindows() {
  // Windows itself has run its tests.
  if (process.platform === 'win32')
    return;
  const lack = lacksForWine();
  if (lack) {
    results.skipped.push({ name: 'Windows', reason: lack });
    return;
  }
  const folder = join(resultFolder, 'windows');
  const ended = await prepareWindows() && await testUnderWine(folder);
  const found = readResults(folder);
  take(found, 'windows: ');
  if (!ended || ended.isTooLong || found.passed.length === 0 || (!ended.ok && found.failed.length === 0)) {
    failedSteps++;
    console.log(`the tests of Windows did not run to their end\n${found.died.join('\n')}`);
  }
}

function take(found, prefix) {
  for (const outcome of ['passed', 'failed', 'skipped'])
    results[outcome].push(...found[outcome].map(({ name, reason }) => ({ name: prefix + name, reason })));
  results.died.push(...found.died);
  for (const { name, reason } of found.failed)
    console.log(`\nFAILED ${prefix}${name}\n  ${reason.split('\n').slice(0, 30).join('\n  ')}`);
}

function report(end) {
  console.log('');
  for (const { name, reason } of results.skipped)
    console.log(`skipped: ${name}: ${reason || 'no reason given'}`);
  if (requireAll && results.skipped.length > 0)
    console.log('CI=true or ASYNC2_REQUIRE_ALL=1: what was skipped is counted as failed');
  if (failedSteps > 0)
    console.log(`steps that failed, counted below: ${failedSteps}`);
  if (end)
    console.log(end);
  const failures = results.failed.length + ofNode.failed + failedSteps + (requireAll ? results.skipped.length : 0);
  const failed = failures === 0 && end ? 1 : failures;
  process.exitCode = failed === 0 ? 0 : 1;
  console.log(`${results.passed.length + ofNode.passed} passed, ${failed} failed, ${requireAll ? 0 : results.skipped.length} skipped`);
}
