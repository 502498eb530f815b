// npm run findings: looks at every situation of dumps/Situations in both builds and counts, for each rule, what is found, missed and false.
//   npm run findings -- --only NAME,... --modes 'MODE;...' --parallel N --minutes N --write --no-build
//   With ASYNC2_NATIVE=FILE it asks a native build of the tool, as the tests do; scripts/windows.mjs --findings has it look at programs of Windows with the tool of Windows.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync, mkdtempSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root as rootUrl, step } from './steps.mjs';
import { nameInWine, quick, windowsTool } from './wine.mjs';

const root = fileURLToPath(rootUrl);

const rules = ['deadlock', 'context-deadlock', 'lock-never-released', 'orphan', 'starvation', 'sync-over-async', 'exhausted-pool', 'hot-resource', 'slow-dependency', 'lost'];
// Others are warnings and errors alone.
const informing = { 'slow-dependency': ' (info, warning)', lost: ' (info)' };
const builds = { 'runtime-async': 'Situations', classic: 'Situations.Classic' };
const modes = {
  live: { configuration: 'Release' },
  dump: { configuration: 'Release', dump: true },
  'live, Debug': { configuration: 'Debug' },
  'live, TieredCompilation=0': { configuration: 'Release', environment: { DOTNET_TieredCompilation: '0' } },
};
// They always move, or take long and are about something else; of shapes of holders HolderTests have a table.
const leftOut = ['churn', 'storm', 'recorded', 'big', 'moving', 'beating', 'compiling', 'holders', 'holderTwins', 'holderOdd', 'permits'];
const page = 'docs/accuracy.md';
const startLimit = 120_000;
const toolLimit = 180_000;
// Its loader; set by scripts/windows.mjs, which has a machine for it.
const wine = process.env.ASYNC2_WINE;

// What FindingTable does not list: the same as in the tests that are named. A mark is a line that the program names itself.
const more = {
  // PoolFindingTests
  poolSleeping: [{ rule: 'starvation', mark: 'sleeps' }],
  poolWaiting: [{ rule: 'starvation', mark: 'waits' }],
  poolResult: [{ rule: 'starvation', mark: 'result' }, { rule: 'sync-over-async', mark: 'result' }],
  poolRescued: [{ rule: 'starvation', text: 'pool threads block while' }, { rule: 'sync-over-async', text: '', optional: true }],
  uiBlocks: [{ rule: 'sync-over-async', mark: 'interface' }],
  // HotResourceTests
  hotTill: [{ rule: 'hot-resource', mark: 'charge' }],
  hotSteps: [{ rule: 'hot-resource', text: 'Hot.TurnAsync' }],
  hotDoors: [{ rule: 'exhausted-pool', mark: 'inside' }],
  outside: [{ rule: 'slow-dependency', text: 'to send something' }, { rule: 'slow-dependency', text: 'to end' }],
  // LockNeverReleasedTests; what is stored, or has no maximum, may be possible only.
  leaks: [{ rule: 'lock-never-released', text: '' }],
  deadOwner: [{ rule: 'lock-never-released', text: 'has ended without releasing it' }],
  // Of threads that stay with a lock for ever, optimised code has left out the frame that calls a delegate, which might release it.
  deadOwners: [
    ...['LeftMonitor', 'LeftReader', 'LeftUpgrader', 'LeftWriter'].map(name => ({ rule: 'lock-never-released', text: `Locked.${name}` })),
    ...['HeldMonitor', 'HeldUpgrader'].map(name => ({ rule: 'lock-never-released', text: `Locked.${name}`, optional: true })),
  ],
  // OrphanTests; of threads that run, only a look at the living process tells all that they refer to.
  lostSignals: [{ rule: 'deadlock', text: 'LostSignals.Both', optional: true }],
  computing: [{ rule: 'orphan', text: 'Computing.Forgotten', optional: true }],
  // SituationTests: a promise that only optimised code drops.
  ended: [{ rule: 'orphan', text: 'Ended.LendAsync', optional: true }],
  losers: [{ rule: 'lost', mark: 'loser-request' }],
  // DataflowTests.
  blockStuck: [...['unmatched', 'failed', 'unlinked', 'behind'].map(mark => ({ rule: 'orphan', mark })), { rule: 'deadlock', mark: 'ring' }],
  // ChildOutputTests: what another process does, a dump does not tell.
  childKept: ['kept-read', 'kept-lines', 'kept-thread'].map(mark => ({ rule: 'slow-dependency', mark, isLive: true })),
  outputUnread: [{ rule: 'slow-dependency', mark: 'log', isLive: true }],
  outputUnreadLocked: [{ rule: 'slow-dependency', mark: 'log-gate', isLive: true }],
  childFull: ['end', 'error-after-output', 'input-before-output', 'thread-end', 'thread-output'].map(mark => ({ rule: 'deadlock', mark, isLive: true })),
};

