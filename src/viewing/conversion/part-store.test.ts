import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createPartStore } from './part-store.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vitrine-parts-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

const open = (maxBytes = 100) => createPartStore(folder, async () => maxBytes);
const bytes = (size: number): Uint8Array => new Uint8Array(size).fill(7);

test('what was written is read, also by the next server', async () => {
  await open().write('one', bytes(10));

  const part = await open().read('one');

  expect(part?.size).toBe(10);
  expect(part === null ? null : await buffer(part.body)).toEqual(Buffer.from(bytes(10)));
});

test('the least recently used goes first, and the limit is never passed', async () => {
  const store = open(100);
  for (const key of ['a', 'b', 'c']) await store.write(key, bytes(30));
  (await store.read('a'))?.body.destroy();

  await store.write('d', bytes(30));

  expect(await Promise.all(['a', 'b', 'c', 'd'].map(store.has))).toEqual([true, false, true, true]);
  expect(await store.size()).toBe(90);
});

test('what a crash left without a name is removed', async () => {
  await writeFile(path.join(folder, '.half-a-segment'), 'half');

  expect(await open().size()).toBe(0);
  expect(await readdir(folder)).toEqual([]);
});

test('a part that was removed from the disk counts as absent', async () => {
  const store = open();
  await store.write('one', bytes(10));
  for (const name of await readdir(folder)) await rm(path.join(folder, name));

  expect(await store.read('one')).toBeNull();
  expect(await store.size()).toBe(0);
});

test('a folder that cannot be written rejects', async () => {
  const store = createPartStore('/dev/null/parts', async () => 100);

  await expect(store.write('one', bytes(1))).rejects.toThrow('ENOTDIR');
});
