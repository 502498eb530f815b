import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PageLoader } from '../src/panel/pageLoader';
import type { ToViewer } from '../viewer/model/messages';
import type { TreePage } from '../viewer/model/tree';

function page(number: number, next?: number): TreePage {
  return { schema: 'async2.tree/1', page: number, next, frames: [], nodes: { frame: [], joins: [] }, stacks: [] };
}

function words(messages: readonly ToViewer[]): string[] {
  return messages.map((message) =>
    message.type === 'page' ? `page ${message.page.page}` : message.type === 'failed' ? `failed ${message.text}` : message.type,
  );
}

test('Pages are asked for one after the other, until none is next', async () => {
  const told: ToViewer[] = [];
  await new PageLoader(
    async (number) => page(number, number < 2 ? number + 1 : undefined),
    (message) => told.push(message),
  ).load();
  assert.deepEqual(words(told), ['reset', 'page 0', 'page 1', 'page 2']);
});

test('A newer load ends an older one', async () => {
  const told: ToViewer[] = [];
  const waiting: (() => void)[] = [];
  const loader = new PageLoader(
    (number) => new Promise((resolve) => waiting.push(() => resolve(page(number)))),
    (message) => told.push(message),
  );
  const older = loader.load();
  const newer = loader.load();
  for (const go of waiting) go();
  await Promise.all([older, newer]);
  assert.deepEqual(words(told), ['reset', 'reset', 'page 0']);
});

test('What cannot be had is said', async () => {
  const told: ToViewer[] = [];
  await new PageLoader(
    () => Promise.reject(new Error('the process has ended')),
    (message) => told.push(message),
  ).load();
  assert.deepEqual(words(told), ['reset', 'failed the process has ended']);
});

test('Pages without end come to one', async () => {
  const told: ToViewer[] = [];
  await new PageLoader(
    async (number) => page(number, number + 1),
    (message) => told.push(message),
  ).load();
  assert.match(words(told).at(-1) ?? '', /^failed the tree has more than/);
});
