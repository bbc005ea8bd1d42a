import { describe, expect, test } from 'vitest';
import { KernelError } from '../../../kernel/index.ts';
import { toScanFolders, type FileTypes } from './change-places.ts';

const root = 'file:///films';

/** A disk with these folders; any other path is a file, except missing ones. */
function disk(folders: readonly string[], gone: readonly string[] = []) {
  const asked: string[] = [];
  const files: FileTypes = {
    stat: async (uri) => {
      asked.push(`stat ${uri}`);
      if (gone.includes(uri)) throw new KernelError('not_found', 'The file');
      return { kind: folders.includes(uri) ? 'folder' : 'file' };
    },
    list: async ({ uri, cursor }) => {
      asked.push(`list ${uri}`);
      const below = folders.filter((folder) => folder.startsWith(`${uri}/`));
      const entries = (cursor === null ? below.slice(0, 1) : below.slice(1)).map((folder) => ({
        uri: folder,
        kind: 'folder' as const,
        size: 0,
        modifiedAt: 0,
      }));
      return { entries, cursor: cursor === null ? 'more' : null };
    },
  };
  return { asked, files };
}

const changed = (...uris: readonly string[]) => ({ changed: uris, removed: [] });

describe('the folders of changes', () => {
  test('for a written file are the folder that contains it, and no other', async () => {
    const { files } = disk([]);

    expect(await toScanFolders(root, changed(`${root}/Alien/Alien.mkv`), files)).toEqual({
      folders: [],
      shallow: [`${root}/Alien`],
    });
  });

  test('for a new folder are the folder with everything below, and the folder that contains it', async () => {
    const { files } = disk([`${root}/Trilogy`]);

    expect(await toScanFolders(root, changed(`${root}/Trilogy`), files)).toEqual({
      folders: [`${root}/Trilogy`],
      shallow: [root],
    });
  });

  test('for a removed file or folder are the folder that contained it', async () => {
    const { asked, files } = disk([]);

    expect(await toScanFolders(root, { changed: [], removed: [`${root}/Alien`] }, files)).toEqual({
      folders: [],
      shallow: [root],
    });
    expect(asked).toEqual([]);
  });

  test('for many names in one folder are found by its listing, page by page', async () => {
    const names = Array.from({ length: 500 }, (_, index) => `${root}/new/${index}`);
    const { asked, files } = disk([`${root}/new/7`, `${root}/new/400`]);

    expect(await toScanFolders(root, changed(...names), files)).toEqual({
      folders: [`${root}/new/7`, `${root}/new/400`],
      shallow: [`${root}/new`],
    });
    expect(asked).toEqual([`list ${root}/new`, `list ${root}/new`]);
  });

  test('for a path that is gone again are the folder that contained it', async () => {
    const { files } = disk([], [`${root}/a/b`]);

    expect(await toScanFolders(root, changed(`${root}/a/b`), files)).toEqual({
      folders: [],
      shallow: [`${root}/a`],
    });
  });

  test('are never outside of the root', async () => {
    const { files } = disk(['file:///films-of-others', 'file:///etc']);
    const outside = ['file:///films-of-others', 'file:///etc', 'file:///films-of-others/a.mkv'];

    expect(await toScanFolders(root, { changed: outside, removed: outside }, files)).toEqual({
      folders: [],
      shallow: [],
    });
  });

  test('are too many to list above two hundred', async () => {
    const { files } = disk([]);
    const uris = Array.from({ length: 201 }, (_, index) => `${root}/${index}/film.mkv`);

    expect(await toScanFolders(root, changed(...uris), files)).toBeNull();
  });
});
