/** What an entity consists of: its items, and the entities of which it is the parent. */
import type { Database } from '../../../../kernel/store/index.ts';
import type { Viewer } from '../../../people/viewer/index.ts';
import { readCursor, writeCursor } from '../../../platform/cursor.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Access, Scope } from '../access/index.ts';
import { readItemsOfEntity, type EntityItems } from '../entities/entity-list-store.ts';
import type { EntityProfile } from '../entities/entity-profile.ts';
import { readEntityTotals } from '../entities/entity-totals-store.ts';
import { findEntity } from '../entities/find-entity.ts';
import { readListed } from '../entities/listed-entity.ts';
import { parseNameCursor } from '../entities/name-cursor.ts';
import type { EntityRow } from '../tables/entity-store.ts';
import { parseMap } from '../tables/rows.ts';
import { childPlace, hasOrder, placeOf } from './entity-order.ts';
import { readChildren, readMembers } from './entity-item-store.ts';
import type { CheckReference } from '../../../files/references/index.ts';
import { readItems, type TrackReader } from './hydrate.ts';
import type { TrackRules } from './text-track.ts';
import type { ItemReader } from './item-parts-store.ts';
import type { SelectItemPlayback } from './item-playback.ts';
import { readTiles } from './tile-store.ts';
import type { ItemShape } from './tile.ts';
import type { Item, Tile } from '../../../contract/resources/library/catalogue.ts';
import type { PageQuery } from '../../../contract/resources/schema-parts.ts';
import type { EntityChildrenPage } from '../../../contract/resources/library/entities.ts';

/** Which items of an entity to list. */
export interface EntityItemsQuery extends PageQuery {
  /** Only items linked in this role. */
  readonly role?: string | undefined;
  /** Whole items when absent. */
  readonly fields?: ItemShape | undefined;
}

/** One page of the items of an entity: whole ones, or tiles. */
export interface EntityItemsPage {
  readonly items: readonly (Item | Tile)[];
  readonly nextCursor: string | null;
}

/** The id of a merged entity leads to the one that it was merged into. */
export interface EntityContents {
  /** Items linked to an entity, in the order in which people expect them. */
  readonly ofEntity: (
    entityId: string,
    viewer: Viewer,
    query: EntityItemsQuery,
  ) => Promise<EntityItemsPage>;
  readonly childrenOf: (
    entityId: string,
    viewer: Viewer,
    query: PageQuery,
  ) => Promise<EntityChildrenPage>;
}

export interface EntityContentsParts {
  readonly database: Pick<Database, 'read'>;
  readonly access: Pick<Access, 'scopeOf'>;
  readonly selectPlayback: SelectItemPlayback;
  readonly checkReference: CheckReference;
  readonly mayWrite: TrackRules['mayWrite'];
  readonly entityProfile: EntityProfile;
}

/** An entity of more items is listed by title, since the order needs all of its items. */
const mostOrdered = 5000;

interface Place {
  readonly place: string;
  readonly no: number;
}

