/** Who answers for what: a key has one provider, and no installation or grant moves it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createPluginFolder,
  startPluginServer,
  type PluginFolder,
  type PluginServer,
} from './plugin-server.ts';
import { testByNight } from '../support/run/test-by-night.ts';

let folder: PluginFolder;
let server: PluginServer | undefined;

beforeEach(async () => {
  folder = await createPluginFolder();
});

afterEach(async () => {
  await server?.stop();
  server = undefined;
  await folder.remove();
});

async function start(): Promise<PluginServer> {
  await server?.stop();
  server = await startPluginServer(folder);
  return server;
}

const idle = 'export default {};';
const taker = {
  capabilities: ['filesystem', 'search'],
  capabilityConfig: {
    filesystem: {
      supportsWatch: false,
      supportsLocalFileAccess: false,
      supportsWrite: false,
      schemes: ['file'],
    },
    jobs: { runs: ['scan'] },
  },
};
const all = { serves: ['filesystem:file', 'search', 'job:scan'] };

const answers = ({ plugins }: PluginServer) => [
  plugins.providers.filesystemFor('file'),
  plugins.providers.of('search'),
  plugins.providers.jobRunner('scan'),
];

describe('a part of the server', () => {
  beforeEach(async () => {
    await folder.add({ id: 'own', ...taker }, idle, 'builtins');
    await folder.add({ id: 'taker', ...taker }, idle);
  });

  testByNight('stays the provider when a plugin that serves the same is granted it', async () => {
    const running = await start();
    const before = answers(running);

    await running.plugins.grants.set('taker', all);

    expect(before).toEqual(['own', 'own', 'own']);
    expect(answers(running)).toEqual(before);
    expect(running.plugins.providers.allOf('search')).toEqual(['own']);
    expect(running.plugins.providers.list()).toContainEqual({
      key: 'search',
      pluginId: 'own',
      isChosen: false,
      candidates: ['taker', 'own'],
    });
  });

  test('is replaced for the keys that an admin chose, and over a restart of the server', async () => {
    const first = await start();
    await first.plugins.grants.set('taker', all);

    const chosen = await first.plugins.providers.choose('search', 'taker');

    expect(chosen).toMatchObject({ pluginId: 'taker', isChosen: true });
    expect(answers(first)).toEqual(['own', 'taker', 'own']);
    const second = await start();
    await expect.poll(() => answers(second)).toEqual(['own', 'taker', 'own']);
  });

  test.each<readonly [string, string, string]>([
    ['search', 'nobody', '"nobody" was not granted search; right is taker, own.'],
    ['webhooks', 'taker', 'A plugin that serves "webhooks"'],
  ])('is not replaced for %s by %s', async (key, pluginId, why) => {
    const { plugins } = await start();
    await plugins.grants.set('taker', all);

    await expect(plugins.providers.choose(key, pluginId)).rejects.toThrow(why);
  });

  test('answers again when the provider is disabled, and the admins hear of it once', async () => {
    const running = await start();
    const { plugins, told } = running;
    await plugins.grants.set('taker', all);
    await plugins.providers.choose('search', 'taker');

    await plugins.lifecycle.disable('taker');
    const whileDisabled = plugins.providers.of('search');
    await plugins.lifecycle.enable('taker');

    expect(whileDisabled).toBe('own');
    expect(plugins.providers.of('search')).toBe('taker');
    expect(told).toEqual(['taker search: disabled, now own']);
  });

  testByNight('answers again when an admin takes the key away from the provider', async () => {
    const { plugins, told } = await start();
    await plugins.grants.set('taker', all);
    await plugins.providers.choose('search', 'taker');

    await plugins.grants.set('taker', { serves: ['filesystem:file'] });

    expect(plugins.providers.of('search')).toBe('own');
    expect(told).toEqual(['taker search: not granted, now own']);
  });

  testByNight('does not stand in for a provider that restarts', async () => {
    const { plugins, events } = await start();
    await plugins.grants.set('taker', all);
    await plugins.providers.choose('search', 'taker');
    const seen: (string | undefined)[] = [];
    events.listen('plugin.*', () => seen.push(plugins.providers.of('search')));

    await plugins.lifecycle.restart('taker');

    expect(seen).toContain(undefined);
    expect(seen).not.toContain('own');
    expect(plugins.providers.of('search')).toBe('taker');
  });
});

describe('a capability that no plugin serves', () => {
  const lights = (id: string) =>
    folder.add({ id, capabilities: ['library'], mediaTypes: ['games'] }, idle);

  testByNight('goes to the first plugin that is granted it, and a second one waits', async () => {
    await lights('late');
    await lights('early');
    const { plugins } = await start();

    await plugins.grants.set('early', { serves: ['library:games'] });
    await plugins.grants.set('late', { serves: ['library:games'] });

    expect(plugins.providers.allOf('library:games')).toEqual(['early']);
    expect(plugins.providers.list()).toEqual([
      { key: 'library:games', pluginId: 'early', isChosen: true, candidates: ['early', 'late'] },
    ]);
    const { providers } = (await start()).plugins;
    await expect.poll(() => providers.allOf('library:games')).toEqual(['early']);
  });

  test('is not served by a plugin that was not granted the key', async () => {
    await lights('held-back');
    const { plugins } = await start();

    await plugins.grants.set('held-back', {});

    expect(plugins.registry.get('held-back').state).toBe('running');
    expect(plugins.providers.allOf('library')).toEqual([]);
  });
});

describe('a type of jobs', () => {
  test('of a plugin’s own is run by that plugin alone, and is one of the types that there are', async () => {
    await folder.add({ id: 'steward', permissions: { jobs: ['steward.find', 'scan'] } }, idle);
    await folder.add({ id: 'thief', permissions: { jobs: ['steward.find', 'scan'] } }, idle);
    const { plugins } = await start();

    await plugins.grants.set('thief', { jobs: ['steward.find', 'scan'] });
    await plugins.grants.set('steward', { jobs: ['scan'], serves: ['job:steward.find'] });

    expect(plugins.grants.get('thief').asked).toEqual({ jobs: ['steward.find', 'scan'] });
    expect([
      plugins.providers.jobRunner('steward.find'),
      plugins.providers.jobRunner('scan'),
    ]).toEqual(['steward', undefined]);
    expect(plugins.providers.jobTypes()).toEqual(['steward.find']);
  });
});
