/** A server grows: all that it has on SQLite is on PostgreSQL afterwards. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { vitrine } from '../support/run/vitrine-command.ts';
import { allItems, firstScansOver } from '../support/servers/scan.ts';
import { startServer, until, type TestServer } from '../support/servers/server.ts';
import {
  hasPostgres,
  isOverPostgres,
  temporaryDatabase,
  type TemporaryDatabase,
} from '../support/storage/postgres.ts';

const films = 40;

describe.skipIf(!hasPostgres() || isOverPostgres)(
  'vitrine database copy (needs PostgreSQL)',
  () => {
    let database: TemporaryDatabase;
    let tree: MediaTree;
    let data: string;
    let server: TestServer | undefined;

    beforeAll(async () => {
      database = await temporaryDatabase();
      data = await mkdtemp(path.join(tmpdir(), 'vitrine-copied-'));
      tree = await createMediaTree();
      for (let no = 0; no < films; no += 1)
        await tree.write(`Film ${no} (2001)/Film ${no} (2001).mkv`);
    });

    afterAll(async () => {
      await server?.stop();
      await database?.remove();
      await tree?.remove();
      await rm(data, { recursive: true, force: true });
    });

    const copy = () =>
      vitrine('database', 'copy', '--from', `sqlite:${data}/vitrine.db`, '--to', database.url);

    test('copies all of a stopped server once, and the copy answers as the server did', async () => {
      server = await startServer({
        data,
        args: ['--library', `movies:Films:${tree.path}`, '--ingest', 'off'],
      });
      await firstScansOver(server);
      const password = 'correct horse battery';
      await server.request('POST', '/api/users', { name: 'Ada', password, role: 'user' });
      const before = await allItems(server);
      const early = await copy();
      await server.stop();

      const copied = await copy();
      const again = await copy();
      const grown = await startServer({ data, database: database.url, args: ['--ingest', 'off'] });
      server = grown;
      const login = await grown.request('POST', '/api/auth/login', { name: 'Ada', password });
      const found = async () =>
        (await grown.get<{ items: readonly object[] }>('/api/search?q=film&limit=100')).items;
      await until('search knows all', async () => (await found()).length === films);

      expect(early.code).not.toBe(0);
      expect([copied.code, copied.stdout]).toEqual([0, expect.stringMatching(/^Copied \d+ rows/)]);
      expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('is not empty')]);
      expect(await allItems(grown)).toEqual(before);
      expect(login.status).toBe(200);
    });
  },
);
