/** PostgreSQL cuts every connection while a server scans and serves, as it does when it restarts. */
import { expect, test } from 'vitest';
import { createMediaTree } from '../support/media/media-tree.ts';
import { administer, hasPostgres, temporaryDatabase } from '../support/storage/postgres.ts';
import { allItems, type JobReply } from '../support/servers/scan.ts';
import { startServer, until, type TestServer } from '../support/servers/server.ts';

const films = Array.from({ length: 300 }, (_, no) => `Film ${no} (1999)/Film ${no} (1999).mkv`);
const cuts = 3;

test.skipIf(!hasPostgres())(
  'a server whose connections are cut again and again ends its scan right, and answers (needs PostgreSQL)',
  async () => {
    const media = await createMediaTree(films);
    const database = await temporaryDatabase();
    const name = new URL(database.url.replace('@/', '@host/')).pathname.slice(1);
    const cut = () =>
      administer(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      );
    const server = await startServer({
      database: database.url,
      args: ['--library', `movies:Films:${media.path}`],
    });
    try {
      for (let times = 0; times < cuts; times += 1) {
        await cut();
        // What changes something waits until there is a connection. What it reads before that
        // may meet the cut: then it says 503, and nothing is changed.
        const written = await server.request('POST', '/api/jobs', { type: 'scan' });
        expect([201, 409, 503]).toContain(written.status);
        // What only reads may fail at once, and works again when there is a connection.
        await until('the server reads again', async () => {
          const { status } = await server.request('GET', '/api/items');
          expect([200, 500, 503]).toContain(status);
          return status === 200;
        });
      }
      await scansOver(server);
      await server.request('POST', '/api/jobs', { type: 'scan' });
      await scansOver(server);

      const titles = new Set((await allItems(server)).map(({ title }) => title));
      expect(titles.size).toBe(films.length);
      expect((await server.request('POST', '/api/database/check')).body).toMatchObject({
        check: { faults: [] },
      });
    } finally {
      await server.stop();
      await database.remove();
      await media.remove();
    }
  },
);

/** Whether they failed or not: one whose write was cut in its end cannot know. */
const scansOver = (server: TestServer): Promise<void> =>
  until(
    'no job waits or runs',
    async () => {
      const { counts } = await server.get<JobReply>('/api/jobs');
      return counts['pending'] === 0 && counts['running'] === 0;
    },
    60_000,
  );
