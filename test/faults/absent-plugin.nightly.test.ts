/**
 * A plugin that says what scans look for, and is away when one begins. For every reason, what only it
 * lists stays in the library, and the result of the scan says why; until an admin disables it.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { jobsOver } from '../support/servers/scan.ts';
import { startServer, until, type TestServer } from '../support/servers/server.ts';
import { writePlugin } from './write-plugin.ts';

interface Result {
  readonly gone: number;
  readonly absentPlugins?: readonly {
    readonly pluginId: string;
    readonly code: string;
    readonly reason: string;
    readonly keptFiles: number;
  }[];
}

const at = '/api/plugins/adder';
const title = 'Amelie';

/** Its end takes a while, as that of a plugin which has something to store. */
const definition = `
  hooks: { 'pipeline.scan.prepare': () => {
    if (mode === 'throws') throw new Error('It cannot say.');
    return { extensions: ['xyz'] };
  } },
  methods: { shutdown: () => new Promise((resolve) => setTimeout(resolve, 1000)) },
  actions: { mode: (params) => { mode = params.mode; return null; } },
`;

describe('a plugin that adds extensions', () => {
  let data: string;
  let films: MediaTree;
  let server: TestServer;
  let libraryId: string;

  beforeAll(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
    films = await createMediaTree(['Heat (1995).mkv', `${title} (2001).xyz`]);
    await writePlugin(data, {
      id: 'adder',
      subscriptions: { hooks: [{ name: 'pipeline.scan.prepare' }] },
      actions: ['mode'],
      definition: `${definition} };\nlet mode = 'answers';\nvoid {`,
    });
    server = await startServer({ data, args: ['--library', `movies:Films:${films.path}`] });
    await jobsOver(server);
    const { libraries } = await server.get<{ libraries: readonly { id: string }[] }>(
      '/api/libraries',
    );
    libraryId = libraries[0]?.id ?? '';
    const { asked } = await server.get<{ asked: object }>(`${at}/permissions`);
    await server.request('PUT', `${at}/permissions`, { granted: asked });
    await until('it runs', async () => (await state()) === 'running');
    await scan();
  });

  afterAll(async () => {
    await server.stop();
    await Promise.all([films.remove(), rm(data, { recursive: true })]);
  });

  const state = async (): Promise<string> =>
    (await server.get<{ plugin: { state: string } }>(at)).plugin.state;

  const titles = async (): Promise<readonly string[]> => {
    const { items } = await server.get<{ items: readonly { title: string }[] }>('/api/items');
    return items.map((item) => item.title).sort();
  };

  async function scan(): Promise<Result> {
    const { body } = await server.request('POST', '/api/jobs', { type: 'scan', libraryId });
    const { id } = (body as { job: { id: string } }).job;
    const job = (await jobsOver(server)).find((one) => one.id === id);
    return job?.result as unknown as Result;
  }

  test('has its files in the library', async () => {
    expect(await titles()).toEqual([title, 'Heat']);
  });

  test('is waited for when it restarts as the scan begins', async () => {
    const restarted = server.request('POST', `${at}/restart`);
    await until('it is on its way', async () => (await state()) !== 'running', undefined, 20);

    const result = await scan();

    expect((await restarted).status).toBe(200);
    expect(result.gone).toBe(0);
    expect(result.absentPlugins).toBeUndefined();
    expect(await titles()).toEqual([title, 'Heat']);
  });

  test('loses nothing when it throws, and the result says so', async () => {
    await server.request('POST', `${at}/actions/mode`, { mode: 'throws' });

    const result = await scan();

    await server.request('POST', `${at}/actions/mode`, { mode: 'answers' });
    expect(result.absentPlugins).toEqual([
      { pluginId: 'adder', code: 'plugin_error', reason: 'It cannot say.', keptFiles: 1 },
    ]);
    expect(result.gone).toBe(0);
    expect(await titles()).toEqual([title, 'Heat']);
  });

  test('loses nothing when it has failed for good, and the result says so', async () => {
    const file = path.join(data, 'plugins/adder/index.js');
    await writeFile(file, "throw new Error('It is broken.');\nexport default {};");
    await server.request('POST', `${at}/restart`);
    expect(await state()).toBe('failed');

    const result = await scan();

    expect(result).toMatchObject({
      gone: 0,
      absentPlugins: [{ pluginId: 'adder', code: 'failed', keptFiles: 1 }],
    });
    expect(result.absentPlugins?.[0]?.reason).toContain('It is broken.');
    expect(server.output()).toContain('Plugin adder did not say what to look for in Films');
    expect(await titles()).toEqual([title, 'Heat']);
  });

  test('has its files called gone when an admin disables it', async () => {
    await server.request('POST', `${at}/disable`);

    const result = await scan();

    expect(result.gone).toBe(1);
    expect(result.absentPlugins).toBeUndefined();
    expect(await titles()).toEqual(['Heat']);
  });
});
