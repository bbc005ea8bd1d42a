import { expect, test } from 'vitest';
import type { DiskFolder, Host } from '../../plugin-api/index.ts';
import { createFolderReader } from './folder-reader.ts';

const folderAt = (path: string): DiskFolder => ({ path, entries: [], problems: [] });

/** A disk on which every folder has a chain of folders deeper than any walk goes. */
const deep: Pick<Host['disk'], 'list'> = {
  list: async ({ paths, below }) => ({
    folders: paths.flatMap((path) => [
      folderAt(path),
      ...Array.from({ length: below?.most ?? 0 }, (_, depth) => folderAt(`${path}/${depth}`)),
    ]),
  }),
};

const readerOf = () =>
  createFolderReader({
    ...{ disk: deep, extensions: undefined, markers: [], ignore: [] },
    upcoming: () => [],
  });

test('a folder inside another one is read without a further host call', async () => {
  const reader = readerOf();

  await reader.read('/a', undefined);

  expect(await reader.read('/a/0', undefined)).toEqual(folderAt('/a/0'));
  expect(reader.hostCalls()).toBe(1);
});

test('folders that are never requested do not pile up', async () => {
  const reader = readerOf();
  const walked = Array.from({ length: 100 }, (_, index) => `/${index}`);

  for (const path of walked) await reader.read(path, undefined);

  const kept = walked.flatMap((path) =>
    Array.from({ length: 256 }, (_, depth) => reader.peek(`${path}/${depth}`) ?? []).flat(),
  );
  expect(kept).toHaveLength(4096);
});