export function createEntityContents(parts: EntityContentsParts): EntityContents {
  const { access, selectPlayback, entityProfile } = parts;
  const db = parts.database.read;

  /** Members in their order; `null` = there are too many. */
  async function ordered(
    type: string,
    members: EntityItems,
  ): Promise<readonly (Place & { readonly id: string })[] | null> {
    const rows = await readMembers(db, members, mostOrdered + 1);
    if (rows.length > mostOrdered) return null;
    return rows
      .map((row) => {
        const { no, id, year, sort_title: sortTitle } = row;
        const place = placeOf(type, { year, sortTitle, fields: parseMap(row.metadata) });
        return { no, id, place };
      })
      .toSorted(comparePlaces);
  }

  /** One page of ids, and the place at which it ends. */
  async function pageOfItems(
    type: string,
    members: EntityItems,
    { after, limit }: { readonly after: Place | null; readonly limit: number },
  ): Promise<{ readonly ids: readonly string[]; readonly end: Place | null }> {
    const all = hasOrder(type) ? await ordered(type, members) : null;
    const rest =
      all?.filter((one) => isAfter(one, after)) ?? (await byTitle(members, after, limit + 1));
    const page = rest.slice(0, limit);
    return {
      ids: page.map(({ id }) => id),
      end: rest.length > limit ? (page.at(-1) ?? null) : null,
    };
  }

  async function byTitle(members: EntityItems, after: Place | null, limit: number) {
    const place = after === null ? null : { value: after.place, no: after.no };
    const rows = await readItemsOfEntity(db, { ...members, after: place, limit });
    return rows.map(({ id, no, sort_title }) => ({ id, no, place: sort_title }));
  }

  async function pageOfChildren(
    parent: Pick<EntityRow, 'no'>,
    scope: Scope,
    { after, limit }: { readonly after: Place | null; readonly limit: number },
  ): Promise<{ readonly numbers: readonly number[]; readonly end: Place | null }> {
    const rows = await readChildren(db, parent.no, scope);
    const numbers = rows.map(({ no }) => no);
    const totals = await readEntityTotals(db, numbers, scope);
    const places = rows.map((row) => {
      const year = row.year ?? totals.get(row.no)?.year ?? null;
      return { no: row.no, place: childPlace({ ...row, sortName: row.sort_name, year }) };
    });
    const rest = places.toSorted(comparePlaces).filter((one) => isAfter(one, after));
    const page = rest.slice(0, limit);
    return {
      numbers: page.map(({ no }) => no),
      end: rest.length > limit ? (page.at(-1) ?? null) : null,
    };
  }

  const readerFor = ({ profileId }: Viewer, scope: Scope): ItemReader & TrackReader => ({
    scope,
    profileId,
    selectPlayback,
    tracks: { check: parts.checkReference, mayWrite: parts.mayWrite },
  });

  return {
    ofEntity: async (entityId, viewer, { role, limit = 50, cursor, fields = 'full' }) => {
      const scope = await access.scopeOf(viewer);
      const { no: entityNo, type } = await findEntity(db, entityId, scope);
      const place = parseNameCursor(cursor);
      const after = place === null ? null : { place: place.value, no: place.no };
      const page = await pageOfItems(type, { entityNo, role, scope }, { after, limit });
      const read = fields === 'tile' ? readTiles : readItems;
      return {
        items: await read(db, page.ids, readerFor(viewer, scope)),
        nextCursor: page.end && writeCursor([page.end.place, page.end.no]),
      };
    },
    childrenOf: async (entityId, viewer, { limit = 50, cursor }) => {
      const scope = await access.scopeOf(viewer);
      const entity = await findEntity(db, entityId, scope);
      const start = parseChildCursor(cursor);
      const below =
        start.list === 'items'
          ? { numbers: [], end: null }
          : await pageOfChildren(entity, scope, { after: start.after, limit });
      const entityReader = { scope, profileId: viewer.profileId, profile: entityProfile };
      const entities = await readListed(db, below.numbers, entityReader);
      if (below.end !== null)
        return { entities, items: [], nextCursor: writeChildCursor('entities', below.end) };
      const members = { entityNo: entity.no, scope, isDirect: true };
      const after = start.list === 'items' ? start.after : null;
      const rest = { after, limit: limit - below.numbers.length };
      const { ids, end } = await pageOfDirect(entity.type, members, rest);
      return {
        entities,
        items: await readTiles(db, ids, readerFor(viewer, scope)),
        nextCursor: end && writeChildCursor('items', end),
      };
    },
  };

  /** A page that its entities fill ends before the first item. */
  async function pageOfDirect(
    type: string,
    members: EntityItems,
    page: { readonly after: Place | null; readonly limit: number },
  ): ReturnType<typeof pageOfItems> {
    if (page.limit > 0) return pageOfItems(type, members, page);
    const [first] = await readMembers(db, members, 1);
    return { ids: [], end: first === undefined ? null : { place: '', no: 0 } };
  }
}

type ChildList = 'entities' | 'items';

const writeChildCursor = (list: ChildList, { place, no }: Place): string =>
  writeCursor([list, place, no]);

function parseChildCursor(cursor: string | undefined): {
  readonly list: ChildList;
  readonly after: Place | null;
} {
  if (cursor === undefined) return { list: 'entities', after: null };
  const [list, place, no] = readCursor(cursor, 3);
  if (
    (list === 'entities' || list === 'items') &&
    typeof place === 'string' &&
    typeof no === 'number'
  )
    return { list, after: { place, no } };
  throw new AppError('invalid_request', {
    what: 'query.cursor is not from this list; leave it out to start from the beginning.',
  });
}

function comparePlaces(a: Place, b: Place): number {
  if (a.place === b.place) return a.no - b.no;
  return a.place < b.place ? -1 : 1;
}

const isAfter = (one: Place, after: Place | null): boolean =>
  after === null || comparePlaces(one, after) > 0;
