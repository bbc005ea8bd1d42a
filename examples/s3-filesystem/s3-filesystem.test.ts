/** The example on a real server, with a storage on the loopback interface that checks each signature. */
import { mkdir, mkdtemp, rm, writeFile, cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundlePlugin } from '../../packages/app/plugin-kit/packing/bundle.ts';
import { startS3Server, type S3Server } from '../../test/support/servers/s3-server.ts';
import { allItems, jobsOver, type ListedItem } from '../../test/support/servers/scan.ts';
import {
  adminToken,
  startServer,
  until,
  type TestServer,
} from '../../test/support/servers/server.ts';

const keys = {
  accessKeyId: 'AKIAEXAMPLE',
  secretAccessKey: 'a/secret+that/nobody+may/see0123456789ab',
  region: 'eu-central-1',
};
const bucket = 'films';
const id = 's3-filesystem';

let data: string;
let storage: S3Server;
let server: TestServer;
let libraryId: string;

beforeAll(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
  const folder = path.join(data, 'plugins', id);
  await mkdir(path.join(folder, 'dist'), { recursive: true });
  await cp(path.join(import.meta.dirname, 'manifest.json'), path.join(folder, 'manifest.json'));
  const { code } = await bundlePlugin(path.join(import.meta.dirname, 'src/index.ts'));
  await writeFile(path.join(folder, 'dist/index.js'), code);
  storage = await startS3Server(keys, { pageSize: 7 });
  fill();
  server = await startServer({ data, args: ['--net-allow', storage.host] });
});

afterAll(async () => {
  await server.stop();
  await storage.close();
  await rm(data, { recursive: true });
});

const film = Buffer.alloc(300_000, 'a film ');
const odd = [
  'Amélie (2001)/Amélie (2001).mkv',
  "It's a + b & c = d (2002)/It's a + b & c = d (2002).mkv",
  '100% [Wolf] (2020)/100% [Wolf] (2020).mkv',
  '千と千尋 (2001)/千と千尋 (2001).mkv',
  'What!? (1972)/What!? (1972).mkv',
  '~Tilde* (1999)/~Tilde* (1999).mkv',
];
const plain = Array.from({ length: 12 }, (_, at) => `Film ${at} (2001)/Film ${at} (2001).mkv`);

function fill(): void {
  for (const name of [...odd, ...plain]) storage.put(bucket, `library/${name}`, film);
  storage.put(bucket, 'library/', '');
  storage.put(bucket, 'library/Empty/', '');
  storage.put(bucket, 'library/.hidden/Secret (2000).mkv', film);
  storage.put(bucket, 'library/a//b (2000).mkv', film);
  storage.put(bucket, 'library/../Escape (2000).mkv', film);
  storage.put(bucket, 'library/Archived (1990)/Archived (1990).mkv', film, {
    storageClass: 'GLACIER',
  });
  storage.put(bucket, 'elsewhere/Other (2000).mkv', film);
}

const uriOf = (name: string): string =>
  `s3://${bucket}/library/${name.split('/').map(encodeURIComponent).join('/')}`;

const configure = (values: object = {}) =>
  server.request('PUT', `/api/plugins/${id}/configuration`, {
    endpoint: storage.url,
    region: keys.region,
    accessKeyId: keys.accessKeyId,
    ...values,
  });
const setSecret = (value: string) =>
  server.request('PUT', `/api/plugins/${id}/secrets/secretAccessKey`, { value });
const makeLibrary = (root: string) =>
  server.request('POST', '/api/libraries', { name: root, type: 'movies', roots: [root] });

async function scan(): Promise<readonly ListedItem[]> {
  await server.request('POST', '/api/jobs', { type: 'scan', libraryId });
  await jobsOver(server);
  return allItems(server);
}

const stream = (item: ListedItem, range: string): Promise<Response> =>
  fetch(`${server.url}/api/files/${item.files[0]?.id ?? ''}/stream`, {
    headers: { authorization: `Bearer ${adminToken}`, range },
  });

async function itemAt(name: string): Promise<ListedItem> {
  const items = await allItems(server);
  const found = items.find(({ files }) => files.some(({ uri }) => uri === uriOf(name)));
  if (found === undefined) throw new Error(`No item has ${name}.`);
  return found;
}

