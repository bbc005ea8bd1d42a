/** The folder of local plugins, looked at while the server runs. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createPluginFolder,
  startPluginServer,
  type PluginFolder,
  type PluginServer,
} from './plugin-server.ts';
import { testByNight } from '../support/run/test-by-night.ts';

let folder: PluginFolder;
let server: PluginServer;

const saying = (word: string): string =>
  `export default { actions: { ask: () => '${word}', more: () => 'more than ${word}' } };`;

/** Asks for `kv`, unless another permission is named. */
const written = (id: string, word: string, manifest: Readonly<Record<string, unknown>> = {}) =>
  folder.add(
    { id, actions: ['ask'], permissions: { kv: { quotaMb: 1 } }, ...manifest },
    saying(word),
  );

const ask = (id: string, rpcMethod = 'ask') => server.plugins.actions.call(id, rpcMethod, {});

const idsOf = (plugins: readonly { readonly id: string }[]) => plugins.map(({ id }) => id);

/** A plugin that runs with all that it asks for. */
async function running(id: string, manifest: Readonly<Record<string, unknown>> = {}) {
  const at = await written(id, 'first', manifest);
  await server.plugins.lifecycle.rescan();
  await server.plugins.grants.set(id, { kv: { quotaMb: 1 } });
  return at;
}

beforeAll(async () => {
  folder = await createPluginFolder();
  await folder.add({ id: 'part' }, saying('part'), 'builtins');
  server = await startPluginServer(folder);
});

afterAll(async () => {
  await server.stop();
  await folder.remove();
});

describe('a rescan', () => {
  test('finds a new folder, whose plugin waits for a grant and then runs', async () => {
    await written('newcomer', 'hello');

    const rescan = await server.plugins.lifecycle.rescan();

    expect(rescan).toMatchObject({
      found: [{ id: 'newcomer', type: 'local', state: 'discovered' }],
      changed: [],
      removed: [],
      skipped: [{ id: 'newcomer', reason: 'permissions-pending' }],
    });
    await server.plugins.grants.set('newcomer', { kv: { quotaMb: 1 } });
    expect(await ask('newcomer')).toBe('hello');
    expect(await server.plugins.lifecycle.rescan()).toEqual({
      ...{ found: [], changed: [], removed: [], skipped: [] },
    });
  });

  test('takes another manifest with its code, and the grant goes on', async () => {
    await running('moved');
    await written('moved', 'second', { version: '2.0.0', actions: ['ask', 'more'] });

    const { changed } = await server.plugins.lifecycle.rescan();

    expect(changed).toMatchObject([{ id: 'moved', version: '2.0.0', state: 'running' }]);
    expect(await ask('moved', 'more')).toBe('more than second');
  });

  testByNight('takes other code beside the same manifest', async () => {
    await running('recoded');
    await written('recoded', 'second');

    expect(idsOf((await server.plugins.lifecycle.rescan()).changed)).toEqual(['recoded']);
    expect(await ask('recoded')).toBe('second');
    expect(idsOf((await server.plugins.lifecycle.rescan()).changed)).toEqual([]);
  });

  test('lets no plugin run that asks for more than was granted, until that is decided', async () => {
    await running('greedy');
    await written('greedy', 'second', { permissions: { kv: { quotaMb: 1 }, net: ['a.test'] } });

    const { changed, skipped } = await server.plugins.lifecycle.rescan();

    expect(idsOf(changed)).toEqual(['greedy']);
    expect(skipped).toMatchObject([{ id: 'greedy', reason: 'permissions-pending' }]);
    await expect(ask('greedy')).rejects.toThrow();
    await server.plugins.grants.set('greedy', { kv: { quotaMb: 1 } });
    expect(await ask('greedy')).toBe('second');
  });

  testByNight('ends a plugin whose folder is gone, and what needs it', async () => {
    const at = await running('base');
    await running('upper', { dependencies: { base: '>=1.0.0' } });
    await rm(at, { recursive: true });

    const { removed, skipped } = await server.plugins.lifecycle.rescan();

    expect(removed).toEqual(['base']);
    expect(server.plugins.registry.has('base')).toBe(false);
    expect(skipped).toMatchObject([{ id: 'upper', reason: 'missing-dependency' }]);
    await written('base', 'back');
    await server.plugins.lifecycle.rescan();
    expect([await ask('base'), await ask('upper')]).toEqual(['back', 'first']);
  });

  test('says what it cannot take, and what ran goes on', async () => {
    const at = await running('broken');
    await writeFile(path.join(at, 'manifest.json'), '{"id": "broken"');
    await folder.add({ id: 'part', version: '9.0.0' }, saying('stranger'));

    const { changed, removed, skipped } = await server.plugins.lifecycle.rescan();

    expect([changed, removed]).toEqual([[], []]);
    expect(skipped).toMatchObject([
      { key: 'broken', reason: 'invalid-manifest' },
      { id: 'part', version: '9.0.0', reason: 'duplicate-id' },
    ]);
    expect(await ask('broken')).toBe('first');
    expect(server.plugins.registry.get('part')).toMatchObject({
      type: 'builtin',
      version: '1.0.0',
    });
  });
});

describe('a restart of a local plugin', () => {
  testByNight('takes the manifest that its folder has now', async () => {
    await running('edited');
    await written('edited', 'second', { version: '1.1.0', actions: ['ask', 'more'] });

    const plugin = await server.plugins.lifecycle.restart('edited');

    expect(plugin).toMatchObject({ version: '1.1.0', state: 'running' });
    expect(await ask('edited', 'more')).toBe('more than second');
    expect(server.plugins.usage.logs('edited').map(({ text }) => text)).toEqual(
      expect.arrayContaining([expect.stringContaining('An admin granted')]),
    );
  });

  test('waits for a grant when the manifest asks for more', async () => {
    await running('wider');
    await written('wider', 'second', { permissions: { kv: { quotaMb: 1 }, wasm: true } });

    expect(await server.plugins.lifecycle.restart('wider')).toMatchObject({ state: 'discovered' });

    await expect(ask('wider')).rejects.toThrow();
    expect(server.plugins.registry.skipped()).toContainEqual(
      expect.objectContaining({ id: 'wider', reason: 'permissions-pending' }),
    );
  });

  testByNight(
    'is refused with the reason when the folder cannot be taken, and the plugin goes on',
    async () => {
      const at = await running('spoiled');
      await writeFile(path.join(at, 'manifest.json'), '{}');

      await expect(server.plugins.lifecycle.restart('spoiled')).rejects.toThrow(
        /Plugin spoiled was not changed\. .*manifestVersion/,
      );
      expect(await ask('spoiled')).toBe('first');
    },
  );
});
