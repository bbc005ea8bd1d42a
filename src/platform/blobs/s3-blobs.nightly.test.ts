/** The bucket of a real S3 server: `@20minutes/s3rver`, which checks signatures and keeps objects on the disk. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver from '@20minutes/s3rver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keepsTheContract, listed } from '../../../test/support/storage/blob-contract.ts';
import { systemClock } from '../clock.ts';
import { createS3Blobs, type S3BlobsParts } from './s3-blobs.ts';
import { watchedBlobs } from './watched-blobs.ts';

// The only key that s3rver knows.
const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
let folder: string;
let server: S3rver;
let endpoint: string;

const open = (more: Partial<S3BlobsParts> = {}) =>
  createS3Blobs({
    ...{ bucket: 'media', prefix: 'vitrine/one', endpoint, region: 'us-east-1', keys },
    clock: systemClock,
    ...more,
  });

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vitrine-s3-'));
  const configureBuckets = [{ name: 'media' }];
  server = new S3rver({
    ...{ address: '127.0.0.1', port: 0, silent: true, directory: folder, configureBuckets },
  });
  endpoint = `http://127.0.0.1:${(await server.run()).port}`;
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

describe('blobs in a bucket of s3rver', () => {
  keepsTheContract(() => open());

  test('are of one prefix, and another prefix of the bucket sees none of them', async () => {
    await open().write('mine/a', Buffer.from('x'));

    const other = open({ prefix: 'vitrine/two' });
    expect([await other.has('mine/a'), await listed(other, 'mine/')]).toEqual([false, []]);
    expect(await open({ prefix: 'vitrine' }).has('mine/a')).toBe(false);
  });

  test.each([
    ['a wrong secret', { keys: { ...keys, secretAccessKey: 'wrong' } }, 'refused'],
    ['an unknown key', { keys: { accessKeyId: 'A', secretAccessKey: 'B' } }, 'refused'],
    ['a bucket that is not there', { bucket: 'nowhere' }, 'refused'],
  ] as const)('say that they are refused with %s', async (_, more, reason) => {
    const { store, look } = watchedBlobs(open(more));

    await expect(store.write('x/a', Buffer.from('x'))).rejects.toMatchObject({ reason });
    expect(await look()).toMatchObject({ reason });
  });
});

describe('a bucket that is away', () => {
  const closed: Server[] = [];
  const listen = async (answer: (path: string) => number | null): Promise<string> => {
    const http = createServer((request, reply) => {
      const status = answer(request.url ?? '');
      if (status !== null) reply.writeHead(status).end();
    });
    closed.push(http);
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const address = http.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  };
  afterAll(() => {
    for (const http of closed) {
      http.closeAllConnections();
      http.close();
    }
  });

  test('delays one request by its limit, and the next ones by nothing', async () => {
    const slow = open({ endpoint: await listen(() => null), timeoutMs: 300 });
    const began = performance.now();
    await expect(slow.has('x/a')).rejects.toMatchObject({ reason: 'away' });
    const first = performance.now() - began;
    for (let n = 0; n < 50; n += 1)
      await expect(slow.read('x/a')).rejects.toMatchObject({ reason: 'away' });

    expect(first).toBeGreaterThan(250);
    expect(performance.now() - began).toBeLessThan(2 * first + 250);
  });

  test.each([
    [503, 'away'],
    [507, 'full'],
    [301, 'refused'],
    [302, 'away'],
  ])('says what %d means, and follows it nowhere', async (status, reason) => {
    const asked: string[] = [];
    const at = await listen((name) => {
      asked.push(name);
      return status;
    });

    await expect(open({ endpoint: at }).write('x/a', Buffer.from('x'))).rejects.toMatchObject({
      reason,
    });
    expect(asked).toHaveLength(1);
  });
});
