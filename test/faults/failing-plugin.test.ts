/**
 * A plugin that fails in every way it can, on a server as it is: its own log says what failed and where,
 * its usage counts it, and admins are told once.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { jobsOver, scanAll } from '../support/servers/scan.ts';
import { startServer, until, type TestServer } from '../support/servers/server.ts';
import { writePlugin } from './write-plugin.ts';

interface Line {
  readonly level: string;
  readonly text: string;
  readonly failure?: {
    readonly kind: string;
    readonly handler: string;
    readonly message: string;
    readonly durationMs: number | null;
    readonly stack: readonly string[];
  };
}

interface Failures {
  readonly total: number;
  readonly kinds: Readonly<Record<string, number>>;
  readonly handlers: readonly { readonly handler: string; readonly count: number }[];
}

const at = '/api/plugins/failing';
const names = Array.from({ length: 12 }, (_, index) => `Film ${index} (2001).mkv`);

const definition = `
  events: { 'library.scan.completed': () => { throw new Error('The event failed.'); } },
  hooks: {
    'pipeline.index.afterProcess': () => {
      asked += 1;
      return wrong ? { assets: [{}] } : { fields: { failing: 'written' } };
    },
  },
  views: { 'ui.settings.sections': () => [{ type: 'html' }] },
  actions: {
    boom: (params) => params.item.title,
    deny: (params, host) => host.net.fetch({ url: 'https://example.org/' }),
    asked: () => asked,
    wrong: () => { wrong = true; return null; },
  },
`;

describe('a plugin that fails', () => {
  let data: string;
  let films: MediaTree;
  let server: TestServer;

  beforeAll(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
    films = await createMediaTree(names);
    await writePlugin(data, {
      id: 'failing',
      permissions: { metadata: 'write' },
      subscriptions: {
        events: ['library.scan.completed', 'library.scan.started'],
        hooks: [{ name: 'pipeline.index.afterProcess' }],
        views: ['ui.settings.sections'],
      },
      actions: ['boom', 'deny', 'asked', 'wrong', 'gone'],
      definition: `${definition} };\nlet asked = 0;\nlet wrong = false;\nvoid {`,
    });
    server = await startServer({ data });
    await grant(['metadata']);
    await until('it runs', async () => {
      const { plugin } = await server.get<{ plugin: { state: string } }>(at);
      return plugin.state === 'running';
    });
  });

  afterAll(async () => {
    await server.stop();
    await Promise.all([films.remove(), rm(data, { recursive: true })]);
  });

  /** Grants all that it asks for but these. */
  async function grant(held: readonly string[]): Promise<void> {
    const { asked } = await server.get<{ asked: Readonly<Record<string, unknown>> }>(
      `${at}/permissions`,
    );
    const granted = Object.entries(asked).filter(([name]) => !held.includes(name));
    const body = { granted: Object.fromEntries(granted) };
    expect((await server.request('PUT', `${at}/permissions`, body)).status).toBe(200);
  }

  const act = (method: string) => server.request('POST', `${at}/actions/${method}`, {});
  const lines = async () => (await server.get<{ lines: readonly Line[] }>(`${at}/logs`)).lines;
  const failures = async () =>
    (await server.get<{ usage: { failures: Failures } }>(`${at}/usage`)).usage.failures;

  async function lineOf(kind: string, handler: string): Promise<Line['failure']> {
    const find = async () =>
      (await lines()).find(({ failure }) => failure?.kind === kind && failure.handler === handler);
    await until(`${handler} is in the log`, async () => (await find()) !== undefined);
    return (await find())?.failure;
  }

  test('has a line for an action that threw', async () => {
    await act('boom');

    const failure = await lineOf('threw', 'action boom');

    expect(failure?.message).toBe("Cannot read properties of undefined (reading 'title')");
    expect(failure?.durationMs).toBeGreaterThan(0);
    expect(failure?.stack).toEqual([expect.stringMatching(/^boom \(index\.js:\d+:\d+\)$/)]);
  });

  test('has a line for an action without a handler, and for a host call that was refused', async () => {
    await act('gone');
    await act('deny');

    expect((await lineOf('unknown-handler', 'action gone'))?.message).toContain('no handler');
    expect((await lineOf('call-refused', 'host.net.fetch'))?.message).toContain('net');
  });

  test('has a line for a piece of interface that is dropped', async () => {
    await server.get('/api/plugins/views/ui.settings.sections?context=%7B%7D');

    expect((await lineOf('reply-refused', 'view ui.settings.sections'))?.message).toContain(
      '1 of its pieces',
    );
  });

  test('looks on at items without metadata: write, and what it gives is dropped and counted', async () => {
    const body = { name: 'Films', type: 'movies', roots: [films.path] };
    await server.request('POST', '/api/libraries', body);
    await scanAll(server);

    const { items } = await server.get<{ items: readonly { metadata: object }[] }>('/api/items');
    expect(items).toHaveLength(names.length);
    expect(items.filter(({ metadata }) => 'failing' in metadata)).toEqual([]);
    expect((await act('asked')).body).toEqual({ result: names.length });
    const handler = 'hook pipeline.index.afterProcess';
    expect(await lineOf('delta-not-granted', handler)).toMatchObject({ kind: 'delta-not-granted' });
    expect((await failures()).kinds['delta-not-granted']).toBe(names.length);
    expect(await lineOf('threw', 'event library.scan.completed')).toMatchObject({
      message: 'The event failed.',
    });
  });

  test('floods no log: deltas that are refused are five lines a minute, and all are counted', async () => {
    await grant([]);
    await act('wrong');
    await server.request('POST', '/api/jobs', { type: 'refresh' });
    await jobsOver(server);

    const refused = (await lines()).filter(({ failure }) => failure?.kind === 'delta-refused');
    expect(refused).toHaveLength(5);
    expect(refused[0]?.failure?.message).toContain('assets[0] must have the key "type"');
    const { kinds, handlers, total } = await failures();
    expect(kinds['delta-refused']).toBe(names.length);
    expect(handlers.map(({ handler }) => handler)).toContain('hook pipeline.index.afterProcess');
    expect(Object.values(kinds).reduce((sum, count) => sum + count, 0)).toBe(total);
  });

  test('leaves the plugins of the server without a failure, whose work is as ever', async () => {
    const { plugins } = await server.get<{ plugins: readonly { id: string; type: string }[] }>(
      '/api/plugins',
    );
    for (const { id } of plugins.filter(({ type }) => type === 'builtin')) {
      const { usage } = await server.get<{ usage: { failures: Failures } }>(
        `/api/plugins/${id}/usage`,
      );
      expect([id, usage.failures]).toEqual([id, { total: 0, kinds: {}, handlers: [] }]);
    }
  });

  test('is told to admins once', async () => {
    const { notifications } = await server.get<{
      notifications: readonly { readonly title: string; readonly message: string }[];
    }>('/api/notifications');

    const told = notifications.filter(({ title }) => title === 'The plugin failing fails often.');
    expect(told).toHaveLength(1);
    expect(told[0]?.message).toContain('5 failures in 10 minutes');
  });

  test('that throws as it starts has that in its log and its counts', async () => {
    const before = (await failures()).kinds['crashed'] ?? 0;
    await writePlugin(data, {
      id: 'failing',
      definition: '} ; throw new Error("It is broken."); void {',
    });
    await server.request('POST', `${at}/restart`);

    expect((await failures()).kinds['crashed']).toBe(before + 1);
    expect((await lines()).map(({ text }) => text).join()).toContain('It is broken.');
  });
});
