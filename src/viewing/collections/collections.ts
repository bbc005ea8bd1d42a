import type { Database } from '../../../kernel/store/index.ts';
import { isFullAdmin, type Viewer } from '../../people/viewer/index.ts';
import { readCursor, writeCursor } from '../../platform/cursor.ts';
import { AppError } from '../../platform/errors.ts';
import type { Access } from '../../library/catalogue/access/index.ts';
import type { Items, ItemsPage } from '../../library/catalogue/index.ts';
import type { NewId } from '../../platform/uuid-v7.ts';
import { assertOrder, checkedFields, checkedId, sortNameOf } from './collection-fields.ts';
import { eventOf, type CollectionEvents } from './collection-events.ts';
import { createCollectionFinder } from './collection-finder.ts';
import type { CollectionOrder, CollectionSort } from './collection-sort.ts';
import {
  countOwned,
  deleteCollections,
  findByDistributedId,
  insertCollection,
  touchCollection,
  readCollectionPage,
  updateCollection,
  type RuledRow,
} from './collection-store.ts';
import { toCollection, type CollectionFields, type NewCollection } from './collection.ts';
import { ownerOf } from './owner.ts';
import { readCovers } from './cover-store.ts';
import { editedColumns } from './auto-collection.ts';
import {
  countListed,
  countMembers,
  hasMember,
  putMember,
  readMembers,
  removeMember,
} from './member-store.ts';
import type { PageQuery } from '../../contract/resources/schema-parts.ts';
import type { Collection, CollectionsPage } from '../../contract/resources/library/collections.ts';

/** Which items of a collection to list. */
export interface MembersQuery {
  /** The collection's own order when absent. */
  readonly sortBy?: CollectionSort | undefined;
  readonly sortOrder?: CollectionOrder | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface CollectionsParts {
  readonly database: Database;
  readonly access: Pick<Access, 'scopeOf'>;
  readonly items: Pick<Items, 'getMany'>;
  readonly events: CollectionEvents;
  readonly newId: NewId;
  readonly now: () => number;
}

const mostCollections = 10_000;
const mostItems = 100_000;
/** From this many items on, walking an index is faster than sorting the collection's own items. */
const manyItems = 2000;

/**
 * Collections of a viewer, and automatic ones. The items of an automatic collection are the items
 * of an entity, so people cannot add or remove any, and only an admin renames or hides it.
 */
export class Collections {
  readonly #parts: CollectionsParts;
  readonly #db: CollectionsParts['database']['read'];
  readonly #scopeOf: ReturnType<typeof createCollectionFinder>['scopeOf'];
  readonly #find: ReturnType<typeof createCollectionFinder>['find'];
  readonly #findOwn: ReturnType<typeof createCollectionFinder>['findOwn'];

  constructor(parts: CollectionsParts) {
    this.#parts = parts;
    const { database } = parts;
    this.#db = database.read;
    const { scopeOf, find, findOwn } = createCollectionFinder({
      db: this.#db,
      access: parts.access,
    });
    this.#scopeOf = scopeOf;
    this.#find = find;
    this.#findOwn = findOwn;
  }

