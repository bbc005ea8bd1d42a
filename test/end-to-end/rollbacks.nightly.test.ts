/** Versions of plugins over time: rollbacks, the notifications beside them, and hooks that come later. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { startMarketplaceSite, type MarketplaceSite } from '../support/plugins/marketplace-site.ts';
import { createPublisher } from '../support/plugins/packages.ts';
import { allItems, firstScansOver, noJobs } from '../support/servers/scan.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

const publisher = createPublisher();
const at = '/api/plugins/marketplace';

let site: MarketplaceSite;
let films: MediaTree;
let others: MediaTree;
let server: TestServer;

beforeAll(async () => {
  site = await startMarketplaceSite();
  films = await createMediaTree(
    ['Stalker (1979)', 'Brazil (1985)', 'Ran (1985)'].map((name) => `${name}/${name}.mkv`),
  );
  others = await createMediaTree(['Alien (1979)/Alien (1979).mkv']);
  server = await startServer({
    args: [
      ...['--library', `movies:Films:${films.path}`],
      ...['--library', `movies:Others:${others.path}`],
    ],
    env: { VITRINE_MARKETPLACE_MINUTES: '0' },
  });
  await post('sources', { url: site.indexUrl });
});

afterAll(async () => {
  await server.stop();
  await Promise.all([films.remove(), others.remove(), site.close()]);
});

const post = (route: string, body: object = {}) => server.request('POST', `${at}/${route}`, body);
const permissions = { kv: { quotaMb: 1 } };

function publish(id: string, version: string, source: string, more: object = {}): void {
  const fields = { id, version, actions: ['state', 'write'], permissions, ...more };
  site.publish(fields, { signer: publisher, source });
}
const keeper = (version: string): string => `export default { actions: {
  state: async (_, host) => ({ version: '${version}', kv: await host.kv.get({ key: 'a' }) }),
  write: async ({ text }, host) => { await host.kv.set({ key: 'a', value: text }); return null; },
}, methods: { 'job.run': () => ({ done: true, result: null }) } };`;

/** Installs or upgrades, and leaves a mark of the version in its data. */
async function run(id: string, version: string): Promise<void> {
  publish(id, version, keeper(version));
  await post('refresh');
  const verb = version === '1.0.0' ? 'install' : 'upgrade';
  await post(verb, { id, version, granted: permissions });
  await server.request('POST', `/api/plugins/${id}/actions/write`, { text: `of ${version}` });
}
const stateOf = async (id: string) =>
  (
    (await server.request('POST', `/api/plugins/${id}/actions/state`, {})).body as {
      result: object;
    }
  ).result;
const earlier = async (id: string) =>
  (await server.get<{ versions: readonly object[] }>(`/api/plugins/${id}/versions`)).versions;
const back = (id: string, version?: string) => post('rollback', { id, version });
/** The unread ones about a plugin. */
const unread = async (id: string) => {
  const { notifications } = await server.get<{
    notifications: readonly { title: string; message: string }[];
  }>('/api/notifications?unread=true&limit=500');
  return notifications.map(({ title }) => title).filter((title) => title.includes(id));
};

