import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expandPath, findTool, type ToolPlaces } from '../src/tool/toolSearch';

const manifest = JSON.stringify({ version: 1, tools: { 'dotnet-async2': { version: '0.1.0', commands: ['dotnet-async2'] } } });

/** A machine with these files: name to text. */
function machine(files: Record<string, string>, more: Partial<ToolPlaces> = {}): ToolPlaces {
  return {
    setting: '',
    folder: '/home/me/shop/src',
    trusted: true,
    pathVariable: '/usr/bin:/opt/tools',
    extension: '/extension',
    home: '/home/me',
    windows: false,
    isFile: (path) => Object.hasOwn(files, path),
    read: (path) => files[path],
    ...more,
  };
}

const everywhere = {
  '/set/dotnet-async2': '',
  '/home/me/shop/.config/dotnet-tools.json': manifest,
  '/opt/tools/dotnet-async2': '',
  '/home/me/.dotnet/tools/dotnet-async2': '',
};

function originIn(places: ToolPlaces): string {
  const search = findTool(places);
  return 'found' in search ? search.found.origin : `missing: ${search.missing}`;
}

test('The setting comes first, then a manifest, what the extension brings, PATH, and the global tools', () => {
  const files: Record<string, string> = { ...everywhere, '/extension/tool/dotnet-async2': '' };
  assert.equal(originIn(machine(files, { setting: '/set/dotnet-async2' })), 'setting');
  assert.equal(originIn(machine(files)), 'manifest');
  delete files['/home/me/shop/.config/dotnet-tools.json'];
  assert.equal(originIn(machine(files)), 'bundled');
  delete files['/extension/tool/dotnet-async2'];
  assert.equal(originIn(machine(files)), 'path');
  delete files['/opt/tools/dotnet-async2'];
  assert.equal(originIn(machine(files)), 'global');
  delete files['/home/me/.dotnet/tools/dotnet-async2'];
  assert.equal(originIn(machine(files)), 'missing: everywhere');
});

test('A setting that names a missing file is reported', () => {
  assert.deepEqual(findTool(machine(everywhere, { setting: '/gone/tool' })), { missing: 'setting', path: '/gone/tool' });
});

test('An assembly is started by dotnet', () => {
  const search = findTool(machine({ '/b/dotnet-async2.dll': '' }, { setting: '/b/dotnet-async2.dll' }));
  assert.ok('found' in search);
  assert.deepEqual([search.found.program, ...search.found.args], ['dotnet', '/b/dotnet-async2.dll']);
});

test('A tool of a manifest is started by dotnet in the folder', () => {
  const search = findTool(machine(everywhere));
  assert.ok('found' in search);
  assert.equal(search.found.cwd, '/home/me/shop/src');
  assert.deepEqual([search.found.program, ...search.found.args], ['dotnet', 'tool', 'run', 'dotnet-async2', '--']);
});

test('In an untrusted folder manifests are ignored', () => {
  assert.equal(originIn(machine(everywhere, { trusted: false })), 'path');
});

test('A manifest that is a root hides those above it', () => {
  const files = { ...everywhere, '/home/me/shop/src/.config/dotnet-tools.json': '{"isRoot":true,"tools":{}}' };
  assert.equal(originIn(machine(files)), 'path');
});

test('A manifest that is not JSON, or null, is ignored', () => {
  for (const text of ['{', 'null', '[]', '{"tools":7}']) {
    assert.equal(originIn(machine({ ...everywhere, '/home/me/shop/.config/dotnet-tools.json': text })), 'path');
  }
});

test('Relative entries of PATH are ignored', () => {
  assert.equal(
    originIn(machine({ 'tools/dotnet-async2': '', '/home/me/shop/src/tools/dotnet-async2': '' }, { pathVariable: 'tools:.' })),
    'missing: everywhere',
  );
});

test('On Windows the program ends in .exe', () => {
  const places = machine(
    { 'C:\\tools\\dotnet-async2.exe': '' },
    { windows: true, folder: 'D:\\shop', home: 'C:\\me', pathVariable: 'C:\\w;C:\\tools' },
  );
  assert.equal(originIn(places), 'path');
  assert.equal(originIn({ ...places, setting: 'C:\\tools\\dotnet-async2' }), 'setting');
});

test('Paths may begin at home, at the workspace folder, or be relative to it', () => {
  const places = machine({});
  assert.equal(expandPath('~/x', places), '/home/me/x');
  assert.equal(expandPath('${workspaceFolder}/x', places), '/home/me/shop/src/x');
  assert.equal(expandPath('x/y', places), '/home/me/shop/src/x/y');
  assert.equal(expandPath('/x', places), '/x');
});
