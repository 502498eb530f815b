// What this machine lacks, each with the way to get it.
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { lacks as lacksOfEndToEnd } from '../tests/e2e/setup.mjs';
import { root, run } from './steps.mjs';
import { lacksForWine } from './wine.mjs';

const wanted = JSON.parse(readFileSync(new URL('global.json', root), 'utf8')).sdk.version;

/** What nothing can be done without; null when it is there. */
export async function missingSdk() {
  const found = await run('dotnet', ['--version']);
  if (found.code === 0)
    return null;
  return [
    found.code === 127 ? 'There is no dotnet on this machine.' : 'No installed .NET SDK fits global.json:\n' + found.output.trim(),
    `Needed: the .NET SDK ${wanted} or a later 10.0 one. Get it with one of`,
    '  sudo apt-get install dotnet-sdk-10.0          (Ubuntu; Debian with the Microsoft feed)',
    '  sudo dnf install dotnet-sdk-10.0              (Fedora)',
    '  brew install dotnet-sdk                       (macOS)',
    '  winget install Microsoft.DotNet.SDK.10        (Windows)',
    'or from https://dotnet.microsoft.com/download/dotnet/10.0, then run npm test again.',
  ].join('\n');
}

/** Which of .NET's tests this system can run, as a filter of "dotnet test"; and what it cannot do, with the reason. */
export function testsFor({ platform, arch } = process) {
  const linuxOnly = { name: 'tests of Linux: containers, ptrace, core dumps, shells', reason: 'they run on Linux only' };
  if (platform === 'linux' && arch === 'x64')
    return { filter: 'Category!=Native&Category!=Windows&Category!=Wine', skipped: [] };
  // On other systems only tests that say so start programs and read them.
  const units = 'Category!=Integration&Category!=Native&Category!=Windows&Category!=Wine&System!=Linux';
  if (platform === 'win32' && arch === 'x64')
    return { filter: `(System=Windows|System=WindowsLong)|(${units})`, skipped: [linuxOnly] };
  const live = platform === 'linux' ? 'there is no decoder for the code of this processor yet: lines would be approximate' : 'processes and dumps of this system were never read: nobody has looked';
  return { filter: units, skipped: [{ name: 'tests that read processes and dumps', reason: live }, ...(platform === 'linux' ? [] : [linuxOnly])] };
}

/** What some tests are skipped or fail without. */
export function lacks() {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return [];
  const found = [];
  if (!isProgram('script'))
    found.push('script(1) is missing: sudo apt-get install bsdutils');
  if (!isProgram('gcore'))
    found.push('gcore is missing: sudo apt-get install gdb');
  if (!isProgram('gcc') || !existsSync('/usr/include/stdlib.h'))
    found.push('gcc with the headers of the C library is missing: sudo apt-get install gcc libc6-dev   (dumps/TaskletFixture)');
  if (!existsSync('/usr/lib/postgresql'))
    found.push('PostgreSQL is missing: sudo apt-get install postgresql   (dumps/Server; tests start one of their own)');
  if (!isProgram('redis-server'))
    found.push('redis-server is missing: sudo apt-get install redis-server   (dumps/Server; tests start one of their own)');
  if (lacksForWine())
    found.push(`${lacksForWine()}   (the tests of the Windows build)`);
  if (!isProgram('lldb-19'))
    found.push('lldb-19 is missing: sudo apt-get install lldb-19');
  if (!isProgram('go'))
    found.push('go is missing: sudo apt-get install golang-go   (its pprof reads what --format pprof writes)');
  if (!isProgram('dot'))
    found.push('dot is missing: sudo apt-get install graphviz   (reads what --format dot writes)');
  for (const [program, debianPackage] of [['zsh', 'zsh'], ['fish', 'fish'], ['groff', 'groff-base']]) {
    if (!isProgram(program))
      found.push(`${program} is missing: sudo apt-get install ${debianPackage}   (completions, the manual page)`);
  }
  if (!hasPowerShell())
    found.push(`PowerShell is missing: dotnet ${installPowerShell.join(' ')}   (completions)`);
  found.push(...lacksOfEndToEnd());
  if (ptraceScope() > 0 && process.getuid() !== 0)
    found.push(`reading other processes is restricted here: sudo sysctl kernel.yama.ptrace_scope=0   (is ${ptraceScope()})`);
  return found;
}

/** Arguments of dotnet that bring PowerShell, which is in no Debian package, to where the tests look for it. */
export const installPowerShell = ['tool', 'install', 'PowerShell', '--version', '7.6.9', '--tool-path', 'artifacts/powershell'];

/** The tests of its completions need it. */
export function hasPowerShell() {
  return ['artifacts/powershell/pwsh', '/usr/bin/pwsh'].some(file => existsSync(new URL(file, root)));
}

function isProgram(name) {
  return (process.env.PATH ?? '').split(delimiter).some(folder => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function ptraceScope() {
  try {
    return Number(readFileSync('/proc/sys/kernel/yama/ptrace_scope', 'utf8'));
  } catch {
    return 0;
  }
}
