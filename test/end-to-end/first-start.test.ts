/** The way of a newcomer: one command, a folder of films, series and music, and what is in it. */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { allItems, jobsOver, scanAll } from '../support/servers/scan.ts';
import {
  adminToken,
  processTree,
  startServer,
  until,
  type TestServer,
} from '../support/servers/server.ts';

const films = [
  'Films/The Silent Harbor (1999)/The Silent Harbor (1999) [1080p].mkv',
  'Films/Amélie (2001).mp4',
];
const series = [
  'Series/Night Train/Season 01/Night Train - S01E01 - The Station.mkv',
  'Series/Night Train/Season 01/Night Train - S01E02.mkv',
];
const music = [
  'Music/Nina Berg/Winter (2004)/01 - First Snow.flac',
  'Music/Nina Berg/Winter (2004)/02 - Ice & Fire.mp3',
];

let tree: MediaTree;
let server: TestServer;

beforeAll(async () => {
  tree = await createMediaTree([...films, ...series, ...music, 'Films/readme.txt']);
  const library = (type: string, name: string) => [
    '--library',
    `${type}:${name}:${tree.path}/${name}`,
  ];
  server = await startServer({
    isFirstOfAll: true,
    args: [...library('movies', 'Films'), ...library('tv', 'Series'), ...library('music', 'Music')],
  });
  await jobsOver(server);
});

afterAll(async () => {
  const processes = await processTree(server.pid);
  expect(await server.stop()).toBe(0);
  await until('no process is left', async () => {
    const alive = await Promise.all(processes.map((pid) => processTree(pid)));
    return alive.every((found, at) => found.length === 1 && !isRunning(processes[at] ?? 0));
  });
  await tree.remove();
});

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('a library named on the command line', () => {
  test('is scanned at the start, and every film, episode and track is an item', async () => {
    const items = await allItems(server);

    expect(items.map(({ title }) => title).sort()).toEqual([
      'Amélie',
      'First Snow',
      'Ice & Fire',
      'Night Train S01E02',
      'The Silent Harbor',
      'The Station',
    ]);
    expect(items.every(({ status, files }) => status === 'active' && files.length === 1)).toBe(
      true,
    );
  });

  test('counts its items', async () => {
    const { libraries } = await server.get<{ libraries: readonly object[] }>('/api/libraries');

    expect(libraries).toEqual(
      expect.arrayContaining(
        ['Films', 'Series', 'Music'].map((name) => expect.objectContaining({ name, itemCount: 2 })),
      ),
    );
  });

  test('is found again and not made twice by the next start', async () => {
    const { libraries } = await server.get<{ libraries: readonly object[] }>('/api/libraries');

    expect(libraries).toHaveLength(3);
  });

  test('gives the same items with the same ids when it is scanned again', async () => {
    const before = await allItems(server);

    await scanAll(server);

    expect(await allItems(server)).toEqual(before);
  });
});

test('a library that would hold the data folder is refused, since plugins read libraries', async () => {
  for (const root of [server.data, '/']) {
    const wanted = { name: `Own ${root}`, type: 'movies', roots: [root] };
    const { status, body } = await server.request('POST', '/api/libraries', wanted);

    expect(status).toBe(400);
    expect(body).toMatchObject({ error: expect.stringContaining('data folder') });
  }
});

describe('GET /api/search?q=', () => {
  const titles = async (q: string) => {
    const { items } = await server.get<{ items: readonly { title: string }[] }>(
      `/api/search?q=${encodeURIComponent(q)}`,
    );
    return items.map(({ title }) => title);
  };

  beforeAll(async () => {
    await until('the index has caught up', async () => (await titles('ice')).length === 1);
  });

  test.each([
    ['a title', 'The Silent Harbor', 'The Silent Harbor'],
    ['the start of a word', 'silen', 'The Silent Harbor'],
    ['a word without its accent', 'amelie', 'Amélie'],
    ['words in another order', 'harbor silent', 'The Silent Harbor'],
    ['a word with one typing error', 'harbpr', 'The Silent Harbor'],
    ['other punctuation', 'ice - fire', 'Ice & Fire'],
  ])('finds %s', async (_, q, title) => {
    expect((await titles(q))[0]).toBe(title);
  });

  test('finds entities with their confidence', async () => {
    const { entities } = await server.get<{ entities: readonly object[] }>('/api/search?q=nina');

    expect(entities).toContainEqual(
      expect.objectContaining({
        name: 'Nina Berg',
        type: 'artist',
        confidence: expect.any(Number),
      }),
    );
  });

  test('finds nothing for what is not there', async () => {
    expect(await titles('qqqqzzzz')).toEqual([]);
  });
});

