import type { Database } from '../../kernel/index.ts';
import type { Viewer } from '../accounts/index.ts';
import { AppError } from '../errors.ts';
import { libraryShowing, type Access, type Scope } from './access/index.ts';
import { findAsset, findEntityPicture, findFile } from './asset-store.ts';
import { readEntitiesById } from './entity-list-store.ts';
import type { EntityPictureRow } from './entity-store.ts';
import { toFile, type LibraryFile } from './file.ts';
import { readChaptersOf } from './item-parts-store.ts';

/** A picture of an item or an entity: where it lies. */
export interface Asset {
  readonly id: string;
  readonly uri: string;
  readonly mimeType: string | null;
  /** The plugin that named it, where that is known. */
  readonly source?: string;
}

/** Files and pictures by id, for those who may see their item. */
export interface Files {
  readonly get: (id: string, viewer: Viewer) => Promise<LibraryFile>;
  readonly asset: (id: string, viewer: Viewer) => Promise<Asset>;
}

export function createFiles({
  database,
  access,
}: {
  readonly database: Database;
  readonly access: Pick<Access, 'scopeOf'>;
}): Files {
  const db = database.read;
  return {
    get: async (id, viewer) => {
      const row = await findFile(db, id);
      const library = row && libraryShowing(await access.scopeOf(viewer), row);
      if (row === undefined || library === undefined)
        throw new AppError('not_found', { what: `File ${id}` });
      const owner = { libraryId: library.id, itemId: row.item_id };
      return toFile(row, owner, await readChaptersOf(db, [row]));
    },
    asset: async (id, viewer) => {
      const row = await findAsset(db, id);
      const scope = await access.scopeOf(viewer);
      if (row !== undefined && libraryShowing(scope, row) !== undefined)
        return { id: row.id, uri: row.uri, mimeType: row.mime_type, source: row.source };
      const picture = row === undefined ? await entityPicture(id, scope) : null;
      if (picture === null) throw new AppError('not_found', { what: `Asset ${id}` });
      return { id, uri: picture.uri, mimeType: null, source: picture.source };
    },
  };

  /** A picture that lies in a library is for those who see that library, whoever it shows. */
  async function entityPicture(id: string, scope: Scope): Promise<EntityPictureRow | null> {
    const row = await findEntityPicture(db, id);
    if (row === undefined) return null;
    const [entity] = await readEntitiesById(db, [row.entity_id], scope, 'found');
    if (entity === undefined) return null;
    const isOfWeb = /^https?:\/\//.test(row.uri);
    const isOwn = scope.libraries.some(({ roots }) =>
      roots.some((root) => row.uri.startsWith(`${root}/`)),
    );
    return isOfWeb || isOwn ? row : null;
  }
}
