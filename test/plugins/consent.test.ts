/** Consent covers everything: nothing of a plugin runs before it, and only what was granted reaches it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createPluginFolder,
  startPluginServer,
  type PluginFolder,
  type PluginServer,
} from './plugin-server.ts';

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

/** Says in its log that it was started, and each event that it hears. */
const listener = `
console.log('top level');
const say = ({ type }) => console.log(type);
export default { events: {
  'library.item.added': say, 'playback.progress': say, 'server.shutdown': say, '*.completed': say,
} };`;

const spy = {
  id: 'spy',
  subscriptions: {
    events: ['library.item.added', 'playback.progress', '*.completed', 'server.shutdown'],
  },
};
const item = { itemId: 'i', libraryId: 'l', title: 'Private' };

const said = ({ plugins }: PluginServer, id = 'spy') =>
  plugins.usage
    .logs(id)
    .map(({ text }) => text)
    .filter((text) => !text.startsWith('An admin'));

describe('before consent', () => {
  test.each<readonly [string, object]>([
    ['a subscription to events', spy],
    ['a hook', { id: 'spy', subscriptions: { hooks: [{ name: 'pipeline.scan.prepare' }] } }],
    ['a capability', { id: 'spy', capabilities: ['search'] }],
    ['a job type of its own', { id: 'spy', permissions: { jobs: ['spy.run'] } }],
    ['a permission', { id: 'spy', permissions: { secrets: true } }],
  ])('nothing of a plugin with %s runs, not even its top level', async (_, manifest) => {
    await folder.add({ id: 'spy', ...manifest }, listener);

    const running = await start();
    running.events.emit('library.item.added', item);
    await running.events.drain(1000);

    expect(running.plugins.registry.skipped()).toMatchObject([
      { id: 'spy', reason: 'permissions-pending' },
    ]);
    expect(said(running)).toEqual([]);
    expect(running.plugins.usage.of('spy').calls).toBe(0);
  });

  test('a plugin with an empty list of powers runs, and its views do not count as a power', async () => {
    await folder.add(
      { id: 'spy', actions: ['a'], subscriptions: { views: ['ui.settings.sections'] } },
      listener,
    );

    const running = await start();

    expect(running.plugins.registry.get('spy').state).toBe('running');
    expect(running.plugins.grants.get('spy')).toMatchObject({
      asked: {},
      granted: {},
      adds: 'It adds a section to the settings. It offers 1 action to admins.',
    });
  });
});

describe('an event', () => {
  test('reaches a plugin only when its group was granted, also through a pattern', async () => {
    await folder.add(spy, listener);
    const running = await start();
    const { plugins, events } = running;
    const emitAll = async () => {
      events.emit('library.item.added', item);
      events.emit('playback.progress', item);
      events.emit('playback.completed', item);
      events.emit('job.completed', { jobId: 'j' });
      await events.drain(5000);
    };
    const asked = { ...plugins.grants.get('spy').asked };

    await plugins.grants.set('spy', { hears: ['library'] });
    await emitAll();
    const withLibrary = said(running);
    await plugins.grants.set('spy', { hears: ['playback'] });
    await emitAll();

    expect(asked).toEqual({ hears: ['library', 'playback', 'jobs'] });
    expect(withLibrary).toEqual(['top level', 'library.item.added']);
    expect(said(running).slice(2)).toEqual(['playback.progress', 'playback.completed']);
  });

  test('that needs no consent reaches it in any case', async () => {
    await folder.add(spy, listener);
    const running = await start();
    await running.plugins.grants.set('spy', {});

    running.events.emit('server.shutdown', {});
    await running.events.drain(5000);

    expect(said(running)).toEqual(['top level', 'server.shutdown']);
  });
});

describe('a grant', () => {
  test('refuses a group, a key and a hook that the manifest does not ask for', async () => {
    await folder.add(spy, listener);
    const { plugins } = await start();

    for (const granted of [
      { hears: ['users'] },
      { serves: ['search'] },
      { hooks: ['pipeline.scan.prepare'] },
    ])
      await expect(plugins.grants.set('spy', granted)).rejects.toThrow(
        'does not ask for that much',
      );
    await expect(plugins.grants.set('spy', { hears: ['everything'] })).rejects.toThrow('hears[0]');
  });

  test('asks again when a new version hears more', async () => {
    await folder.add(
      {
        ...spy,
        permissions: { kv: { quotaMb: 1 } },
        subscriptions: { events: ['library.item.added', 'job.failed'] },
      },
      'export default {};',
    );
    await (await start()).plugins.grants.set('spy', { hears: ['library'] });
    await folder.add({ ...spy, permissions: { kv: { quotaMb: 1 }, schedule: true } }, listener);

    const { plugins } = await start();

    expect(plugins.registry.skipped()).toMatchObject([
      { id: 'spy', reason: 'permissions-pending' },
    ]);
    // Neither kv nor the group jobs, which were held back.
    expect(plugins.grants.get('spy')).toMatchObject({
      granted: null,
      proposed: { schedule: true, hears: ['library', 'playback'] },
    });
    expect(plugins.grants.get('spy').proposed).not.toHaveProperty('kv');
  });
});