describe('GET /api/files/:id/stream', () => {
  const file = async () => {
    const items = await allItems(server);
    const found = items.find(({ title }) => title === 'Amélie')?.files[0];
    return found!;
  };
  const stream = async (headers: Readonly<Record<string, string>>) =>
    fetch(`${server.url}/api/files/${(await file()).id}/stream`, {
      headers: { authorization: `Bearer ${adminToken}`, ...headers },
    });

  test('gives the bytes of the file', async () => {
    const reply = await stream({});

    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('video/mp4');
    expect(await reply.text()).toBe('Films/Amélie (2001).mp4');
  });

  test('gives a range', async () => {
    const reply = await stream({ range: 'bytes=6-12' });

    expect(reply.status).toBe(206);
    expect(reply.headers.get('content-range')).toBe(`bytes 6-12/${(await file()).size}`);
    expect(await reply.text()).toBe('Amélie');
  });

  test('is closed to requests without a key', async () => {
    const reply = await fetch(`${server.url}/api/files/${(await file()).id}/stream`);

    expect(reply.status).toBe(401);
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
  });
});

const hasFfprobe = (() => {
  try {
    execFileSync('ffprobe', ['-version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

test.skipIf(!hasFfprobe)('ffprobe plays a real file from its stream (needs ffmpeg)', async () => {
  const media = `${tree.path}/Films/Real Film (2011).mp4`;
  execFileSync('ffmpeg', [
    '-loglevel',
    'error',
    '-f',
    'lavfi',
    '-i',
    'testsrc=size=64x36:rate=5:duration=1',
    media,
  ]);
  await scanAll(server);
  const item = (await allItems(server)).find(({ title }) => title === 'Real Film');

  const output = execFileSync('ffprobe', [
    ...['-loglevel', 'error', '-headers', `Authorization: Bearer ${adminToken}\r\n`],
    ...['-show_entries', 'stream=width,height', '-of', 'csv=p=0'],
    `${server.url}/api/files/${item?.files[0]?.id ?? ''}/stream`,
  ]).toString();

  expect(output.trim()).toBe('64,36');
});

describe('the state of the server', () => {
  /** Each built-in plugin is a folder with a manifest; one that asks the internet waits for an admin. */
  const total = globSync('builtin-plugins/*/manifest.json').filter(
    (file) => !/"net": \["[a-z]/.test(readFileSync(file, 'utf8')),
  ).length;

  test('GET /api/health is open to everyone and counts the plugins', async () => {
    const reply = await fetch(`${server.url}/api/health`);

    expect(reply.status).toBe(200);
    expect(await reply.json()).toEqual({
      status: 'ok',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      version: expect.any(String),
      uptime: expect.any(Number),
      plugins: { bootComplete: true, total, running: total, starting: 0, failed: 0 },
    });
  });

  test('GET /api/stats shows the fields of the specification', async () => {
    expect(await server.get('/api/stats')).toEqual({
      users: expect.any(Number),
      plugins: { total, running: total },
      jobs: { running: 0 },
      streaming: { transcodeSessions: 0, wsClients: expect.any(Number) },
      scheduler: expect.any(Array),
      uptime: expect.any(Number),
      pluginIsolation: 'process',
      conversion: expect.any(Object),
      memoryUsage: expect.any(Number),
    });
  });

  test('GET /api/openapi.json describes the routes', async () => {
    const document = await server.get<{ openapi: string; paths: object }>('/api/openapi.json');

    expect(document.openapi).toMatch(/^3\.1/);
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([
        '/api/search',
        '/api/jobs',
        '/api/libraries',
        '/api/files/{id}/stream',
      ]),
    );
  });
});
