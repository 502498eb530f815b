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

test('Pages are requested one after the other until the last one', async () => {
  const sent: ToViewer[] = [];
  await new PageLoader(
    async (number) => page(number, number < 2 ? number + 1 : undefined),
    (message) => sent.push(message),
  ).load();
  assert.deepEqual(words(sent), ['reset', 'page 0', 'page 1', 'page 2']);
});

test('A newer load cancels an older one', async () => {
  const sent: ToViewer[] = [];
  const waiting: (() => void)[] = [];
  const loader = new PageLoader(
    (number) => new Promise((resolve) => waiting.push(() => resolve(page(number)))),
    (message) => sent.push(message),
  );
  const older = loader.load();
  const newer = loader.load();
  for (const go of waiting) go();
  await Promise.all([older, newer]);
  assert.deepEqual(words(sent), ['reset', 'reset', 'page 0']);
});

test('An error of the adapter is shown', async () => {
  const sent: ToViewer[] = [];
  await new PageLoader(
    () => Promise.reject(new Error('the process has ended')),
    (message) => sent.push(message),
  ).load();
  assert.deepEqual(words(sent), ['reset', 'failed the process has ended']);
});

test('A load of endless pages ends', async () => {
  const sent: ToViewer[] = [];
  await new PageLoader(
    async (number) => page(number, number + 1),
    (message) => sent.push(message),
  ).load();
  assert.match(words(sent).at(-1) ?? '', /^failed the tree has more than/);
});
