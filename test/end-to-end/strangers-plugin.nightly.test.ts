/** A plugin by a stranger's rules: dropped into the folder, granted, running, on show. */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { authorManifest, createAuthorFolder } from '../support/plugins/author-plugin.ts';
import { allItems, jobsOver } from '../support/servers/scan.ts';
import { adminToken, startServer, until, type TestServer } from '../support/servers/server.ts';
import { parseProgram } from '../../packages/app/cli/program.ts';

const example = path.resolve(import.meta.dirname, '../../examples/release-tags');

let data: string;
let tree: MediaTree;
let server: TestServer;

beforeAll(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
  await mkdir(path.join(data, 'plugins'));
  await cp(example, path.join(data, 'plugins/release-tags'), { recursive: true });
  tree = await createMediaTree(['Winter (2001)/Winter (2001) REMUX HDR.mkv', 'Plain (2002).mkv']);
  server = await startServer({ data });
});

afterAll(async () => {
  await server.stop();
  await tree.remove();
  await rm(data, { recursive: true });
});

const granted = {
  library: 'read',
  metadata: 'write',
  kv: { quotaMb: 1 },
  hears: ['library'],
  hooks: ['pipeline.index.afterProcess'],
};

describe('the example plugin', () => {
  test('waits under "skipped" until the admin grants what it asks for', async () => {
    const { plugins, skipped } = await server.get<{ plugins: { id: string }[]; skipped: object[] }>(
      '/api/plugins',
    );

    expect(plugins.find(({ id }) => id === 'release-tags')).not.toMatchObject({ state: 'running' });
    expect(skipped).toContainEqual(
      expect.objectContaining({ id: 'release-tags', reason: 'permissions-pending' }),
    );
  });

  test('is not granted more than it asked for, and the answer names what is too much', async () => {
    const { status, body } = await server.request('PUT', '/api/plugins/release-tags/permissions', {
      granted: { ...granted, library: 'write' },
    });

    expect(status).toBe(400);
    expect(body).toEqual({ error: expect.stringContaining('library: write') });
  });

  test('runs once it is granted', async () => {
    const { status } = await server.request('PUT', '/api/plugins/release-tags/permissions', {
      granted,
    });

    expect(status).toBe(200);
    await until('it runs', async () => {
      const { plugin } = await server.get<{ plugin: { state: string } }>(
        '/api/plugins/release-tags',
      );
      return plugin.state === 'running';
    });
  });

  test('adds its field to new items by its hook, counts them by its event', async () => {
    const created = await server.request('POST', '/api/libraries', {
      name: 'Films',
      type: 'movies',
      roots: [tree.path],
    });
    expect(created.status).toBe(201);
    const { library } = created.body as { library: { id: string } };
    await server.request('POST', '/api/jobs', { type: 'scan', libraryId: library.id });
    await jobsOver(server);

    const items = await allItems(server);

    expect(items.find(({ title }) => title === 'Winter')?.metadata).toMatchObject({
      'release-tags': ['REMUX', 'HDR'],
    });
    expect(items.find(({ title }) => title === 'Plain')?.metadata).not.toHaveProperty(
      'release-tags',
    );
  });

  test('shows its panel at GET /api/plugins/views/ui.item.detail.panels', async () => {
    const item = (await allItems(server)).find(({ title }) => title === 'Winter');
    const context = JSON.stringify({ itemId: item?.id, libraryType: 'movies' });

    const panels = await server.get(
      `/api/plugins/views/ui.item.detail.panels?context=${encodeURIComponent(context)}`,
    );

    expect(panels).toEqual([
      {
        type: 'metadata',
        pluginId: 'release-tags',
        slot: 'detail-metadata',
        id: 'release-tags',
        title: 'Release',
        layout: 'chips',
        fields: [
          { key: 'REMUX', value: 'REMUX' },
          { key: 'HDR', value: 'HDR' },
        ],
      },
    ]);
  });

  test('answers its action, and no method that its manifest does not list', async () => {
    const counted = () => server.request('POST', '/api/plugins/release-tags/actions/countTags', {});
    await until('the event has been counted', async () => {
      const { body } = await counted();
      return JSON.stringify(body).includes('HDR');
    });

    expect((await counted()).body).toEqual({ result: { REMUX: 1, HDR: 1 } });
    const unlisted = await server.request('POST', '/api/plugins/release-tags/actions/tagsIn', {});
    expect(unlisted.status).toBe(404);
  });

  test('sees the configuration that the admin sets, and an invalid one is refused by name', async () => {
    const route = '/api/plugins/release-tags/configuration';
    const refused = await server.request('PUT', route, { tags: 'REMUX' });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ error: expect.stringContaining('tags') });

    const { status } = await server.request('PUT', route, { tags: ['x265'], title: 'Quality' });
    expect(status).toBe(200);
    const item = (await allItems(server)).find(({ title }) => title === 'Winter');
    const context = JSON.stringify({ itemId: item?.id, libraryType: 'movies' });
    const panels = await server.get<{ title: string }[]>(
      `/api/plugins/views/ui.item.detail.panels?context=${encodeURIComponent(context)}`,
    );
    expect(panels[0]?.title).toBe('Quality');
  });

  test('does what it was granted and nothing else: the usage counts it', async () => {
    const usage = await server.get<Record<string, unknown>>('/api/plugins/release-tags/usage');

    expect(usage).toMatchObject({ usage: { timeouts: 0, refusedCalls: 0 } });
  });
});

