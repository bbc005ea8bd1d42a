import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { BlobStoreFailed, createFolderBlobs, type BlobStore } from '../../platform/blobs/index.ts';
import { createPartStore, type PartStore } from './part-store.ts';
import { createSharedParts } from './shared-parts.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vitrine-parts-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const open = (server: string, blobs: BlobStore): PartStore =>
  createSharedParts(
    createPartStore(path.join(folder, server), async () => 1_000_000),
    blobs,
    silentLog,
  );
const textOf = async (parts: PartStore, key: string): Promise<string | null> => {
  const part = await parts.read(key);
  return part === null ? null : String(await buffer(part.body));
};

describe('what was converted', () => {
  test('at one server is read by another one', async () => {
    const blobs = createFolderBlobs(path.join(folder, 'blobs'));
    const [one, other] = [open('one', blobs), open('other', blobs)];

    await one.write('film 1', Buffer.from('a segment'));

    const isThere = async () => (await textOf(other, 'film 1')) === 'a segment';
    await eventually('the copy is there', isThere);
    expect([await textOf(other, 'film 2'), await other.has('film 1')]).toEqual([null, false]);
  });

  test('is kept by its server where the store fails, and nothing fails for it', async () => {
    const fails = () => Promise.reject(new BlobStoreFailed('full', 'It is full.'));
    const store = createFolderBlobs(path.join(folder, 'blobs'));
    const parts = open('alone', { ...store, write: fails, read: fails });

    await parts.write('film 1', Buffer.from('a segment'));

    expect([await textOf(parts, 'film 1'), await textOf(parts, 'x')]).toEqual(['a segment', null]);
  });
});
