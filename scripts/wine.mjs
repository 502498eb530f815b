// A Windows machine under Wine: a prefix with .NET installed in "C:\Program Files\dotnet", as the installer does it.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rebase, writeAppHost } from './pe.mjs';
import { root, run } from './steps.mjs';

const framework = 'Microsoft.NETCore.App';
// Not in the repository: its drive Z is the whole file system, which what looks at all folders would walk through.
let prefix = null;

// Where Windows would put it, high above 4 GB; and a second one, as Wine puts it.
const installs = [{ name: 'Program Files', address: 0x7e0000000000n }, { name: 'low', address: null }];

// Debian has what keeps addresses of Windows free in a package of its own. Without it the kernel now and then puts the heap of Wine's loader where each program of Windows has a page, and the program does not start.
const ofDebian = '/usr/lib/wine/wine64', preloader = '/usr/lib/wine/wine64-preloader';

/** Wine's loader of 64-bit programs; null if there is none. */
export function wine() {
  return [ofDebian, '/usr/bin/wine64', '/opt/wine-stable/bin/wine64', '/usr/bin/wine'].find(existsSync) ?? null;
}

/** Variables of every program in it: collections, for which threads are stopped, are rare (see calm). Wine says when it loses a thread. */
export const variables = { WINEDEBUG: '-all,err+virtual', DOTNET_gcConcurrent: '0', DOTNET_GCgen0size: '8000000' };

/** Variables of the tool, which starts often: code is compiled fast and not again, for which threads would be stopped (see calm). */
export const quick = { DOTNET_TieredCompilation: '1', DOTNET_TieredPGO: '0', DOTNET_TC_CallCountingDelayMs: '7fffffff' };

/** The tool as it is started there, once the machine is prepared (windows.mjs). */
export const windowsTool = fileURLToPath(new URL('artifacts/windows/tests/dotnet-async2.exe', root));

/** The name that a file of Linux has there. */
export function nameInWine(file) {
  return 'Z:' + file.replaceAll('/', '\\');
}

/**
 * Has a program do without what stops its threads while they run. Wine 8 gives a thread 0.1 s to stop, less than one may have to wait for a processor; .NET then waits for itself for good. It
 * happens to programs with several busy threads on a busy machine.
 */
export function calm(dll) {
  const file = dll.replace(/\.dll$/, '.runtimeconfig.json'), settings = JSON.parse(readFileSync(file, 'utf8'));
  settings.runtimeOptions.configProperties = { ...settings.runtimeOptions.configProperties, 'System.Runtime.TieredCompilation': false };
  writeFileSync(file, JSON.stringify(settings));
}

/** What is missing; null if nothing is. */
export function lacksForWine() {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return 'tests of the Windows build run under Wine on Linux x64';
  if (!wine())
    return 'Wine is missing: sudo apt-get install wine64 wine64-preloader';
  return wine() === ofDebian && !existsSync(preloader) ? "Wine's preloader is missing: sudo apt-get install wine64-preloader" : null;
}

/** Where NuGet keeps packages, and which version of .NET the SDK brings; null, and what went wrong is printed, if .NET for Windows cannot be restored. */
export async function packages() {
  const restored = await run('dotnet', ['build', 'build/windows.proj', '-restore', '-t:Tell', '-nologo', '-v', 'minimal', '-nodeReuse:false']);
  const [, store, version] = /packages\|(.*)\|(.*)/.exec(restored.output) ?? [];
  if (restored.code === 0 && store)
    return { store, version };
  console.log(restored.output.trim());
  return null;
}

/** Makes the machine in a temporary folder; throws if that fails. */
export async function makeMachine({ store, version }) {
  const native = join(store, 'microsoft.netcore.app.runtime.win-x64', version, 'runtimes', 'win-x64', 'native');
  const managed = join(store, 'microsoft.netcore.app.runtime.win-x64', version, 'runtimes', 'win-x64', 'lib', 'net10.0');
  prefix = variables.WINEPREFIX = mkdtempSync(join(tmpdir(), 'async2-wine-'));
  // Without the offer to download Mono and Gecko.
  const made = await run(wine(), ['wineboot', '-i'], { variables: { ...variables, WINEDLLOVERRIDES: 'mscoree,mshtml=' } });
  if (!existsSync(join(prefix, 'drive_c')))
    throw new Error(`Wine made no machine: ${made.output.trim()}`);
  // A program that crashes ends, and is not debugged.
  await run(wine(), ['reg', 'delete', 'HKLM\\Software\\Microsoft\\Windows NT\\CurrentVersion\\AeDebug', '/v', 'Debugger', '/f'], { variables });
  for (const install of installs)
    installRuntime(join(prefix, 'drive_c', install.name, 'dotnet'), native, managed, version, install.address);
}

/** Ends all that runs in it, services included, and removes it. */
export async function removeMachine() {
  if (prefix === null)
    return;
  await run(wine(), ['wineboot', '-k'], { variables, minutes: 1 });
  try {
    rmSync(prefix, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });
  } catch (error) {
    console.log(`note: the folder of a Windows machine is left: ${error.message}`);
  }
  prefix = null;
}

/** Where .NET is installed in it. */
export function roots() {
  return installs.map(install => join(prefix, 'drive_c', install.name, 'dotnet'));
}

/** The executable of a program, beside its dll. */
export function makeExecutable({ store, version }, dll) {
  const host = join(store, 'microsoft.netcore.app.host.win-x64', version, 'runtimes', 'win-x64', 'native', 'apphost.exe');
  writeAppHost(host, dll.replace(/\.dll$/, '.exe'), basename(dll));
}

function installRuntime(target, native, managed, version, address) {
  const shared = join(target, 'shared', framework, version), host = join(target, 'host', 'fxr', version);
  mkdirSync(shared, { recursive: true });
  mkdirSync(host, { recursive: true });
  const parts = { runtime: readdirSync(managed).filter(name => name.endsWith('.dll')), native: readdirSync(native) };
  for (const name of parts.runtime)
    copyFileSync(join(managed, name), join(shared, name));
  for (const name of parts.native)
    copyFileSync(join(native, name), join(shared, name));
  copyFileSync(join(native, 'hostfxr.dll'), join(host, 'hostfxr.dll'));
  if (address)
    rebase(join(native, 'coreclr.dll'), join(shared, 'coreclr.dll'), address);
  writeFileSync(join(shared, `${framework}.deps.json`), JSON.stringify(dependencies(parts, version)));
}

// What the host reads to know which files are the framework.
function dependencies({ runtime, native }, version) {
  const target = '.NETCoreApp,Version=v10.0/win-x64', library = `${framework}.Runtime.win-x64/${version}`;
  const files = (names, facts) => Object.fromEntries(names.map(name => [name, facts]));
  return {
    runtimeTarget: { name: target, signature: '' },
    compilationOptions: {},
    targets: {
      '.NETCoreApp,Version=v10.0': {},
      [target]: { [library]: { runtime: files(runtime, { assemblyVersion: '10.0.0.0', fileVersion: '10.0.0.0' }), native: files(native, { fileVersion: '0.0.0.0' }) } },
    },
    libraries: { [library]: { type: 'package', serviceable: true, sha512: '', path: library.toLowerCase() } },
  };
}