// Of these the program names each line, and how it is wrong; two wait for each other, and are a deadlock where code tells so.
const marked = ['orphans', 'lostSignals'];
const eitherWay = ['orphan-first', 'orphan-second'];

/** Wine 8 loses threads of programs, which then do not end (docs/windows.md). */
class Lost extends Error {}

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const only = valueOf(args, '--only')?.split(','), wanted = valueOf(args, '--modes')?.split(';') ?? Object.keys(modes);
  for (const project of args.includes('--no-build') ? [] : ['src/Async2.Dump', ...Object.values(builds).flatMap(build => [`dumps/${build}`])]) {
    for (const configuration of project.startsWith('dumps') ? ['Release', 'Debug'] : ['Release']) {
      if (!(await step(`build ${project}`, 'dotnet', ['build', project, '-c', configuration, '-v', 'quiet', '-nodeReuse:false'])).ok) return 1;
    }
  }
  const truth = { ...shapes(), ...listed(), ...more };
  const looks = [];
  for (const name of names().filter(name => !leftOut.includes(name) && (!only || only.includes(name))))
    for (const build of Object.keys(builds)) for (const mode of wanted) looks.push({ name, build, mode });
  // What something is expected of comes first, for those who have little time.
  const isWrong = look => look.name in truth || marked.includes(look.name) ? 0 : 1;
  looks.sort((a, b) => isWrong(a) - isWrong(b));
  const rows = [], end = Date.now() + 60_000 * Number(valueOf(args, '--minutes') ?? 600);
  await Promise.all(Array.from({ length: Number(valueOf(args, '--parallel') ?? 2) }, async () => {
    for (let look; Date.now() < end && (look = looks.shift());) rows.push(await count(look, truth));
  }));
  rows.sort((a, b) => order(a).localeCompare(order(b)));
  const text = report(rows, wanted) + (looks.length ? `\n\n${looks.length} looks were left out for lack of time.` : '');
  console.log(text);
  if (args.includes('--write')) writePage(text);
  return rows.some(row => row.failed) ? 1 : 0;
}

function nameOf(file) { return wine ? nameInWine(file) : file; }
function order(row) { return `${row.look.name} ${row.look.build} ${row.look.mode}`; }
function valueOf(args, name) { return args.includes(name) ? args[args.indexOf(name) + 1] : undefined; }
function names() { return [...readFileSync(join(root, 'dumps/Situations/Program.cs'), 'utf8').matchAll(/\["([\w-]+)"\] =/g)].map(match => match[1]); }

