import type { Database } from '../../../../kernel/storage/index.ts';
import type { Viewer } from '../../../people/viewer/index.ts';
import { writeCursor } from '../../../platform/cursor.ts';
import type { Access } from '../access/index.ts';
import { createCountedItems } from './counted-items.ts';
import { editedColumns, keyOfName } from './entity-edit.ts';
import { renumberLinked, touchEntities } from '../tables/entity-link-store.ts';
import { readEntitiesById, readEntityPage } from './entity-list-store.ts';
import type { EntityRegistry } from './entity-registry.ts';
import {
  insertTraces,
  readEntityRows,
  readIdsOf,
  saveEntityRows,
  type EntityRow,
} from '../tables/entity-store.ts';
import {
  toEntity,
  toEntityDetail,
  type Entity,
  type EntityChanges,
  type EntityDetail,
  type FavouriteEntities,
} from './entity.ts';
import { assertSplit, splitEntity, type EntitySplit } from './entity-split.ts';
import { assertUnitable, uniteEntities } from './entity-union.ts';
import { entityNotFound, findEntity } from './find-entity.ts';
import { parseNameCursor } from './name-cursor.ts';
import type { NewId } from '../../../platform/uuid-v7.ts';

/** Which entities to list. */
export interface EntityQuery {
  readonly type: string;
  readonly status?: string | undefined;
  /** 50 when absent. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** One page of entities. */
export interface EntitiesPage {
  readonly entities: readonly Entity[];
  readonly nextCursor: string | null;
}

/**
 * People, genres, artists, albums, shows: what visible items are linked to. The id of an entity
 * that was merged into another leads to that one.
 */
export interface Entities {
  readonly list: (viewer: Viewer, query: EntityQuery) => Promise<EntitiesPage>;
  readonly get: (id: string, viewer: Viewer) => Promise<EntityDetail>;
  /** What names the entity, read without its counts. */
  readonly find: (id: string, viewer: Viewer) => Promise<Pick<EntityRow, 'no' | 'id' | 'type'>>;
  /** In the order of the ids; entities that are missing or not visible are left out. */
  readonly getMany: (ids: readonly string[], viewer: Viewer) => Promise<readonly Entity[]>;
  /** Edits outlive every scan. */
  readonly update: (id: string, changes: EntityChanges, viewer: Viewer) => Promise<EntityDetail>;
  /**
   * Merges the other entities into this one, also for later scans: it takes over their items, names
   * and ids, and keeps its own name.
   */
  readonly merge: (id: string, ids: readonly string[], viewer: Viewer) => Promise<EntityDetail>;
  /** Moves some items of the entity to a new entity, also for later scans. */
  readonly split: (id: string, split: EntitySplit, viewer: Viewer) => Promise<EntityDetail>;
}

export function createEntities(parts: {
  readonly database: Database;
  readonly access: Pick<Access, 'scopeOf'>;
  readonly registry: Pick<EntityRegistry, 'forget'>;
  readonly favouriteEntities: FavouriteEntities;
  readonly newId: NewId;
  readonly onSilentChanges: () => void;
  readonly now: () => number;
}): Entities {
  const { database, access, now } = parts;
  const db = database.read;
  const countItems = createCountedItems(db);

  async function get(id: string, viewer: Viewer): Promise<EntityDetail> {
    const scope = await access.scopeOf(viewer);
    const row = await findEntity(db, id, scope);
    const [ids, itemCount, favourites] = await Promise.all([
      readIdsOf(db, [row.no]),
      countItems(row.no, scope),
      parts.favouriteEntities(db, viewer.profileId, [row.id]),
    ]);
    return toEntityDetail(row, {
      ids: Object.fromEntries(ids.toReversed().map(({ provider, value }) => [provider, value])),
      itemCount,
      favourite: favourites.length > 0,
      showsProvenance: viewer.role === 'admin',
    });
  }

  return {
    list: async (viewer, { type, status, limit = 50, cursor }) => {
      const scope = await access.scopeOf(viewer);
      const after = parseNameCursor(cursor);
      const rows = await readEntityPage(db, { scope, type, status, after, limit: limit + 1 });
      const last = rows.length > limit ? rows[limit - 1] : undefined;
      return {
        entities: rows.slice(0, limit).map(toEntity),
        nextCursor: last ? writeCursor([last.sort_name, last.no]) : null,
      };
    },
    get,
    find: async (id, viewer) => findEntity(db, id, await access.scopeOf(viewer)),
    getMany: async (ids, viewer) => {
      const rows = await readEntitiesById(db, ids, await access.scopeOf(viewer));
      const byId = new Map(rows.map((row) => [row.id, toEntity(row)]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
    update: async (id, changes, viewer) => {
      const { no, id: ownId } = await findEntity(db, id, await access.scopeOf(viewer));
      await database.write(async (trx) => {
        const [row] = await readEntityRows(trx, [no]);
        if (row === undefined) throw entityNotFound(id);
        const edited = { ...row, ...editedColumns(row, changes), updated_at: now() };
        await saveEntityRows(database.insertRows, trx, [edited]);
        const names = [{ key: keyOfName(row, edited.name), entity_no: no }];
        if (changes.name !== undefined)
          await insertTraces(database.insertRows, trx, { ids: [], names, pictures: [] });
        if (changes.hidden !== undefined || changes.name !== undefined)
          await touchEntities(trx, [no]);
        await renumberLinked(trx, [no]);
      });
      parts.onSilentChanges();
      return get(ownId, viewer);
    },
    merge: async (id, ids, viewer) => {
      const scope = await access.scopeOf(viewer);
      const to = await findEntity(db, id, scope);
      const others = await Promise.all(
        [...new Set(ids)].map((other) => findEntity(db, other, scope)),
      );
      assertUnitable(to, others);
      const fromNumbers = [...new Set(others.map(({ no }) => no))];
      await uniteEntities(database, { toNo: to.no, fromNumbers }, now());
      parts.registry.forget();
      parts.onSilentChanges();
      return get(to.id, viewer);
    },
    split: async (id, split, viewer) => {
      assertSplit(split);
      const from = await findEntity(db, id, await access.scopeOf(viewer));
      const made = await splitEntity({ ...database, newId: parts.newId }, from.no, split, now());
      parts.registry.forget();
      parts.onSilentChanges();
      return get(made, viewer);
    },
  };
}