  async #withCounts(rows: readonly RuledRow[], viewer: Viewer): Promise<readonly Collection[]> {
    const scope = await this.#parts.access.scopeOf(viewer);
    const [counts, covers] = await Promise.all([
      countMembers(this.#db, rows, scope),
      readCovers(this.#db, rows, scope),
    ]);
    return rows.map((row) => toCollection(row, counts.get(row.no) ?? 0, covers.get(row.no)));
  }

  readonly get = async (id: string, viewer: Viewer): Promise<Collection> => {
    const [collection] = await this.#withCounts([await this.#find(id, viewer)], viewer);
    if (collection) return collection;
    throw notFound(id);
  };

  /** The column of the chosen cover, which must be a visible item of the collection. */
  async #coverColumn(
    { no, name, rule_entity_no: entityNo }: RuledRow,
    itemId: string | null | undefined,
    viewer: Viewer,
  ): Promise<Partial<RuledRow>> {
    if (itemId === undefined) return {};
    if (entityNo !== null)
      throw conflict(`The server chooses the cover of ${name} from the pictures of its items.`);
    if (itemId === null) return { cover_item_id: null };
    const [item] = await this.#parts.items.getMany([itemId], viewer);
    if (item !== undefined && (await hasMember(this.#db, no, itemId)))
      return { cover_item_id: itemId };
    throw new AppError('not_found', { what: `Item ${itemId} of the collection ${name}` });
  }

  readonly create = async (wanted: NewCollection, viewer: Viewer): Promise<Collection> => {
    const id = this.#parts.newId();
    const { kind = 'collection' } = wanted;
    const distributedId = checkedId(wanted, id);
    assertOrder(kind, wanted);
    const fields = checkedFields(wanted);
    const { userId, profileId } = ownerOf(viewer);
    const time = this.#parts.now();
    const row = {
      id,
      kind,
      user_id: userId,
      profile_id: profileId,
      cover_item_id: null,
      distributed_id: distributedId,
      name: wanted.name.trim(),
      sort_name: sortNameOf(wanted.name),
      description: '',
      media_type: '',
      sort_by: 'manual' as const,
      sort_order: 'asc' as const,
      hidden: false,
      ...fields,
      rule_entity_no: null,
      edits: null,
      created_at: time,
      updated_at: time,
    };
    await this.#parts.database.write(async (trx) => {
      if (await findByDistributedId(trx, userId, distributedId))
        throw conflict(`A collection with the distributedId ${distributedId} exists already.`);
      if ((await countOwned(trx, userId)) >= mostCollections)
        throw conflict(`There are ${mostCollections} collections already: remove one first.`);
      await insertCollection(trx, row);
    });
    this.#parts.events.emit('collection.created', eventOf(row));
    return toCollection({ ...row, no: 0, entity_id: null }, 0, undefined);
  };

  readonly list = async (
    viewer: Viewer,
    { limit = 50, cursor }: PageQuery,
  ): Promise<CollectionsPage> => {
    const { owner, scope } = await this.#scopeOf(viewer);
    const whose = { owner, scope, withHidden: scope.showsHidden };
    const after = parseCursor(cursor);
    const rows = await readCollectionPage(this.#db, { ...whose, after, limit: limit + 1 });
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    return {
      collections: await this.#withCounts(rows.slice(0, limit), viewer),
      nextCursor: last ? writeCursor([last.sort_name, last.no]) : null,
    };
  };

  readonly update = async (
    id: string,
    changes: CollectionFields,
    viewer: Viewer,
  ): Promise<Collection> => {
    const row = await this.#find(id, viewer);
    assertOrder(row.kind, changes);
    const fields = checkedFields(changes);
    if (row.rule_entity_no !== null && !isFullAdmin(viewer))
      throw new AppError('forbidden', {
        what: `The collection ${row.name} is automatic; only an admin may rename or hide it.`,
      });
    const edits = row.rule_entity_no === null ? {} : editedColumns(row, changes);
    const cover = await this.#coverColumn(row, changes.coverItemId, viewer);
    await this.#parts.database.write((trx) =>
      updateCollection(trx, row.no, {
        ...fields,
        ...edits,
        ...cover,
        updated_at: this.#parts.now(),
      }),
    );
    this.#parts.events.emit('collection.updated', eventOf(row));
    return this.get(id, viewer);
  };

  /** Its items stay in their libraries. */
  readonly remove = async (id: string, viewer: Viewer): Promise<void> => {
    const row = await this.#find(id, viewer);
    if (row.rule_entity_no !== null)
      throw conflict(
        `The collection ${row.name} is automatic and is removed with its last items. An admin may hide it.`,
      );
    await this.#parts.database.write((trx) => deleteCollections(trx, [row.no]));
    this.#parts.events.emit('collection.deleted', eventOf(row));
  };

  readonly items = async (id: string, viewer: Viewer, query: MembersQuery): Promise<ItemsPage> => {
    const row = await this.#find(id, viewer);
    const { sortBy = row.sort_by, sortOrder = row.sort_order, limit = 50 } = query;
    const { scope } = await this.#scopeOf(viewer);
    const counts = row.rule_entity_no === null ? null : await countMembers(this.#db, [row], scope);
    const members = await readMembers(this.#db, {
      collection: row,
      scope,
      sortBy,
      sortOrder,
      after: parseMemberCursor(query.cursor, sortBy, sortOrder),
      limit: limit + 1,
      isLarge: (counts?.get(row.no) ?? 0) > manyItems,
    });
    const shown = members.slice(0, limit);
    const last = members.length > limit ? shown.at(-1) : undefined;
    return {
      items: await this.#parts.items.getMany(
        shown.map((member) => member.id),
        viewer,
      ),
      nextCursor: last ? writeCursor([sortBy, sortOrder, last.value, last.no]) : null,
    };
  };

