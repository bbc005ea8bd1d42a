/** Three servers on one database of PostgreSQL: what one does holds for all, and is done once. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCluster, type TestCluster } from '../support/servers/cluster.ts';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { hasPostgres } from '../support/storage/postgres.ts';
import { allItems, jobsOver } from '../support/servers/scan.ts';
import { adminToken, until, type TestServer } from '../support/servers/server.ts';

const films = 3000;

/** Counts what it hears, in the store that all servers have in common. */
const tallyPlugin = {
  'manifest.json': JSON.stringify({
    manifestVersion: 1,
    id: 'tally',
    name: 'Tally',
    version: '1.0.0',
    description: 'Counts libraries.',
    author: 'A test',
    license: 'MIT',
    main: 'index.js',
    minVersion: '>=0.1.0',
    capabilities: [],
    mediaTypes: [],
    permissions: { kv: { quotaMb: 1 } },
    subscriptions: { events: ['library.created'] },
    actions: ['heard'],
  }),
  'index.js': `
    export default {
      events: {
        'library.created': async ({ data }, host) => {
          await host.kv.set({ key: 'heard/' + data.name + '/' + Math.random(), value: 1 });
        },
      },
      actions: { heard: async (_, host) => (await host.kv.list({ prefix: 'heard/' })).keys },
    };`,
};