/** `vitrine plugin …` with the key of the server's admin. */
async function vitrine(...args: readonly string[]) {
  let said = '';
  const asked = parseProgram({
    args: ['plugin', ...args],
    env: { VITRINE_TOKEN: adminToken },
    cwd: data,
    version: '1.2.3',
    write: (text) => (said += text),
    complain: (text) => (said += text),
  });
  return { code: asked.command === 'task' ? await asked.run() : null, said };
}

describe('a plugin that is written beside a running server', () => {
  const source = (word: string): string => `
    import { definePlugin } from '@vitrine/plugin-api';
    console.info('${word} is loaded');
    export default definePlugin({ actions: { ask: () => '${word}' } });`;
  const manifest = { id: 'at-hand', actions: ['ask'], permissions: { kv: { quotaMb: 1 } } };

  test('is built into the server, waits for its grant, and is there again at each save', async () => {
    const author = createAuthorFolder(manifest, source('First'));
    const dev = ['dev', author.folder, '--server', server.url, '--data', data, '--once'];

    const first = await vitrine(...dev);
    await server.request('PUT', '/api/plugins/at-hand/permissions', {
      granted: { kv: { quotaMb: 1 } },
    });
    author.write(
      'manifest.json',
      JSON.stringify({ ...JSON.parse(authorManifest(manifest)), version: '1.1.0' }),
    );
    author.write('index.ts', source('Second'));
    const second = await vitrine(...dev);

    expect(first).toMatchObject({ code: 1, said: expect.stringContaining('permissions-pending') });
    expect(second).toMatchObject({
      code: 0,
      said: expect.stringContaining('at-hand 1.1.0 runs on the server.'),
    });
    expect(second.said).toContain('Second is loaded');
    const { body } = await server.request('POST', '/api/plugins/at-hand/actions/ask', {});
    expect(body).toEqual({ result: 'Second' });
    author.remove();
    await rm(path.join(data, 'plugins/at-hand'), { recursive: true });
    expect((await vitrine('rescan', '--server', server.url)).said).toBe('removed\tat-hand\n');
    expect((await vitrine('rescan', '--server', server.url)).said).toBe('Nothing has changed.\n');
  });

  test('is refused where the folder is not the data folder of a server', async () => {
    const author = createAuthorFolder(manifest, source('First'));

    const { code, said } = await vitrine(
      ...['dev', author.folder, '--server', server.url, '--data', author.folder, '--once'],
    );

    expect({ code, said }).toEqual({
      code: 1,
      said: `vitrine: --data ${author.folder}: this is not the data folder of a Vitrine server.\n`,
    });
    author.remove();
  });
});

describe('a library that a plugin describes in its manifest alone', () => {
  const paths = [{ type: 'games', rules: ['Discs/**/*.bin'], extensions: ['qqq'] }];
  let games: MediaTree;

  beforeAll(async () => {
    const author = createAuthorFolder(
      { id: 'games', capabilities: ['library'], capabilityConfig: { library: { paths } } },
      'export default {};',
    );
    author.write('index.js', 'export default {};');
    await cp(author.folder, path.join(data, 'plugins/games'), { recursive: true });
    author.remove();
    games = await createMediaTree([
      ...['One (1990)/One.qqq', 'Discs/Two (1991)/Two.bin', 'Loose (1992)/Loose.bin'],
    ]);
    await server.request('POST', '/api/plugins/rescan');
    const route = '/api/plugins/games/permissions';
    const { asked } = await server.get<{ asked: object }>(route);
    await server.request('PUT', route, { granted: asked });
  });
  afterAll(() => games.remove());

  test('is filled by the scan that is queued with it, once', async () => {
    const { status, body } = await server.request('POST', '/api/libraries', {
      ...{ name: 'Games', type: 'games', roots: [games.path] },
    });
    const { library, jobId } = body as { library: { id: string }; jobId: string };
    const asked = await server.request('POST', '/api/jobs', {
      type: 'scan',
      libraryId: library.id,
    });
    await jobsOver(server);

    expect([status, asked]).toMatchObject([201, { status: 201, body: { job: { id: jobId } } }]);
    const { jobs } = await server.get<{ jobs: { type: string; status: string }[] }>(
      `/api/jobs?libraryId=${library.id}`,
    );
    expect(jobs.filter(({ type }) => type === 'scan')).toMatchObject([{ status: 'completed' }]);
    const items = (await allItems(server)).filter((item) => item.libraryId === library.id);
    expect(items.map(({ title }) => title).sort()).toEqual(['One', 'Two']);
  });
});
