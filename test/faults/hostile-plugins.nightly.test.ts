/**
 * Everything goes wrong at once: a dozen plugins misbehave while a library is scanned. The server
 * answers all along, the scan is right, the good plugin beside them works, and each bad one is told
 * of in the words and counters of its own.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { isAlive } from '../support/plugins/open-sandboxes.ts';
import { allItems, jobsOver, type ListedItem } from '../support/servers/scan.ts';
import { processTree, until } from '../support/servers/server.ts';
import { doomed, good, rude } from './hostile-plugins.ts';
import { beginScan, grant, startWatchedServer, type WatchedServer } from './watched-server.ts';
import { writePlugin } from './write-plugin.ts';

interface PluginState {
  readonly state: string;
  readonly restartAttempts: number;
  readonly lastCrashAt: string | null;
  readonly errorMessage: string | null;
}

const films = 24;
const all = [...doomed, ...rude, good];
const nameOf = (film: number): string =>
  film === 5 ? `Film 5 (2005).good` : `Film ${film} (${2000 + film}).mkv`;
const names = Array.from({ length: films }, (_, film) => nameOf(film));

let data: string;
let tree: MediaTree;
let server: WatchedServer;
let startedAt: number;
let items: readonly ListedItem[];
let view: { readonly pieces: readonly unknown[]; readonly tookMs: number };

beforeAll(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
  for (const plugin of all) await writePlugin(data, plugin);
  tree = await createMediaTree();
  for (const [film, name] of names.entries()) await tree.write(name, 'x'.repeat(film));
  startedAt = Date.now();
  server = await startWatchedServer(data);
  for (const { id, permissions } of all) await grant(server, id, permissions);

  await beginScan(server, tree.path);
  const asked = collectView();
  await jobsOver(server);
  items = await allItems(server);
  view = await asked;
  for (const { id } of doomed) {
    await until(`${id} is back`, () => eventsOf('plugin.restarted', id).length > 0);
  }
  await until('all of them run', async () => (await states()).every((one) => one === 'running'));
});

afterAll(async () => {
  const processes = await processTree(server.pid);
  expect(processes.length).toBeGreaterThan(all.length);
  expect(await server.stop()).toBe(0);
  await until('no plugin host is left', () => !processes.some(isAlive));
  await tree.remove();
  await rm(data, { recursive: true });
});

async function collectView(): Promise<typeof view> {
  const from = performance.now();
  const route = '/api/plugins/views/ui.settings.sections?context=%7B%7D';
  const pieces = await server.get<readonly unknown[]>(route);
  return { pieces, tookMs: performance.now() - from };
}

const pluginOf = async (id: string): Promise<PluginState> =>
  (await server.get<{ plugin: PluginState }>(`/api/plugins/${id}`)).plugin;

const states = async (): Promise<readonly string[]> =>
  (await Promise.all(all.map(({ id }) => pluginOf(id)))).map(({ state }) => state);

const usageOf = async (id: string): Promise<Readonly<Record<string, number>>> =>
  (await server.get<{ usage: Record<string, number> }>(`/api/plugins/${id}/usage`)).usage;

const logOf = async (id: string): Promise<readonly string[]> =>
  (await server.get<{ lines: { text: string }[] }>(`/api/plugins/${id}/logs`)).lines.map(
    ({ text }) => text,
  );

/** The data of the events of this type that speak of this plugin. */
const eventsOf = (wanted: string, id: string): readonly object[] =>
  server.events.flatMap(({ type, data }) =>
    type === wanted && data['pluginId'] === id ? [data] : [],
  );

