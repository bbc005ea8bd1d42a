import type { Database } from '../../kernel/index.ts';
import type { Viewer } from '../accounts/index.ts';
import { AppError } from '../errors.ts';
import { readVisibleLibraries } from './access.ts';
import { findAsset, findFile } from './asset-store.ts';
import { toFile, type LibraryFile } from './file.ts';
import { readChaptersOf } from './item-parts-store.ts';

/** A picture of an item: where it lies. */
export interface Asset {
  readonly id: string;
  readonly uri: string;
  readonly mimeType: string | null;
}

/** Files and pictures by id, for those who may see their library. */
export interface Files {
  readonly get: (id: string, viewer: Viewer) => Promise<LibraryFile>;
  readonly asset: (id: string, viewer: Viewer) => Promise<Asset>;
}

export function createFiles({ database }: { readonly database: Database }): Files {
  const db = database.read;
  return {
    get: async (id, viewer) => {
      const [row, libraries] = await Promise.all([
        findFile(db, id),
        readVisibleLibraries(db, viewer),
      ]);
      const library = libraries.find(({ no }) => no === row?.library_no);
      if (row === undefined || library === undefined)
        throw new AppError('not_found', { what: `File ${id}` });
      const owner = { libraryId: library.id, itemId: row.item_id };
      return toFile(row, owner, await readChaptersOf(db, [row]));
    },
    asset: async (id, viewer) => {
      const [row, libraries] = await Promise.all([
        findAsset(db, id),
        readVisibleLibraries(db, viewer),
      ]);
      if (row === undefined || !libraries.some(({ no }) => no === row.library_no))
        throw new AppError('not_found', { what: `Asset ${id}` });
      return { id: row.id, uri: row.uri, mimeType: row.mime_type };
    },
  };
}