describe('a plugin with several versions', () => {
  test('goes back step by step, and forth, each with its data of then', async () => {
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) await run('steps', version);

    const states = [];
    for (const version of [undefined, undefined, '1.2.0']) {
      await back('steps', version);
      states.push(await stateOf('steps'));
    }

    expect(states).toEqual([
      { version: '1.1.0', kv: 'of 1.1.0' },
      { version: '1.0.0', kv: 'of 1.0.0' },
      { version: '1.2.0', kv: 'of 1.2.0' },
    ]);
    expect(await earlier('steps')).toMatchObject([
      { version: '1.0.0', isKept: true, isNext: false, revoked: null },
      { version: '1.1.0', isKept: true, isNext: true, revoked: null },
    ]);
  });

  test('still goes back after the server rolled back by itself, and past a revoked version', async () => {
    for (const version of ['1.0.0', '1.1.0']) await run('past', version);
    publish('past', '1.2.0', "throw new Error('The license ran out.');");
    await post('refresh');
    const failed = await post('upgrade', { id: 'past', granted: permissions });
    site.change(({ plugins }) => ({
      plugins: plugins.map((one) => ({
        ...one,
        versions: one.versions.map((version) =>
          one.id === 'past' && version.version === '1.1.0'
            ? { ...version, revoked: 'It leaks.' }
            : version,
        ),
      })),
    }));
    await post('refresh');

    const rolledBack = await back('past');

    expect(failed.status).toBe(422);
    expect(rolledBack).toMatchObject({
      status: 200,
      body: { plugin: { version: '1.0.0', state: 'running' } },
    });
    expect(await stateOf('past')).toEqual({ version: '1.0.0', kv: 'of 1.0.0' });
    expect(await back('past')).toMatchObject({ status: 404 });
    expect(await back('past', '1.1.0')).toMatchObject({ status: 422, body: { code: 'REVOKED' } });
    expect(await back('past', '1.2.0')).toMatchObject({ status: 404 });
  });

  test('fetches exactly the package whose code is not kept, and keeps its data', async () => {
    for (const minor of [0, 1, 2, 3, 4]) await run('long', `1.${minor}.0`);
    const listed = await earlier('long');
    const asked = site.http.requests.length;

    const fetched = await back('long', '1.0.0');
    const requests = site.http.requests.slice(asked);
    site.change(({ plugins }) => ({ plugins: plugins.filter(({ id }) => id !== 'long') }));
    await post('refresh');
    const gone = await back('long', '1.1.0');

    expect(listed).toMatchObject(
      ['1.3.0', '1.2.0', '1.1.0', '1.0.0'].map((version) => ({
        version,
        isKept: version !== '1.0.0',
      })),
    );
    expect(fetched).toMatchObject({ status: 200, body: { plugin: { version: '1.0.0' } } });
    expect(requests).toEqual([expect.objectContaining({ path: '/packages/long-1.0.0.vplugin' })]);
    expect(gone).toMatchObject({
      status: 404,
      body: { message: 'The code of long 1.1.0 is not kept here, and no source offers it.' },
    });
    expect(await stateOf('long')).toEqual({ version: '1.0.0', kv: 'of 1.4.0' });
  });

  test('lists nothing for a plugin of the server, and is unknown when there is none', async () => {
    expect(await earlier('search')).toEqual([]);
    expect(await server.request('GET', '/api/plugins/nothing/versions')).toMatchObject({
      status: 404,
    });
  });
});

describe('a provider whose new version fails', () => {
  test('causes one notification, which says what happened and ends with the next upgrade', async () => {
    const jobs = { capabilityConfig: { jobs: { runs: ['digest.daily'] } } };
    const granted = { ...permissions, serves: ['job:digest.daily'] };
    publish('digest', '1.0.0', keeper('1.0.0'), jobs);
    await post('refresh');
    await post('install', { id: 'digest', granted });
    publish('digest', '1.1.0', "throw new Error('The license ran out.');", jobs);
    await post('refresh');

    await post('upgrade', { id: 'digest', granted });
    await expect.poll(() => unread('digest')).toHaveLength(1);
    const after = await unread('digest');
    publish('digest', '1.2.0', keeper('1.2.0'), jobs);
    await post('refresh');
    await post('upgrade', { id: 'digest', granted });

    expect(after).toEqual(['Version 1.1.0 of digest was rolled back.']);
    await expect.poll(() => unread('digest')).toEqual([]);
  });

  const disable = () => server.request('POST', '/api/plugins/digest/disable');
  const enable = () => server.request('POST', '/api/plugins/digest/enable');
  const grant = (granted: object) => () =>
    server.request('PUT', '/api/plugins/digest/permissions', { granted });

  test.each([
    ['disabled', disable, enable],
    ['granted less', grant(permissions), grant({ ...permissions, serves: ['job:digest.daily'] })],
  ])('is told as lost when it is %s, until it provides again', async (_, lose, give) => {
    await lose();
    await expect
      .poll(() => unread('digest'))
      .toEqual(['The plugin digest no longer provides job:digest.daily.']);

    await give();

    await expect.poll(() => unread('digest')).toEqual([]);
  });
});

