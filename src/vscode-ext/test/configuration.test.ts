import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultOf, harmfulFields, type SessionDefaults, withDefaults } from '../src/session/configuration';

const defaults: SessionDefaults = { maxThreads: 500, groupStacks: false, justMyCode: false, symbolPath: [], trace: '' };
const places = { folder: '/shop', home: '/home/me', windows: false };

test('Settings provide the fields that a configuration leaves out', () => {
  const whole = withDefaults({ type: 'async2', request: 'launch', dumpPath: '/a.dmp' }, defaults, places);
  assert.deepEqual(whole, {
    type: 'async2',
    request: 'launch',
    dumpPath: '/a.dmp',
    maxThreads: 500,
    groupStacks: false,
    justMyCode: false,
  });
});

test('A configuration overrides the settings', () => {
  const whole = withDefaults(
    { request: 'attach', processId: 7, maxThreads: 3, symbolPath: '/mine' },
    { ...defaults, symbolPath: ['/pdb'] },
    places,
  );
  assert.deepEqual([whole.maxThreads, whole.symbolPath], [3, '/mine']);
});

test('Paths of settings and dumps become absolute', () => {
  const whole: Record<string, unknown> = withDefaults(
    { dumpPath: 'a.dmp' } as Record<string, unknown>,
    { ...defaults, symbolPath: ['~/pdb'], trace: 'dap.log' },
    places,
  );
  assert.deepEqual([whole.dumpPath, whole.symbolPath, whole.trace], ['/shop/a.dmp', ['/home/me/pdb'], '/shop/dap.log']);
});

test('The question about a harmful field names the full path', () => {
  const whole = withDefaults({ request: 'launch', dumpPath: 'a.dmp', dac: 'lib/x.so', trace: '~/t.log' }, defaults, places);
  assert.deepEqual(harmfulFields(whole), [
    { field: 'dac', path: '/shop/lib/x.so' },
    { field: 'trace', path: '/home/me/t.log' },
  ]);
  for (const nothing of [undefined, '', 7]) assert.deepEqual(harmfulFields({ dac: nothing, trace: nothing }), []);
});

test('A launch needs a dump, an attach needs a process id, and no other request is accepted', () => {
  assert.equal(faultOf({ request: 'launch', dumpPath: '/a.dmp' }), undefined);
  for (const dumpPath of [undefined, '', '  ', 7]) assert.equal(faultOf({ request: 'launch', dumpPath }), 'dumpPath');
  for (const processId of [7, '7', ' 4711 ']) assert.equal(faultOf({ request: 'attach', processId }), undefined);
  for (const processId of [undefined, 0, -1, 1.5, '', '7; rm', '0x10', {}])
    assert.equal(faultOf({ request: 'attach', processId }), 'processId');
  assert.equal(faultOf({ request: 'run' }), 'request');
});
