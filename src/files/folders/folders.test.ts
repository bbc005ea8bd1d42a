import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createDiskCalls } from '../disk/disk-calls.ts';
import { createFolders, type Folders } from './folders.ts';

let place: string;
let folders: Folders;

beforeEach(() => {
  place = realpathSync(mkdtempSync(path.join(tmpdir(), 'vitrine-folders-')));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  for (const name of ['films', 'ärzte & co', '.hidden', 'secret'])
    mkdirSync(path.join(place, name));
  writeFileSync(path.join(place, 'file.mkv'), '');
  symlinkSync(path.join(place, 'secret'), path.join(place, 'link'));
  const answer = createDiskCalls([{ path: path.join(place, 'secret') }]);
  const unset = { after: {}, extensions: null, markers: [], limit: null, below: null };
  folders = createFolders({
    list: async (_reader, input) =>
      answer({
        ...{ roots: ['/'], libraries: [], operation: 'list' as const },
        ...unset,
        ...input,
      }),
  });
});

test('a folder lists the folders in it, which can be listed in turn', async () => {
  const page = await folders.list(`${place}/`);

  expect(page).toMatchObject({ path: place, parent: path.dirname(place), complete: true });
  expect(page.folders.map(({ name }) => name)).toEqual(['ärzte & co', 'films', 'secret']);
  for (const { name, path: inner } of page.folders.slice(0, 2))
    expect(await folders.list(inner)).toMatchObject({ path: `${place}/${name}`, folders: [] });
});

test('what the server keeps for itself is not listed, also behind a link', async () => {
  for (const name of ['secret', 'link'])
    await expect(folders.list(`${place}/${name}`)).rejects.toThrow('kept for the server itself');
});

test('a folder that is not there, a file, and a path that is not plain are refused in words', async () => {
  await expect(folders.list(`${place}/none`)).rejects.toThrow('does not exist');
  await expect(folders.list(`${place}/file.mkv`)).rejects.toThrow(/does not exist|cannot be read/);
  for (const wrong of ['films', '', '/media/../etc', '/a/./b', '/a\0b'])
    await expect(folders.list(wrong)).rejects.toThrow('whole path');
});

test('a folder with very many folders says that there are more', async () => {
  for (let at = 0; at < 1001; at += 1) mkdirSync(path.join(place, 'films', `f${at}`));

  const page = await folders.list(`${place}/films`);

  expect(page.folders).toHaveLength(1000);
  expect(page.complete).toBe(false);
});
