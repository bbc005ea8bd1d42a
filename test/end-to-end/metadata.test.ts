/** The built-in indexers against services of our own: nothing before consent, everything after. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { makePng } from '../support/pictures/made-png.ts';
import { startTvmaze, type MadeTvmaze } from '../support/plugins/tvmaze.ts';
import { allItems, jobsOver } from '../support/servers/scan.ts';
import { adminToken, startServer, until, type TestServer } from '../support/servers/server.ts';

const names = ['Harbour Lights', 'Winter Orchard', 'The Paper Garden', 'Silent Voyage'];
const shows = names.map((name, at) => ({
  id: at + 1,
  name,
  year: 2001 + at,
  episodes: ['Low Tide', 'High Water', 'Still Air'],
}));

const headers = { authorization: `Bearer ${adminToken}` };

let tree: MediaTree;
let tvmaze: MadeTvmaze;
let server: TestServer;

beforeAll(async () => {
  tree = await createMediaTree(
    shows.flatMap(({ name, year, episodes }) =>
      episodes.map((_, at) => `${name} (${year})/Season 01/${name} S01E0${at + 1}.mkv`),
    ),
  );
  tvmaze = await startTvmaze(shows, makePng());
  server = await startServer({
    args: ['--net-allow', tvmaze.host, '--contact', 'ada@example.org'],
  });
});

afterAll(async () => {
  await server.stop();
  await tvmaze.close();
  await tree.remove();
});

const isKnown = async (): Promise<boolean> =>
  (await allItems(server)).every(({ metadata }) => metadata['overview'] !== undefined);

describe('series', () => {
  test('are not looked up before an admin agrees, and the plugin does not even run', async () => {
    const { body } = await server.request('POST', '/api/libraries', {
      name: 'Shows',
      type: 'tv',
      roots: [tree.path],
    });
    await jobsOver(server);
    const { plugins, skipped } = await server.get<{ plugins: object[]; skipped: object[] }>(
      '/api/plugins',
    );

    expect(body).toMatchObject({ library: { type: 'tv' } });
    expect(plugins).not.toContainEqual(expect.objectContaining({ id: 'tvmaze' }));
    expect(skipped).toContainEqual(
      expect.objectContaining({ id: 'tvmaze', reason: 'permissions-pending' }),
    );
    expect(tvmaze.requests).toEqual([]);
  });

  test('are known soon after an admin granted the hosts, and named a mirror of them', async () => {
    const configured = await server.request('PUT', '/api/plugins/tvmaze/configuration', {
      baseUrl: tvmaze.url,
      imageBaseUrl: tvmaze.url,
    });
    const granted = await server.request('PUT', '/api/plugins/tvmaze/permissions', {
      granted: {
        net: ['api.tvmaze.com', 'static.tvmaze.com'],
        metadata: 'write',
        serves: ['indexer'],
      },
    });

    expect([configured.status, granted.status]).toEqual([200, 200]);
    await until('all are known', isKnown, 40_000, 200);
  });

  test('have titles, summaries, people, ids, and a poster that the server sends itself', async () => {
    const items = await allItems(server);
    const { entities } = await server.get<{
      entities: { name: string; picture: { id: string } | null }[];
    }>('/api/entities?type=show');

    expect(items.map(({ title }) => title).sort()).toEqual(
      shows.flatMap(({ episodes }) => episodes).sort(),
    );
    expect(entities.map(({ name }) => name).sort()).toEqual([...names].sort());
    for (const { picture } of entities) {
      const reply = await fetch(`${server.url}/api/assets/${picture?.id}`, { headers });
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/png']);
    }
  });

  test('are asked for with the contact of the operator, and in two requests for a show', () => {
    const questions = tvmaze.requests.filter(({ path }) => !path.startsWith('/uploads/'));

    expect(tvmaze.requests[0]?.headers['user-agent']).toMatch(
      /^Vitrine\/\S+ \(ada@example\.org\) plugin\/tvmaze$/,
    );
    expect(questions.filter(({ path }) => path.startsWith('/shows/')).length).toBeLessThanOrEqual(
      8,
    );
  });
});
