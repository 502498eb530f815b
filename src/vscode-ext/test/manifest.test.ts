// Checks that what package.json promises exists: commands, texts, translations.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = process.cwd();
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const json = (name: string) => JSON.parse(read(name)) as Record<string, string>;
const manifest = JSON.parse(read('package.json'));
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => read(join('src', name)));
const source = sources.join('\n');

/** Texts that the source passes to l10n.t. */
const spoken = [...source.matchAll(/l10n\.t\(\s*'((?:[^'\\]|\\.)*)'/g)].map((match) => match[1] as string);

test('Every command is registered and has a title', () => {
  const names: string[] = manifest.contributes.commands.map(({ command }: { command: string }) => command);
  assert.ok(names.length > 5);
  for (const name of names) assert.match(source, new RegExp(`'${name.replace('.', '[.]')}'`), name);
});

test('package.nls.json has exactly the texts of the manifest', () => {
  const used = new Set([...read('package.json').matchAll(/"%([\w.]+)%"/g)].map((match) => match[1]));
  assert.deepEqual([...used].sort(), Object.keys(json('package.nls.json')).sort());
});

test('The bundle has exactly the texts of the source', () => {
  assert.ok(spoken.length > 20);
  assert.deepEqual(Object.keys(json('l10n/bundle.l10n.json')).sort(), [...new Set(spoken)].sort());
});

test('Every translation has every text, with the same placeholders', () => {
  const pairs = [
    ...readdirSync(join(root, 'l10n')).map((name) => [join('l10n', name), 'l10n/bundle.l10n.json']),
    ...readdirSync(root)
      .filter((name) => /^package\.nls\..+\.json$/.test(name))
      .map((name) => [name, 'package.nls.json']),
  ] as [string, string][];
  assert.ok(pairs.length >= 3, 'there is no translation');
  for (const [name, original] of pairs) {
    const texts = json(original);
    const translated = json(name);
    assert.deepEqual(Object.keys(translated).sort(), Object.keys(texts).sort(), name);
    for (const key of Object.keys(texts))
      assert.deepEqual(marks(translated[key] as string), marks(texts[key] as string), `${name}: ${key}`);
  }
});

test('A folder cannot set the trace file, and an untrusted folder cannot choose the program', () => {
  const { properties } = manifest.contributes.configuration;
  assert.equal(properties['async2.trace'].scope, 'machine');
  assert.ok(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.includes('async2.toolPath'));
});

test('All versions are pinned, and the types are those of the oldest VS Code', () => {
  for (const [name, version] of Object.entries(manifest.devDependencies)) assert.match(version as string, /^\d/, name);
  assert.equal(`^${manifest.devDependencies['@types/vscode']}`, manifest.engines.vscode);
});

/** `{0}`, links to commands, code. */
function marks(text: string): string[] {
  return [...text.matchAll(/\{\d\}|\(command:[^)]*\)|`[^`]*`|\$\{[^}]*\}/g)].map((match) => match[0]).sort();
}
