import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import { createDiskCache, type CachedAnswer } from './disk-cache.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vitrine-cache-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (maxBytes = 100_000) => createDiskCache({ folder, maxBytes, log: silentLog });
const answer = (text: string): CachedAnswer => ({
  status: 200,
  headers: { etag: '"é"' },
  storedAt: 7,
  body: Buffer.from(text),
});
const textOf = (found: CachedAnswer | null) => found && Buffer.from(found.body).toString();

describe('the cache on the disk', () => {
  test('gives back what was stored, also after a restart', async () => {
    await open().write('a', answer('Zoë'));

    const found = await open().read('a');

    expect(found).toMatchObject({ status: 200, headers: { etag: '"é"' }, storedAt: 7 });
    expect(textOf(found)).toBe('Zoë');
    expect(await open().read('b')).toBeNull();
  });

  test('stays within its limit, and evicts the least recently used', async () => {
    const cache = open(5000);
    for (const key of ['a', 'b', 'c', 'd']) await cache.write(key, answer('x'.repeat(1000)));
    await cache.read('a');

    await cache.write('e', answer('x'.repeat(1000)));

    const found = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(async (key) => cache.read(key)));
    expect(found.map((one) => one !== null)).toEqual([true, false, true, true, true]);
    expect(await cache.size()).toBeLessThanOrEqual(5000);
    expect(await readdir(folder)).toHaveLength(4);
  });

  test('does not store one response that takes a quarter of its room', async () => {
    const cache = open(4000);

    await cache.write('a', answer('x'.repeat(1000)));

    expect(await cache.read('a')).toBeNull();
  });

  test('treats an incomplete or changed file as absent, and removes unknown files', async () => {
    await open().write('a', answer('whole'));
    const [name = ''] = await readdir(folder);
    await writeFile(path.join(folder, 'stranger.tmp'), 'x');
    for (const content of ['', '\x00\x00', '\xff\xff\xff\xff', '\x00\x00\x00\x02{}']) {
      await writeFile(path.join(folder, name), Buffer.from(content, 'latin1'));
      expect(await open().read('a')).toBeNull();
    }

    expect(await readdir(folder)).toEqual([]);
  });

  test('fails no request when the disk fails', async () => {
    const cache = createDiskCache({ folder: '/dev/null/x', maxBytes: 1000, log: silentLog });

    await cache.write('a', answer('x'));

    expect(await cache.read('a')).toBeNull();
  });

  test('creates its folder again when it was removed', async () => {
    const cache = open();
    await cache.write('a', answer('x'));
    await rm(folder, { recursive: true });

    await cache.write('b', answer('x'));
    await cache.write('c', answer('x'));

    expect(textOf(await cache.read('c'))).toBe('x');
  });
});