describe('while plugins misbehave', () => {
  test('the server answers GET /api/health and GET /api/search all the time', () => {
    expect(server.watch.faults).toEqual([]);
    expect(server.watch.asked).toBeGreaterThan(100);
  });

  test('a scan ends with every item right', () => {
    expect(items.map(({ title }) => title).sort()).toEqual(
      names.map((_, film) => `Film ${film}`).sort(),
    );
    for (const { title, metadata, files, status } of items) {
      const film = Number(title.slice('Film '.length));
      expect({ metadata, status, files: files.length }).toEqual({
        metadata: { year: 2000 + film, good: [nameOf(film)] },
        status: 'active',
        files: 1,
      });
    }
  });

  test('search finds what the scan found', async () => {
    await until('the index has caught up', async () => {
      const { itemsTotal } = await server.get<{ itemsTotal: number }>('/api/search?q=film');
      return itemsTotal === films;
    });
  });

  test('a good plugin beside them hears every event, takes its turn in every chain', async () => {
    await until(
      'it has heard of all films',
      async () => (await usageOf('good'))['hostCalls']! >= films,
    );

    expect(await pluginOf('good')).toMatchObject({
      state: 'running',
      restartAttempts: 0,
      lastCrashAt: null,
      errorMessage: null,
    });
    expect(await usageOf('good')).toMatchObject({ timeouts: 0, droppedEvents: 0, refusedCalls: 0 });
  });

  test('a view comes after 6 s without the plugin that never answers', async () => {
    expect(view.tookMs).toBeGreaterThan(5900);
    expect(view.tookMs).toBeLessThan(7500);
    expect(view.pieces).toEqual([expect.objectContaining({ id: 'good', title: 'Good' })]);
    expect(await usageOf('silent-view')).toMatchObject({ timeouts: 1 });
  });

  test('the health of the server counts them all as running again', async () => {
    const { plugins } = await server.get<{ plugins: object }>('/api/health');

    expect(plugins).toMatchObject({ failed: 0, starting: 0 });
  });
});

describe('a plugin that cannot go on', () => {
  test.each(doomed)('$id is ended, is said to be, and is started again', async ({ id, says }) => {
    const { state, restartAttempts, lastCrashAt } = await pluginOf(id);

    expect({ state, hasCrashed: restartAttempts > 0 }).toEqual({
      state: 'running',
      hasCrashed: true,
    });
    expect(Date.parse(lastCrashAt ?? '')).toBeGreaterThan(startedAt);
    expect(eventsOf('plugin.error', id)[0]).toEqual({
      pluginId: id,
      version: '1.0.0',
      state: 'starting',
      errorMessage: expect.stringMatching(says),
    });
    expect(eventsOf('plugin.restarted', id)).not.toEqual([]);
    expect((await logOf(id)).join('\n')).toMatch(/It will be restarted in \d+ s\./);
  });

  test.each(doomed.filter(({ subscriptions = {} }) => 'events' in subscriptions))(
    '$id is told of the films that came while it was away',
    async ({ id }) => {
      expect((await usageOf(id))['calls']).toBeGreaterThan(films / 2);
    },
  );

  test.each(['endless-loop', 'native-loop'])(
    '%s has its time and its time-outs counted',
    async (id) => {
      const { timeouts, cpuMs } = await usageOf(id);

      expect(timeouts).toBeGreaterThan(0);
      expect(cpuMs).toBeGreaterThan(500);
    },
  );

  test('a hook that ends its plugin is asked about that item twice at most', async () => {
    const { restartAttempts } = await pluginOf('hook-bomb');
    const lines = await logOf('hook-bomb');
    const [, , afterSecondEnd = ''] = lines.join('\n').split('It will be restarted');

    expect([1, 2]).toContain(restartAttempts);
    expect(afterSecondEnd).not.toContain('asked about Film 7\n');
  });
});

describe('a plugin that misbehaves and can go on', () => {
  test.each(rude)('$id runs on, and was never restarted', async ({ id }) => {
    expect(await pluginOf(id)).toMatchObject({
      state: 'running',
      restartAttempts: 0,
      lastCrashAt: null,
      errorMessage: null,
    });
    expect(eventsOf('plugin.error', id)).toEqual([]);
  });

  test('is told in the log of the server why its delta was not taken, and what one looks like', () => {
    for (const id of ['whole-bundle', 'garbage', 'thrower']) {
      expect(server.output()).toContain(`Plugin ${id} was skipped in pipeline.scan.prepare: `);
      expect(server.output()).toContain(
        `Plugin ${id} was skipped in pipeline.index.afterProcess: `,
      );
    }
    expect(server.output()).toMatch(/whole-bundle was skipped .*\{"fields": \{"year": 1999\}\}/);
  });

  test('writes 200 lines at once into its log and no more than 50 a second after', async () => {
    const lines = await logOf('console-flood');
    const seconds = (Date.now() - startedAt) / 1000;

    expect(lines.length).toBeGreaterThanOrEqual(200);
    expect(lines.length).toBeLessThan(200 + 50 * seconds + 50);
  });

  test('has at most 64 host calls under way; the others are refused by name', async () => {
    await until('all calls are over', async () =>
      (await logOf('host-call-flood')).some((line) => line.startsWith('refused')),
    );

    expect((await logOf('host-call-flood')).join('\n')).toMatch(/quota_exceeded|overloaded/);
  });
});