describe('a hook that is granted when the films are there', () => {
  const index = 'pipeline.index.afterProcess';
  const probe = 'pipeline.probe.afterProcess';
  const writes = { ...permissions, metadata: 'write' };
  const writer = `export default { hooks: {
    '${index}': ({ bundle }) => ({
      fields: {
        decades: { ...bundle.fields.decades, decade: Math.floor(bundle.fields.year / 10) * 10 },
      },
    }),
    '${probe}': () => ({ fields: { decades: { seen: 'seen' } } }),
  } };`;

  /** The films with what the plugin wrote, as `Title decade seen`. */
  const written = async () =>
    (await allItems(server))
      .map(({ title, metadata }) => {
        const { decade, seen } = (metadata['decades'] ?? {}) as { decade?: number; seen?: string };
        return [title, decade, seen].filter((one) => one !== undefined).join(' ');
      })
      .sort();
  const refreshes = async () => {
    const { jobs } = await server.get<{ jobs: readonly { type: string }[] }>('/api/jobs?limit=500');
    return jobs.filter(({ type }) => type === 'refresh').length;
  };
  const grantForFilms = async () => {
    const { libraries } = await server.get<{
      libraries: readonly { id: string; name: string }[];
    }>('/api/libraries');
    const { status } = await server.request('PUT', '/api/plugins/decades/permissions', {
      granted: { ...writes, hooks: [index] },
      libraries: libraries.filter(({ name }) => name === 'Films').map(({ id }) => ({ id })),
    });
    expect(status).toBe(200);
  };

  test('runs over the libraries of its grant without a refresh, once, and so does one of a later version', async () => {
    await firstScansOver(server);
    const hooks = (...names: readonly string[]) => ({
      permissions: writes,
      actions: [],
      subscriptions: { hooks: names.map((name) => ({ name })) },
    });
    publish('decades', '1.0.0', writer, hooks(index));
    await post('refresh');
    await post('install', { id: 'decades' });
    await grantForFilms();
    const first = ['Alien', 'Brazil 1980', 'Ran 1980', 'Stalker 1970'];
    await expect.poll(written, { timeout: 20_000 }).toEqual(first);
    const jobs = await refreshes();
    await server.request('POST', '/api/plugins/decades/disable');
    await server.request('POST', '/api/plugins/decades/enable');
    await server.request('POST', '/api/plugins/decades/restart');
    publish('decades', '1.1.0', writer, hooks(index, probe));
    await post('refresh');

    await post('upgrade', { id: 'decades', granted: { ...writes, hooks: [index, probe] } });

    const second = ['Alien', 'Brazil 1980 seen', 'Ran 1980 seen', 'Stalker 1970 seen'];
    await expect.poll(written, { timeout: 20_000 }).toEqual(second);
    await noJobs(server);
    expect([jobs, await refreshes()]).toEqual([1, 2]);
  });
});

test('a handler that is suspended is told, until the plugin is upgraded', async () => {
  const granted = { ...permissions, events: 'emit' };
  const more = { permissions: granted, subscriptions: { events: ['plugin.faulty.tick'] } };
  const faulty = `export default {
    actions: {
      state: () => null,
      write: async (_, host) => {
        for (let no = 0; no < 50; no++) await host.events.emit({ type: 'plugin.faulty.tick', data: {} });
        return null;
      },
    },
    events: { 'plugin.faulty.tick': () => { throw new Error('It is broken.'); } },
  };`;
  publish('faulty', '1.0.0', faulty, more);
  await post('refresh');
  await post('install', { id: 'faulty', granted });

  await server.request('POST', '/api/plugins/faulty/actions/write', {});

  const told = 'A part of the plugin faulty is suspended.';
  await expect.poll(() => unread('faulty')).toContain(told);
  publish('faulty', '1.1.0', faulty, more);
  await post('refresh');
  await post('upgrade', { id: 'faulty', granted });
  await expect.poll(() => unread('faulty')).not.toContain(told);
});
