import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/storage.ts';
import { openPlugin } from './plugin-test.ts';

test('smoke', async () => {
  const folder = path.join(temporaryFolder(), 'p');
  mkdirSync(folder);
  writeFileSync(
    path.join(folder, 'manifest.json'),
    JSON.stringify({
      manifestVersion: 1,
      id: 'p',
      name: 'P',
      version: '1.0.0',
      description: 'd',
      author: 'a',
      license: 'MIT',
      main: 'index.js',
      minVersion: '>=0.1.0',
      capabilities: [],
      mediaTypes: [],
      permissions: { kv: { quotaMb: 1 }, schedule: true, net: ['a.example.org'] },
      subscriptions: { events: ['library.item.added'] },
      actions: ['go', 'fail'],
    }),
  );
  writeFileSync(
    path.join(folder, 'index.ts'),
    `
import { definePlugin } from '@vitrine/plugin-api';
export default definePlugin({
  events: { 'library.item.added': async ({data}, host) => { await host.kv.set({key:'t', value: data.title}); } },
  actions: {
    go: async (_, host) => ({ now: Date.now(), t: await host.kv.get({key:'t'}), net: await host.net.fetch({url:'https://a.example.org/x'}) }),
    fail: () => { throw new Error('Oh no.'); },
  },
});`,
  );
  const plugin = await openPlugin(folder, {
    clock: Date.UTC(2026, 0, 1),
    hosts: { 'a.example.org': { body: { a: 1 } } },
  });
  const [item] = plugin.library.items();
  await plugin.event('library.item.added', {
    itemId: 'x',
    libraryId: 'y',
    title: item?.title ?? '',
  });
  console.log(await plugin.action('go'));
  await plugin.clock.advance(60_000);
  console.log(await plugin.action('go'), plugin.usage());
  await plugin.action('fail').catch((e: unknown) => console.log(e));
  await plugin.restart();
  console.log(await plugin.action('go'), plugin.state(), plugin.logs());
  await plugin.close();
  expect(1).toBe(1);
});