// The rows of FindingTable: "rule confidence Member (File.cs:1) ..." each.
function listed() {
  const source = readFileSync(join(root, 'tests/Async2.Tests/Integration/Findings/FindingTable.cs'), 'utf8');
  const table = source.slice(source.indexOf('Expected = new()'), source.indexOf('};', source.indexOf('Expected = new()')));
  const truth = {};
  for (const [, name, row] of table.matchAll(/^\s*\["([\w-]+)"\] =\s*\[(.*?)\],$/gms)) {
    truth[name] = [];
    for (const [, rule, text] of row.matchAll(/"([a-z-]+) (?:certain|likely|\*) ([^"]*)"/g)) truth[name].push({ rule, text: begin(text) });
    for (const [, text] of row.matchAll(/Context\("([^"]*)"/g)) truth[name].push({ rule: 'context-deadlock', text });
    for (const [, text] of row.matchAll(/Queued\("[a-z]+", "([^"]*)"/g)) truth[name].push({ rule: 'context-deadlock', text });
    for (const [, text] of row.matchAll(/Pair\("[a-z]+", "([^"]*)"/g)) truth[name].push({ rule: 'deadlock', text });
  }
  return truth;
}

// The rows of LockShapes: "rule confidence blocked: a method that it names" each.
function shapes() {
  const source = readFileSync(join(root, 'tests/Async2.Tests/Integration/Locks/LockShapes.cs'), 'utf8');
  const truth = {};
  for (const [, name, row] of source.matchAll(/\("(\w+)", \[([^\]]*)\]\)/g))
    truth[name] = [...row.matchAll(/"([a-z-]+) \w+ \d+: (\w+)"/g)].map(([, rule, method]) => ({ rule, method }));
  return truth;
}

// A member with its line is enough; the rest of the sentence has numbers that differ.
function begin(text) { return /^.*?\(\w+\.cs:\d+\)/.exec(text)?.[0] ?? text.split(/\d/)[0]; }

async function count(look, truth) {
  try {
    const { findings, marks } = await seeAtLast(look);
    const expected = (truth[look.name] ?? []).filter(item => !item.isLive || !modes[look.mode].dump);
    if (marked.includes(look.name))
      for (const mark of Object.keys(marks).filter(mark => mark.startsWith('orphan-'))) expected.push({ rule: 'orphan', mark, optional: eitherWay.includes(mark) });
    const left = findings.slice(), found = [];
    for (const item of expected) {
      const at = left.findIndex(finding => finding.rule === item.rule && isMeant(finding, item, marks));
      if (at >= 0) found.push({ ...item, confidence: left.splice(at, 1)[0].confidence });
      else if (!item.optional) found.push({ ...item, confidence: 'missed' });
    }
    const wrong = left.filter(finding => finding.severity !== 'info' && finding.confidence !== 'possible');
    for (const finding of wrong) console.error(`${order({ look })}: false ${finding.rule} ${finding.confidence}: ${finding.text}`);
    for (const item of found.filter(item => item.confidence === 'missed')) console.error(`${order({ look })}: missed ${item.rule} ${item.mark ?? item.method ?? item.text}`);
    return { look, found, wrong };
  } catch (error) {
    console.error(`${order({ look })}: ${error.message}`);
    return { look, found: [], wrong: [], failed: true };
  }
}

function isMeant(finding, item, marks) {
  if (item.method !== undefined) return finding.text.includes(`.${item.method} (`) || finding.evidence?.some(step => step.line && step.method?.includes(`.${item.method}(`));
  return item.mark === undefined ? finding.text.includes(item.text) : finding.evidence?.some(step => step.line === marks[item.mark]);
}

// What Wine has broken says nothing about the tool.
async function seeAtLast(look) {
  for (let left = 2; ; left--) {
    try {
      return await see(look);
    } catch (error) {
      if (!wine || left === 0 || !(error instanceof Lost)) throw error;
    }
  }
}

async function see(look) {
  const mode = modes[look.mode], folder = mkdtempSync(join(tmpdir(), 'async2-findings-'));
  const assembly = join(root, `dumps/${builds[look.build]}/bin/${mode.configuration}/net10.0/${builds[look.build]}.dll`);
  const [host, file] = wine ? [wine, assembly.replace(/dll$/, 'exe')] : ['dotnet', assembly];
  const program = spawn(host, [file, look.name], { env: { ...process.env, DOTNET_RuntimeAsync: '1', ...mode.environment } });
  try {
    const { pid, marks } = await ready(program);
    let target = String(pid);
    if (mode.dump) {
      target = join(folder, 'situation.dmp');
      await tool('dump', 'collect', String(pid), '-o', nameOf(target));
    }
    return { marks, findings: JSON.parse(await tool(mode.dump ? nameOf(target) : target, '--format', 'json')).findings ?? [] };
  } finally {
    program.stdin.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

function ready(program) {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Lost('the program did not become ready')), startLimit);
    program.stdout.on('data', data => {
      output += data;
      const match = /ready (\d+)/.exec(output);
      if (!match) return;
      clearTimeout(timer);
      const marks = output.split('\n').find(line => line.startsWith('{'));
      resolve({ pid: Number(match[1]), marks: marks ? JSON.parse(marks).marks ?? {} : {} });
    });
  });
}

