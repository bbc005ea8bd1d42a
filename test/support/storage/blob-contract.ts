/** What each blob store does: a folder as well as a bucket. */
import { expect, test } from 'vitest';
import { sweepKind, type BlobStore, type ListedBlob } from '../../../src/platform/blobs/index.ts';

const textOf = async (store: BlobStore, key: string, range?: { start: number; end: number }) => {
  const blob = await store.read(key, range);
  if (blob === null) return null;
  const bytes = Buffer.concat((await blob.body.toArray()) as Buffer[]);
  return [blob.size, bytes.toString('latin1')];
};

/** All blobs below a prefix. */
export async function listed(store: BlobStore, prefix: string): Promise<readonly ListedBlob[]> {
  const found: ListedBlob[] = [];
  for await (const blob of store.list(prefix)) found.push(blob);
  return found;
}

const keysOf = async (store: BlobStore, prefix: string): Promise<readonly string[]> =>
  (await listed(store, prefix)).map(({ key }) => key).toSorted();

/** Registers the tests; each has a kind of its own, so they may share one store. */
export function keepsTheContract(open: () => BlobStore): void {
  test('gives back what was written, whole and in parts', async () => {
    const store = open();
    const key = 'parts/0a';

    await store.write(key, Buffer.from('0123456789'));

    expect([await store.has(key), await store.size(key)]).toEqual([true, 10]);
    expect(await textOf(store, key)).toEqual([10, '0123456789']);
    expect(await textOf(store, key, { start: 2, end: 4 })).toEqual([3, '234']);
    expect(await textOf(store, key, { start: 8, end: 99 })).toEqual([2, '89']);
    expect(await textOf(store, key, { start: 10, end: 20 })).toEqual([0, '']);
  });

  test('has nothing under a key that was not written, and removes what is not there', async () => {
    const store = open();

    expect([await store.has('none/a'), await store.size('none/a')]).toEqual([false, null]);
    expect([await store.read('none/a'), await keysOf(store, 'none/')]).toEqual([null, []]);
    await store.remove('none/a');
  });

  test('takes the last of those that write one key at once, and never a mixture', async () => {
    const store = open();
    const large = (letter: string) => Buffer.alloc(300_000, letter);

    await Promise.all(['a', 'b', 'c', 'd'].map((one) => store.write('race/x', large(one))));

    const [size, text] = (await textOf(store, 'race/x')) ?? [];
    expect(size).toBe(300_000);
    expect(new Set(String(text)).size).toBe(1);
  });

  test('lists the keys of a prefix with their sizes', async () => {
    const store = open();
    const keys = Array.from({ length: 12 }, (_, n) => `listed/${String(n).padStart(3, '0')}.x-y_z`);
    for (const [n, key] of keys.entries()) await store.write(key, Buffer.alloc(n + 1));
    await store.write('listed-more/a', Buffer.from('x'));

    const found = await listed(store, 'listed/');

    expect(await keysOf(store, 'listed/')).toEqual(keys);
    expect(found.reduce((sum, { size }) => sum + size, 0)).toBe(78);
    expect(found.every(({ usedAt }) => Math.abs(Date.now() - usedAt) < 60_000)).toBe(true);
  });

  test('is swept to its limit, and what another removed meanwhile fails nothing', async () => {
    const store = open();
    for (let n = 0; n < 10; n += 1) await store.write(`swept/${n}`, Buffer.alloc(100));
    await store.write('kept/1', Buffer.alloc(1000));

    const [one, other] = await Promise.all([
      sweepKind(store, 'swept', 500),
      sweepKind(store, 'swept', 500),
    ]);

    const left = (await listed(store, 'swept/')).length * 100;
    expect([one <= 500, other <= 500, left <= 500]).toEqual([true, true, true]);
    expect(await store.has('kept/1')).toBe(true);
  });

  test.each([
    '',
    '..',
    'a/../b',
    '/etc/passwd',
    'a/.b',
    'a//b',
    'a/b/../../c',
    'A/b',
    'a/b\0',
    'a/b?c',
  ])('reaches nothing by the key %j', async (key) => {
    const store = open();

    await expect(store.write(key, Buffer.from('x'))).rejects.toThrow('not a key');
    await expect(store.read(key)).rejects.toThrow('not a key');
    await expect(store.remove(key)).rejects.toThrow('not a key');
  });
}