  /** Adds an item at an index of the manual order, 0 = first; at the end when absent. */
  readonly putItem = async (
    id: string,
    { itemId, position }: { readonly itemId: string; readonly position?: number | undefined },
    viewer: Viewer,
  ): Promise<Collection> => {
    const row = await this.#findOwn(id, viewer, 'collection');
    const [item] = await this.#parts.items.getMany([itemId], viewer);
    if (item === undefined) throw new AppError('not_found', { what: `Item ${itemId}` });
    await this.#parts.database.write(async (trx) => {
      if (!(await touchCollection(trx, row.no, this.#parts.now()))) throw notFound(id);
      if ((await countListed(trx, row.no)) >= mostItems)
        throw conflict(`A collection may have ${mostItems} items: remove one first.`);
      await putMember(trx, row.no, itemId, position);
    });
    this.#parts.events.emit('collection.updated', eventOf(row));
    return this.get(id, viewer);
  };

  readonly removeItem = async (id: string, itemId: string, viewer: Viewer): Promise<void> => {
    const row = await this.#findOwn(id, viewer, 'collection');
    await this.#parts.database.write(async (trx) => {
      await touchCollection(trx, row.no, this.#parts.now());
      if (!(await removeMember(trx, row.no, itemId)))
        throw new AppError('not_found', { what: `Item ${itemId} of the collection ${row.name}` });
    });
    this.#parts.events.emit('collection.updated', eventOf(row));
  };
}

function parseCursor(
  cursor: string | undefined,
): { readonly sortName: string; readonly no: number } | null {
  if (cursor === undefined) return null;
  const [sortName, no] = readCursor(cursor, 2);
  if (typeof sortName === 'string' && typeof no === 'number') return { sortName, no };
  throw refusal('query.cursor is not from this list; leave it out to start from the beginning.');
}

function parseMemberCursor(
  cursor: string | undefined,
  sortBy: CollectionSort,
  sortOrder: CollectionOrder,
): { readonly value: string | number; readonly no: number } | null {
  if (cursor === undefined) return null;
  const [by, order, value, no] = readCursor(cursor, 4);
  const isValue = typeof value === 'string' || typeof value === 'number';
  if (by === sortBy && order === sortOrder && isValue && typeof no === 'number')
    return { value, no };
  throw refusal(
    'query.cursor belongs to a list in another order; leave it out to start from the beginning.',
  );
}

function notFound(id: string): AppError {
  return new AppError('not_found', { what: `Collection ${id}` });
}

function conflict(what: string): AppError {
  return new AppError('conflict', { what });
}

function refusal(what: string): AppError {
  return new AppError('invalid_request', { what });
}