function tool(...words) {
  return new Promise((resolve, reject) => {
    // The native build (npm run native) takes a third of the processor time.
    const [program, ...first] = wine ? [wine, windowsTool] : process.env.ASYNC2_NATIVE ? [process.env.ASYNC2_NATIVE] : ['dotnet', join(root, 'src/Async2.Dump/bin/Release/net10.0/dotnet-async2.dll')];
    const child = spawn(program, [...first, ...words], { env: wine ? { ...process.env, ...quick } : process.env });
    const output = [], errors = [];
    child.stdout.on('data', data => output.push(data));
    child.stderr.on('data', data => errors.push(data));
    const timer = wine && setTimeout(() => child.kill('SIGKILL'), toolLimit);
    // 4: something could not be read, and the answer says what.
    child.on('close', code => {
      clearTimeout(timer);
      const error = Buffer.concat(errors).toString();
      if (code === 0 || code === 4) resolve(Buffer.concat(output).toString());
      else reject(wine && (code === null || error.includes('err:virtual:')) ? new Lost('the tool did not end') : new Error(`exit code ${code}: ${error}`));
    });
  });
}

function report(rows, wanted) {
  const lines = ['| rule | situations | to be found | certain | likely | possible | missed | false |', '|---|---:|---:|---:|---:|---:|---:|---:|'];
  for (const rule of rules) {
    const items = rows.flatMap(row => row.found.filter(item => item.rule === rule).map(item => ({ ...item, name: row.look.name })));
    const wrong = rows.flatMap(row => row.wrong).filter(finding => finding.rule === rule).length;
    const of = confidence => items.filter(item => item.confidence === confidence).length;
    const all = new Set(items.map(item => item.name)).size;
    lines.push(`| ${rule}${informing[rule] ?? ''} | ${all} | ${items.length} | ${of('certain')} | ${of('likely')} | ${of('possible')} | ${of('missed')} | ${wrong} |`);
  }
  lines.push('', '| build, look | looks | to be found | found | missed | false | not read |', '|---|---:|---:|---:|---:|---:|---:|');
  for (const build of Object.keys(builds)) {
    for (const mode of wanted) {
      const of = rows.filter(row => row.look.build === build && row.look.mode === mode), items = of.flatMap(row => row.found);
      const missed = items.filter(item => item.confidence === 'missed').length;
      lines.push(`| ${build}, ${mode} | ${of.length} | ${items.length} | ${items.length - missed} | ${missed} | ${of.flatMap(row => row.wrong).length} | ${of.filter(row => row.failed).length} |`);
    }
  }
  return lines.join('\n');
}

function writePage(text) {
  const path = join(root, page), from = '<!-- findings -->\n', to = '<!-- /findings -->';
  const old = existsSync(path) ? readFileSync(path, 'utf8') : `${from}${to}\n`;
  writeFileSync(path, old.slice(0, old.indexOf(from) + from.length) + text + '\n' + old.slice(old.indexOf(to)));
}
