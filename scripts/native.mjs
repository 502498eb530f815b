// npm run native: the tool as one native executable for this machine, in artifacts/native.
//   --packages   instead, the packages of "dotnet tool install": native for this system, one for everywhere, and the one that names them; in artifacts/packages
import { existsSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { endCompilerServer, withCompilerServer } from './compiler.mjs';
import { root, run, step } from './steps.mjs';

const project = 'src/Async2.Dump';
const system = 'linux-x64';
const quiet = ['-v', 'quiet', '-nodeReuse:false'];

/** Where the packages are. */
export const packages = fileURLToPath(new URL('artifacts/packages', root));

/** What is missing to make one; null if nothing is. */
export async function lacksForNative() {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return 'a native build was only ever made on Linux x64';
  const compiled = await run('sh', ['-c', 'echo "int main(void){return 0;}" | gcc -x c - -lz -o /dev/null']);
  return compiled.code === 0 ? null : 'the native build needs gcc and zlib: sudo apt-get install gcc libc6-dev zlib1g-dev';
}

/** The framework to compile with: .NET 10's, or the one of .NET 9 where packages of the first cannot be restored. */
export async function nativeFramework() {
  for (const framework of ['net10.0', 'net9.0']) {
    const restored = await run('dotnet', ['restore', project, '-r', system, `-p:NativeFramework=${framework}`, ...quiet]);
    if (restored.code === 0)
      return framework;
    if (framework === 'net9.0')
      console.log(restored.output.trim());
  }
  return null;
}

/** One executable, and what travels beside it. */
export async function publishNative(framework) {
  return (await step('native: executable', 'dotnet', ['publish', project, '-c', 'Release', '-r', system, `-p:NativeFramework=${framework}`, ...quiet, '-o', 'artifacts/native'])).ok;
}

/** All packages of the tool. */
export async function packNative(framework) {
  rmSync(packages, { recursive: true, force: true });
  const properties = ['-p:NativePackages=true', `-p:NativeFramework=${framework}`, ...quiet], pack = ['pack', project, '-c', 'Release', ...properties, '-o', packages];
  // The package that names the others holds nothing else, so nothing is built for it.
  const steps = [
    ['restore', ['restore', project, ...properties]], ['names of packages', [...pack, '--no-build']], ['package for everywhere', [...pack, '-r', 'any']], [`package for ${system}`, [...pack, '-r', system]],
  ];
  let ok = true;
  for (const [name, words] of steps)
    ok &&= (await step(`native: ${name}`, 'dotnet', words, { variables: withCompilerServer })).ok;
  await endCompilerServer();
  return ok;
}

/** Installs the tool from the packages into a folder, as a user would; null if that fails. */
export async function installNative(folder) {
  rmSync(folder, { recursive: true, force: true });
  const { ok } = await step('native: dotnet tool install', 'dotnet', ['tool', 'install', '--tool-path', folder, '--add-source', packages, 'dotnet-async2']);
  return ok && existsSync(`${folder}/dotnet-async2`) ? realpathSync(`${folder}/dotnet-async2`) : null;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const lack = await lacksForNative();
  const framework = lack ? null : await nativeFramework();
  if (!framework) {
    console.error(lack ?? 'The compiler for native code could not be restored: see above.');
    process.exit(1);
  }
  const ok = process.argv.includes('--packages') ? await packNative(framework) : await publishNative(framework);
  if (ok)
    console.log(process.argv.includes('--packages') ? readdirSync(packages).map(name => `artifacts/packages/${name}`).join('\n') : 'artifacts/native/dotnet-async2');
  process.exit(ok ? 0 : 1);
}