describe('a library in a bucket', { timeout: 90_000 }, () => {
  test('is refused with the reason until the plugin is granted, configured and has the key', async () => {
    await server.request('PUT', `/api/plugins/${id}/permissions`, {
      granted: { net: [storage.host], secrets: true, serves: ['filesystem:s3'] },
    });
    await until('it runs', async () => {
      const { plugin } = await server.get<{ plugin: { state: string } }>(`/api/plugins/${id}`);
      return plugin.state === 'running';
    });

    const unset = await makeLibrary(`s3://${bucket}/library`);
    await configure();
    const noSecret = await makeLibrary(`s3://${bucket}/library`);
    await setSecret('another secret that is wrong');
    const wrong = await makeLibrary(`s3://${bucket}/library`);
    await setSecret(keys.secretAccessKey);
    const noBucket = await makeLibrary('s3://nowhere');

    expect([unset.status, noSecret.status, wrong.status, noBucket.status]).toEqual([
      400, 400, 400, 400,
    ]);
    expect(JSON.stringify(unset.body)).toContain('Enter the address of the storage');
    expect(JSON.stringify(noSecret.body)).toContain('secretAccessKey');
    expect(JSON.stringify(wrong.body)).toContain('rejects the keys');
    expect(JSON.stringify(noBucket.body)).toContain('The bucket does not exist');
    expect(storage.refused()).toBe(1);
  });

  test('has every film of it, with any name, and nothing that is hidden or elsewhere', async () => {
    const { status, body } = await makeLibrary(`s3://${bucket}/library`);
    expect(status).toBe(201);
    libraryId = (body as { library: { id: string } }).library.id;

    const items = await scan();

    const uris = items.flatMap(({ files }) => files.map(({ uri }) => uri));
    expect(uris.toSorted()).toEqual([...odd, ...plain].map(uriOf).toSorted());
    expect(items.flatMap(({ files }) => files.map(({ size }) => size))).toEqual(
      uris.map(() => film.length),
    );
    expect(storage.refused()).toBe(1);
  });

  test.each(odd)('streams ranges of %s unchanged', async (name) => {
    const item = await itemAt(name);

    const reply = await stream(item, 'bytes=1000-1099');
    const end = await stream(item, `bytes=${film.length - 10}-`);

    expect(reply.status).toBe(206);
    expect(Buffer.from(await reply.arrayBuffer()).equals(film.subarray(1000, 1100))).toBe(true);
    expect(Buffer.from(await end.arrayBuffer()).equals(film.subarray(-10))).toBe(true);
  });

  test('reads only the played ranges from the storage, and never a whole film', async () => {
    const ranges = storage.requests.flatMap(({ method, path: at, headers }) =>
      method === 'GET' && at.includes('.mkv') ? [headers['range']] : [],
    );

    expect(ranges.length).toBeGreaterThan(0);
    expect(ranges.every((range) => /^bytes=\d+-\d+$/.test(String(range)))).toBe(true);
  });

  test('follows additions, changes and removals', async () => {
    const [gone = '', changed = ''] = plain;
    const objects = storage.buckets.get(bucket);
    objects?.delete(`library/${gone}`);
    storage.put(bucket, `library/${changed}`, 'shorter', { modifiedAt: Date.UTC(2026, 5, 1) });
    storage.put(bucket, 'library/New (2024)/New (2024).mkv', film);

    await scan();

    expect((await itemAt(changed)).files[0]?.size).toBe('shorter'.length);
    expect((await itemAt('New (2024)/New (2024).mkv')).status).toBe('active');
    const left = (await allItems(server)).find(({ files }) =>
      files.some(({ uri, status }) => uri === uriOf(gone) && status !== 'missing'),
    );
    expect(left).toBeUndefined();
  });

  test('loses no files when the storage answers nonsense, or that it is empty', async () => {
    const there = async (): Promise<number> =>
      (await allItems(server))
        .flatMap(({ files }) => files)
        .filter(({ status }) => status !== 'missing').length;
    const before = await there();
    const answers = [
      '<html>Sign in</html>',
      `<ListBucketResult><Contents><Key>library/../../x.mkv</Key><Size>1</Size><LastModified>2026-01-01T00:00:00Z</LastModified></Contents></ListBucketResult>`,
    ];
    for (const xml of answers) {
      storage.sayInstead(xml);
      await server.request('POST', '/api/jobs', { type: 'scan', libraryId });
      await jobsOver(server).catch(() => undefined);
    }
    storage.sayInstead(null);

    expect(before).toBeGreaterThan(12);
    expect(await there()).toBe(before);
  });

  test('never shows the secret key in a log, in a message, or to the plugin', async () => {
    const shown = [
      server.output(),
      JSON.stringify(await server.get(`/api/plugins/${id}/logs`)),
      JSON.stringify(await server.get(`/api/plugins/${id}/configuration`).catch(() => '')),
      JSON.stringify(storage.requests),
    ];

    for (const text of shown) expect(text).not.toContain(keys.secretAccessKey);
  });
});