describe.skipIf(!hasPostgres())(
  'three servers on one PostgreSQL database (needs PostgreSQL)',
  () => {
    let cluster: TestCluster;
    let tree: MediaTree;

    beforeAll(async () => {
      tree = await createMediaTree();
      for (let film = 0; film < films; film++)
        await tree.write(`films/${film % 20}/Film ${film} (2001)/Film ${film} (2001).mkv`);
      for (const name of [
        'first',
        'second',
        'third',
        'first-2',
        'tallied-0',
        'tallied-1',
        'tallied-2',
      ])
        await tree.write(`empty/${name}/.keep`);
      cluster = await startCluster(3, ['--ingest', 'off'], { tally: tallyPlugin });
    });

    afterAll(async () => {
      await cluster.end();
      await tree.remove();
    });

    const one = (number: number): TestServer => {
      const server = cluster.servers[number];
      if (server === undefined) throw new Error(`There is no server ${number}.`);
      return server;
    };

    test('a session that one opens works at the others at once, and so does its end', async () => {
      const name = 'ada';
      const password = 'correct horse battery staple';
      await one(0).request('POST', '/api/users', { name, password, role: 'user' });
      const { body } = await one(1).request('POST', '/api/auth/login', { name, password });
      const { sessionToken } = body as { sessionToken: string };
      const me = async (server: TestServer) =>
        (
          await fetch(`${server.url}/api/auth/me`, {
            headers: { authorization: `Bearer ${sessionToken}` },
          })
        ).status;
      const before = [await me(one(0)), await me(one(2)), await me(one(0))];

      await fetch(`${one(2).url}/api/auth/logout`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sessionToken}` },
      });

      expect([before, await me(one(0)), await me(one(1)), await me(one(2))]).toEqual([
        [200, 200, 200],
        401,
        401,
        401,
      ]);
    });

    test('a user whom one switches off can do nothing at another from then on', async () => {
      const { body } = await one(0).request('POST', '/api/users', {
        name: 'bob',
        password: 'correct horse battery staple',
        role: 'user',
      });
      const { user } = body as { user: { id: string } };
      const signedIn = await one(1).request('POST', '/api/auth/login', {
        name: 'bob',
        password: 'correct horse battery staple',
      });
      const { sessionToken } = signedIn.body as { sessionToken: string };
      const me = async () =>
        (
          await fetch(`${one(1).url}/api/auth/me`, {
            headers: { authorization: `Bearer ${sessionToken}` },
          })
        ).status;
      const before = await me();

      await one(2).request('PATCH', `/api/users/${user.id}`, { disabled: true });

      expect([before, await me()]).toEqual([200, 401]);
    });

    test('what one makes shows in the answer of another at once', async () => {
      const { status } = await makeLibrary(one(0), 'First', `${tree.path}/empty/first`);

      const names = await Promise.all(
        cluster.servers.map(async (server) => {
          const { libraries } = await server.get<{ libraries: { name: string }[] }>(
            '/api/libraries',
          );
          return libraries.map((library) => library.name);
        }),
      );

      expect([status, ...names]).toEqual([201, ['First'], ['First'], ['First']]);
    });

    test('a client of one hears what happens at another, and goes on at a third where it was', async () => {
      const first = await listen(one(1));
      await makeLibrary(one(0), 'Second', `${tree.path}/empty/second`);
      const heard = await first.until(({ name }) => name === 'Second');
      first.end();
      await makeLibrary(one(1), 'Third', `${tree.path}/empty/third`);

      const later = await listen(one(2), heard.id);
      const missed = await later.until(({ name }) => name === 'Third');
      later.end();

      expect(later.all().map(({ id }) => id)).not.toContain(heard.id);
      expect(numberOf(missed.id)).toBeGreaterThan(numberOf(heard.id));
      expect(missed.id.split('.')[0]).toBe(heard.id.split('.')[0]);
    });

    test('a plugin that is granted at one runs at all, hears each event once, and stops at all', async () => {
      const states = () =>
        Promise.all(
          cluster.servers.map(
            async (server) =>
              (await server.get<{ plugin: { state: string } }>('/api/plugins/tally')).plugin.state,
          ),
        );
      await one(1).request('PUT', '/api/plugins/tally/permissions', {
        granted: { kv: { quotaMb: 1 }, hears: ['library'] },
      });
      await until('the plugin runs at all', async () =>
        (await states()).every((state) => state === 'running'),
      );
      for (const [number, server] of cluster.servers.entries())
        await makeLibrary(server, `Tallied ${number}`, `${tree.path}/empty/tallied-${number}`);
      const heard = async () =>
        JSON.stringify(
          (await one(2).request('POST', '/api/plugins/tally/actions/heard', { params: {} })).body,
        );
      await until('the plugin has heard the last one', async () =>
        (await heard()).includes('Tallied 2'),
      );
      const all = await heard();

      await one(0).request('POST', '/api/plugins/tally/disable');
      await until('the plugin stops at all', async () =>
        (await states()).every((state) => state === 'stopped'),
      );

      await one(0).request('POST', '/api/plugins/tally/enable');
      expect(all.match(/Tallied \d/g)).toEqual(['Tallied 0', 'Tallied 1', 'Tallied 2']);
    });

    test('a task that one runs is known to have run at all', async () => {
      const lastRun = async (server: TestServer) => {
        const { tasks } = await server.get<{ tasks: { name: string; lastRun: string | null }[] }>(
          '/api/scheduler',
        );
        return tasks.find(({ name }) => name === 'library-scan')?.lastRun;
      };
      const scans = async () =>
        (
          await one(2).get<{ jobs: { id: string; type: string; libraryId: string }[] }>(
            '/api/jobs?limit=100',
          )
        ).jobs.filter(({ type }) => type === 'scan');
      await jobsOver(one(0));
      const before = new Set((await scans()).map(({ id }) => id));
      const { status } = await one(1).request('POST', '/api/scheduler/library-scan/run');
      await until('it has run', async () => (await lastRun(one(1))) !== null);
      await until('the others know', async () => {
        const runs = await Promise.all(cluster.servers.map(lastRun));
        return runs.every((run) => run !== null && run === runs[0]);
      });
      await jobsOver(one(0));

      const scanned = (await scans())
        .filter(({ id }) => !before.has(id))
        .map(({ libraryId }) => libraryId);

      expect(status).toBe(200);
      expect(new Set(scanned).size).toBe(scanned.length);
    });

    test('a scan whose server is killed ends at another one, with every file once', async () => {
      const made = await makeLibrary(one(0), 'Films', `${tree.path}/films`);
      const { library } = made.body as { library: { id: string } };
      await one(0).request('POST', '/api/jobs', { type: 'scan', libraryId: library.id });
      const items = async (server: TestServer) =>
        (await allItems(server)).filter(({ libraryId }) => libraryId === library.id);
      await until('the scan is on its way', async () => (await items(one(1))).length > 0);
      const { lease_owner: owner } = await scanOf(cluster.database.url, library.id);
      const victim = cluster.servers.find((server) => server.output().includes(owner));
      const survivors = cluster.servers.filter((server) => server !== victim);

      await victim?.kill();
      const known = (await items(survivors[0] ?? one(1))).length;
      await Promise.all(survivors.map((server) => jobsOver(server)));
      const found = await Promise.all(survivors.map(items));
      const lives = await scanOf(cluster.database.url, library.id);
      await makeLibrary(survivors[0] ?? one(1), 'Tallied late', `${tree.path}/empty/first-2`);
      const heard = async () =>
        JSON.stringify(
          await survivors[1]?.request('POST', '/api/plugins/tally/actions/heard', { params: {} }),
        );
      await until('plugins hear of events again', async () =>
        (await heard()).includes('Tallied late'),
      );

      expect(known).toBeLessThan(films);
      expect(lives.status).toBe('completed');
      expect((await heard()).match(/Tallied late/g)).toHaveLength(1);
      for (const all of found) {
        expect(all).toHaveLength(films);
        expect(new Set(all.map(({ title }) => title)).size).toBe(films);
        expect(new Set(all.flatMap(({ files }) => files.map(({ uri }) => uri))).size).toBe(films);
      }
    });
  },
);

interface StoredScan {
  readonly status: string;
  readonly lease_owner: string;
  readonly interruptions: string;
}

/** The scan of a library, as the queue has it. */
async function scanOf(url: string, libraryId: string): Promise<StoredScan> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<StoredScan>(
      `select status, lease_owner, interruptions from jobs where type = 'scan' and library_id = $1`,
      [libraryId],
    );
    return rows[0] ?? { status: 'none', lease_owner: 'nobody', interruptions: '0' };
  } finally {
    await client.end();
  }
}

const numberOf = (id: string): number => Number(id.split('.')[1]);

async function makeLibrary(server: TestServer, name: string, root: string) {
  return server.request('POST', '/api/libraries', { name, type: 'movies', roots: [root] });
}

interface Heard {
  readonly id: string;
  readonly name: string;
}

/** A client of the feed of one server. */
async function listen(server: TestServer, lastEventId?: string) {
  const ending = new AbortController();
  const reply = await fetch(`${server.url}/api/events?types=library.created`, {
    headers: {
      authorization: `Bearer ${adminToken}`,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
    signal: ending.signal,
  });
  const all: Heard[] = [];
  void (async () => {
    let rest = '';
    try {
      for await (const part of (reply.body ?? new ReadableStream()).pipeThrough(
        new TextDecoderStream(),
      )) {
        const frames = (rest + part).split('\n\n');
        rest = frames.pop() ?? '';
        for (const frame of frames) {
          const [, id = ''] = /^id: (.*)$/m.exec(frame) ?? [];
          const [, json = ''] = /^data: (.*)$/m.exec(frame) ?? [];
          if (json === '' || json === '{}') continue;
          all.push({ id, name: (JSON.parse(json) as { data: { name: string } }).data.name });
        }
      }
    } catch {
      // It ends with the test.
    }
  })();
  return {
    all: () => all,
    until: async (isIt: (heard: Heard) => boolean): Promise<Heard> => {
      await until('the event is heard', () => all.some(isIt));
      return all.find(isIt) ?? { id: '', name: '' };
    },
    end: () => ending.abort(),
  };
}
