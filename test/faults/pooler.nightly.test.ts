/** Servers behind pgbouncer, which gives each transaction another session of PostgreSQL. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { startServer, until, type TestServer } from '../support/servers/server.ts';
import { allItems, firstScansOver } from '../support/servers/scan.ts';
import { hasPgbouncer, startPgbouncer, type Pooler } from '../support/storage/pgbouncer.ts';
import {
  hasPostgres,
  temporaryDatabase,
  type TemporaryDatabase,
} from '../support/storage/postgres.ts';

const films = 60;

describe.skipIf(!hasPostgres() || !hasPgbouncer())(
  'a pooler with pool_mode=transaction (needs PostgreSQL and pgbouncer)',
  () => {
    let database: TemporaryDatabase;
    let pooler: Pooler;
    let tree: MediaTree;
    const servers: TestServer[] = [];

    beforeAll(async () => {
      database = await temporaryDatabase();
      pooler = await startPgbouncer(database);
      tree = await createMediaTree();
      for (let no = 0; no < films; no += 1)
        await tree.write(`Film ${no} (2001)/Film ${no} (2001).mkv`);
    });

    afterAll(async () => {
      for (const server of servers) await server.stop();
      await pooler?.stop();
      await database?.remove();
      await tree?.remove();
    });

    const start = async (...args: readonly string[]): Promise<TestServer> => {
      const [first] = servers;
      const server = await startServer({
        database: pooler.transactions,
        ...(first && { data: first.data }),
        args: ['--ingest', 'off', ...args],
      });
      servers.push(server);
      return server;
    };

    test('is refused for the one connection that must keep its session, with the way out', async () => {
      const failed = await start().catch((error: unknown) => String(error));

      expect(failed).toContain('--database-session');
    });

    test('carries a server: a scan, edits and searches', async () => {
      const server = await start('--database-session', pooler.sessions);
      const library = { name: 'Films', type: 'movies', roots: [`file://${tree.path}`] };
      expect((await server.request('POST', '/api/libraries', library)).status).toBe(201);
      await firstScansOver(server);
      const items = await allItems(server);
      const edited = await Promise.all(
        items.map(async ({ id }, no) => {
          const change = { title: `Edited ${no}` };
          return (await server.request('PATCH', `/api/items/${id}`, change)).status;
        }),
      );
      const found = async () =>
        (await server.get<{ items: readonly object[] }>('/api/search?q=edited&limit=100')).items;
      await until('search knows all', async () => (await found()).length === films);

      expect(items).toHaveLength(films);
      expect(new Set(edited)).toEqual(new Set([200]));
      expect(server.output()).not.toMatch(/error/i);
    });
  },
);
