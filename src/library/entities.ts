import type { Database } from '../../kernel/index.ts';
import type { Viewer } from '../accounts/index.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { AppError } from '../errors.ts';
import { readVisibleLibraries } from './access.ts';
import {
  readEntitiesById,
  readEntityPage,
  readItemsOfEntity,
  updateEntity,
  type After,
} from './entity-list-store.ts';
import { renumberLinked } from './entity-link-store.ts';
import type { EntityRow } from './entity-store.ts';
import { toEntity, type Entity, type EntityChanges } from './entity.ts';
import { sortTitle } from './fold.ts';
import { hydrateItems } from './hydrate.ts';
import type { ItemsPage } from './items.ts';

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

/** People, genres, artists, albums, shows: what the items that a viewer may see are linked to. */
export interface Entities {
  readonly list: (viewer: Viewer, query: EntityQuery) => Promise<EntitiesPage>;
  readonly get: (id: string, viewer: Viewer) => Promise<Entity>;
  /** In the order of the ids; what is not there or not allowed is left out. */
  readonly getMany: (ids: readonly string[], viewer: Viewer) => Promise<readonly Entity[]>;
  readonly items: (
    id: string,
    viewer: Viewer,
    page: Pick<EntityQuery, 'limit' | 'cursor'>,
  ) => Promise<ItemsPage>;
  readonly update: (id: string, changes: EntityChanges, viewer: Viewer) => Promise<Entity>;
}

const longestText = 1000;

export function createEntities(parts: {
  readonly database: Database;
  readonly now: () => number;
}): Entities {
  const { database, now } = parts;
  const db = database.read;

  async function visible(viewer: Viewer): Promise<readonly number[]> {
    return (await readVisibleLibraries(db, viewer)).map(({ no }) => no);
  }

  async function find(id: string, viewer: Viewer): Promise<EntityRow> {
    const [row] = await readEntitiesById(db, [id], await visible(viewer));
    if (row) return row;
    throw new AppError('not_found', { what: `Entity ${id}` });
  }

  return {
    list: async (viewer, { type, status, limit = 50, cursor }) => {
      const libraryNumbers = await visible(viewer);
      const after = parseCursor(cursor);
      const page = { libraryNumbers, type, status, after, limit: limit + 1 };
      const rows = await readEntityPage(db, page);
      const last = rows.length > limit ? rows[limit - 1] : undefined;
      return {
        entities: rows.slice(0, limit).map(toEntity),
        nextCursor: last ? writeCursor([last.sort_name, last.no]) : null,
      };
    },
    get: async (id, viewer) => toEntity(await find(id, viewer)),
    getMany: async (ids, viewer) => {
      const rows = await readEntitiesById(db, ids, await visible(viewer));
      const byId = new Map(rows.map((row) => [row.id, toEntity(row)]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
    items: async (id, viewer, { limit = 50, cursor }) => {
      const { no: entityNo } = await find(id, viewer);
      const libraries = await readVisibleLibraries(db, viewer);
      const libraryNumbers = libraries.map(({ no }) => no);
      const after = parseCursor(cursor);
      const page = { entityNo, libraryNumbers, after, limit: limit + 1 };
      const rows = await readItemsOfEntity(db, page);
      const last = rows.length > limit ? rows[limit - 1] : undefined;
      return {
        items: await hydrateItems(db, rows.slice(0, limit), libraries),
        nextCursor: last ? writeCursor([last.sort_title, last.no]) : null,
      };
    },
    update: async (id, changes, viewer) => {
      const row = await find(id, viewer);
      const { no } = row;
      const columns = columnsOf(changes);
      const time = now();
      await database.write(async (trx) => {
        await updateEntity(trx, no, { ...columns, updated_at: time });
        await renumberLinked(trx, [no]);
      });
      return toEntity({ ...row, ...columns, updated_at: time });
    },
  };
}

function columnsOf({
  name,
  searchTerms,
  hidden,
}: EntityChanges): Partial<Pick<EntityRow, 'name' | 'sort_name' | 'search_terms' | 'hidden'>> {
  if (name !== undefined && (name.trim() === '' || name.length > longestText))
    throw refusal(`name must have 1 to ${longestText} characters.`);
  if (searchTerms && searchTerms.length > longestText)
    throw refusal(`searchTerms may have ${longestText} characters.`);
  return {
    ...(name !== undefined && { name: name.trim(), sort_name: sortTitle(name) }),
    ...(searchTerms !== undefined && { search_terms: searchTerms }),
    ...(hidden !== undefined && { hidden }),
  };
}

function parseCursor(cursor: string | undefined): After | null {
  if (cursor === undefined) return null;
  const [value, no] = readCursor(cursor, 2);
  if (typeof value === 'string' && typeof no === 'number') return { value, no };
  throw refusal(
    'query.cursor is not one that this list gave; leave it out to start from the beginning.',
  );
}

function refusal(what: string): AppError {
  return new AppError('invalid_request', { what });
}
