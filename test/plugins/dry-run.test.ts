/** A dry run over what a plugin really called, in its isolate, before an upgrade that asks for less. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createPluginFolder,
  startPluginServer,
  type PluginFolder,
  type PluginServer,
} from './plugin-server.ts';

let folder: PluginFolder;
let server: PluginServer;
beforeAll(async () => {
  folder = await createPluginFolder();
  await folder.add(
    {
      id: 'keeper',
      permissions: { kv: { quotaMb: 1 }, secrets: true, textIndex: true },
      actions: ['run'],
    },
    `export default { actions: { run: async (_params, host) => {
      await host.kv.set({ key: 'a', value: 'x'.repeat(1000) });
      await host.kv.get({ key: 'a' });
      await host.secrets.create({ name: 'own' });
      await host.textIndex.size({}).catch(() => undefined);
    } } };`,
  );
  server = await startPluginServer(folder);
  await server.plugins.grants.set('keeper', { kv: { quotaMb: 1 }, secrets: true });
  await server.until(({ type }) => type === 'plugin.started');
  await server.plugins.actions.call('keeper', 'run', {});
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

const judged = async (what: Parameters<PluginServer['plugins']['grants']['dryRun']>[1]) => {
  const { entries, ...sums } = await server.plugins.grants.dryRun('keeper', what);
  return { ...sums, refused: entries.filter((one) => one.wouldBeRefused).map(({ call }) => call) };
};

test('what is granted now would be refused nothing but what it was refused', async () => {
  expect(await judged({ granted: { kv: { quotaMb: 1 }, secrets: true } })).toMatchObject({
    calls: 3,
    wouldBeRefused: 0,
    refused: ['textIndex.size'],
    since: expect.any(String),
  });
});

test('a version that asks for less is held against what it asks for, and what was decided before', async () => {
  const { calls, wouldBeRefused, refused } = await judged({ asked: { secrets: true } });

  expect({ calls, wouldBeRefused }).toEqual({ calls: 3, wouldBeRefused: 2 });
  expect(refused.sort()).toEqual(['kv.get', 'kv.set', 'textIndex.size']);
});

test('a store that is fuller than the grant allows is told', async () => {
  const { effects } = await judged({ granted: { kv: { quotaMb: 0.0005 } } });

  expect(effects).toEqual([expect.stringContaining('it could store nothing more')]);
});

test('a grant that is wider than what is asked for is refused, as it would be in earnest', async () => {
  await expect(judged({ granted: { net: ['*'] } })).rejects.toMatchObject({
    code: 'invalid_argument',
    message: expect.stringContaining('net was not asked for'),
  });
});
