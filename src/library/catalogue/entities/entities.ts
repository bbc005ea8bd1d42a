import type { Database, Transaction } from '../../../../kernel/store/index.ts';
import type { Viewer } from '../../../people/viewer/index.ts';
import type { Access, Scope } from '../access/index.ts';
import { editedColumns, keyOfName } from './entity-edit.ts';
import { renumberLinked, touchEntities } from '../tables/entity-link-store.ts';
import { readEntitiesById } from './entity-list-store.ts';
import {
  countEntityLetters,
  readEntityPage,
  type EntitySelection,
  type PagedEntity,
} from './entity-page-store.ts';
import type { EntityProfile } from './entity-profile.ts';
import {
  parseEntityCursor,
  parseEntityLetter,
  writeEntityCursor,
  type EntityFilters,
  type EntitySort,
  type EntitySortKey,
} from './entity-sort.ts';
import { toEntityDetail, type EntityDetail } from './entity-detail.ts';
import { readListed } from './listed-entity.ts';
import { parseYearRange } from './year-range.ts';
import type { EntityRegistry } from './entity-registry.ts';
import {
  insertTraces,
  readEntityRows,
  readIdsOf,
  saveEntityRows,
  type EntityRow,
} from '../tables/entity-store.ts';
import { toEntity } from './entity.ts';
import { assertSplit, splitEntity } from './entity-split.ts';
import { assertUnitable, uniteEntities } from './entity-union.ts';
import { entityNotFound, findEntity } from './find-entity.ts';
import type { NewId } from '../../../platform/uuid-v7.ts';
import { AppError } from '../../../platform/errors.ts';
import { placeLetters } from '../tables/letter.ts';
import { parseMap } from '../tables/rows.ts';
import {
  addEntityUpload,
  deleteEntityUpload,
  readEntityUploads,
  type NewPicture,
} from '../tables/uploaded-picture-store.ts';
import type { Entity, ListedEntity } from '../../../contract/resources/library/catalogue.ts';
import type {
  EntitiesPage,
  EntityChanges,
  EntitySplit,
} from '../../../contract/resources/library/entities.ts';

/** Which entities a list has. */
export interface EntitiesFilter {
  readonly type: string;
  readonly status?: string | undefined;
  /** Only entities with items in this library; their counts are of these items. */
  readonly libraryId?: string | undefined;
  /** Only entities of which an item is also of this artist. */
  readonly artistId?: string | undefined;
  /** `2001..2009`, `2001..`, `..2009` or `2001`. */
  readonly year?: string | undefined;
  /** Only favourites of the profile, or only others. */
  readonly favourite?: boolean | undefined;
}

/** Which letters to count. */
export interface EntityLettersQuery extends EntitiesFilter {
  readonly sortOrder?: 'asc' | 'desc' | undefined;
}

/** Which entities to list. */
export interface EntityQuery extends EntityLettersQuery {
  /** By name when absent. */
  readonly sortBy?: EntitySortKey | undefined;
  /** Begins a list by name at this letter; `#` is what comes before A. */
  readonly letter?: string | undefined;
  /** Of `random`. */
  readonly seed?: string | undefined;
  /** 50 when absent. */
  readonly limit?: number | undefined;
  /** How many are passed over, after the cursor if there is one. */
  readonly offset?: number | undefined;
  readonly cursor?: string | undefined;
}

/** A letter of a list by name. */
export interface EntityLetter {
  /** `A` to `Z`, a letter of another script, or `#` for what comes before A. */
  readonly letter: string;
  readonly count: number;
  /** Where the list by name begins with it. */
  readonly cursor: string;
}

const filtersOf = ({
  type,
  status,
  libraryId,
  artistId,
  year,
  favourite,
}: EntitiesFilter): EntityFilters => [type, status, libraryId, artistId, year, favourite];

/** What a viewer may see of one library; `undefined` = of all of them. */
const within = (scope: Scope, libraryId: string | undefined): Scope =>
  libraryId === undefined
    ? scope
    : { ...scope, libraries: scope.libraries.filter(({ id }) => id === libraryId) };

export interface EntitiesParts {
  readonly database: Database;
  readonly access: Pick<Access, 'scopeOf'>;
  readonly registry: Pick<EntityRegistry, 'forget'>;
  readonly entityProfile: EntityProfile;
  readonly newId: NewId;
  readonly onSilentChanges: () => void;
  readonly now: () => number;
}

/**
 * People, genres, artists, albums, shows: what visible items are linked to. The id of an entity
 * that was merged into another leads to that one.
 */
export class Entities {
  readonly #parts: EntitiesParts;
  readonly #db: EntitiesParts['database']['read'];

  constructor(parts: EntitiesParts) {
    this.#parts = parts;
    const { database } = parts;
    this.#db = database.read;
  }

  readonly get = async (id: string, viewer: Viewer): Promise<EntityDetail> => {
    const scope = await this.#parts.access.scopeOf(viewer);
    const row = await findEntity(this.#db, id, scope);
    const [ids, [listed]] = await Promise.all([
      readIdsOf(this.#db, [row.no]),
      readListed(this.#db, [row.no], {
        scope,
        profileId: viewer.profileId,
        profile: this.#parts.entityProfile,
      }),
    ]);
    if (listed === undefined) throw entityNotFound(id);
    return toEntityDetail(listed, row, {
      ids: Object.fromEntries(ids.toReversed().map(({ provider, value }) => [provider, value])),
      showsProvenance: viewer.role === 'admin',
      languages: scope.entityLanguages,
      metadata: scope.readFree(row.metadata),
    });
  };

  async #select(
    { type, status, artistId, year, favourite }: EntitiesFilter,
    { scope, profileId }: { readonly scope: Scope; readonly profileId: string },
  ): Promise<EntitySelection> {
    const artist = artistId === undefined ? undefined : await findEntity(this.#db, artistId, scope);
    return {
      scope,
      type,
      status,
      withEntityNo: artist?.no,
      years: year === undefined ? undefined : parseYearRange(year),
      isFavourite:
        favourite === undefined
          ? undefined
          : { ...this.#parts.entityProfile.isFavourite(profileId), wanted: favourite },
    };
  }

  /** One page with the first entity behind it. */
  async #page(
    query: EntityQuery,
    sort: EntitySort,
    { scope, profileId }: { readonly scope: Scope; readonly profileId: string },
  ): Promise<readonly PagedEntity[]> {
    const { limit = 50, offset = 0 } = query;
    const from = parseEntityLetter(query, sort);
    return readEntityPage(this.#db, {
      ...sort,
      ...(await this.#select(query, { scope, profileId })),
      plays: this.#parts.entityProfile.plays(this.#db, profileId, scope),
      after: from ?? parseEntityCursor(query.cursor, sort, filtersOf(query)),
      offset,
      limit: limit + 1,
    });
  }

  /** Edits an entity, and changes what belongs to it, in one transaction. Gives its id. */
  async #change(
    id: string,
    viewer: Viewer,
    prepare: (trx: Transaction, row: EntityRow) => Promise<EntityChanges>,
  ): Promise<string> {
    const { database, access, now } = this.#parts;
    const { no, id: ownId } = await findEntity(this.#db, id, await access.scopeOf(viewer));
    await database.write(async (trx) => {
      const [row] = await readEntityRows(trx, [no]);
      if (row === undefined) throw entityNotFound(id);
      const changes = await prepare(trx, row);
      const edited = { ...row, ...editedColumns(row, changes), updated_at: now() };
      await saveEntityRows(database.insertRows, trx, [edited]);
      const names = [{ key: keyOfName(row, edited.name), entity_no: no }];
      if (changes.name !== undefined)
        await insertTraces(database.insertRows, trx, { ids: [], names, pictures: [] });
      if (changes.hidden !== undefined || changes.name !== undefined)
        await touchEntities(trx, [no]);
      await renumberLinked(trx, [no]);
    });
    this.#parts.onSilentChanges();
    return ownId;
  }

  readonly list = async (viewer: Viewer, query: EntityQuery): Promise<EntitiesPage> => {
    const scope = within(await this.#parts.access.scopeOf(viewer), query.libraryId);
    const { profileId } = viewer;
    const { sortBy = 'name', sortOrder = 'asc', seed = '', limit = 50 } = query;
    const sort = { sortBy, sortOrder, seed };
    const paged = await this.#page(query, sort, { scope, profileId });
    const shown = paged.slice(0, limit);
    const last = paged.length > limit ? shown.at(-1) : undefined;
    const numbers = shown.map(({ no }) => no);
    return {
      entities: await readListed(this.#db, numbers, {
        scope,
        profileId,
        profile: this.#parts.entityProfile,
      }),
      nextCursor: last ? writeEntityCursor(sort, filtersOf(query), last) : null,
    };
  };

  /** The letters that have entities, in the order of the list by name. */
  readonly letters = async (
    viewer: Viewer,
    query: EntityLettersQuery,
  ): Promise<readonly EntityLetter[]> => {
    const scope = within(await this.#parts.access.scopeOf(viewer), query.libraryId);
    const { profileId } = viewer;
    const { sortOrder = 'asc' } = query;
    const sort = { sortBy: 'name', sortOrder, seed: '' } as const;
    const counts = await countEntityLetters(
      this.#db,
      await this.#select(query, { scope, profileId }),
    );
    return placeLetters(counts, sortOrder).map(({ letter, count, start }) => ({
      letter,
      count,
      cursor: writeEntityCursor(sort, filtersOf(query), start),
    }));
  };

  /** What names the entity, read without its counts. */
  readonly find = async (
    id: string,
    viewer: Viewer,
  ): Promise<Pick<EntityRow, 'no' | 'id' | 'type'>> =>
    findEntity(this.#db, id, await this.#parts.access.scopeOf(viewer));

  /** In the order of the ids; entities that are missing or not visible are left out. */
  readonly getMany = async (ids: readonly string[], viewer: Viewer): Promise<readonly Entity[]> => {
    const scope = await this.#parts.access.scopeOf(viewer);
    const rows = await readEntitiesById(this.#db, ids, scope);
    const byId = new Map(rows.map((row) => [row.id, toEntity(row, scope.entityLanguages)]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  };

  /** The same with their counts. */
  readonly getListed = async (
    ids: readonly string[],
    viewer: Viewer,
  ): Promise<readonly ListedEntity[]> => {
    const scope = await this.#parts.access.scopeOf(viewer);
    const rows = await readEntitiesById(this.#db, ids, scope);
    const numbers = new Map(rows.map(({ id, no }) => [id, no]));
    return readListed(
      this.#db,
      ids.flatMap((id) => numbers.get(id) ?? []),
      { scope, profileId: viewer.profileId, profile: this.#parts.entityProfile },
    );
  };

  /** Edits outlive every scan. */
  readonly update = async (
    id: string,
    changes: EntityChanges,
    viewer: Viewer,
  ): Promise<EntityDetail> => this.get(await this.#change(id, viewer, async () => changes), viewer);

  /**
   * Adds an uploaded picture, and shows it as its type: scans keep that. Gives the id of the
   * picture. Above 20 the oldest one that is not shown is deleted.
   */
  readonly addPicture = async (
    id: string,
    { type, mimeType, bytes, uri }: NewPicture,
    viewer: Viewer,
  ): Promise<string> => {
    const pictureId = this.#parts.newId();
    await this.#change(id, viewer, async (trx, { no, assets }) => {
      const shown = new Set(Object.values(parseMap(assets)));
      const uploads = await readEntityUploads(trx, no);
      const unshown = uploads.filter((one) => !shown.has(pathOf(one)));
      for (const old of unshown.slice(0, Math.max(0, uploads.length + 1 - mostUploads)))
        await deleteEntityUpload(trx, old);
      const own = { id: pictureId, entity_no: no, uri, mime_type: mimeType, bytes };
      await addEntityUpload(trx, own);
      return { assets: { [type]: pathOf(pictureId) } };
    });
    return pictureId;
  };

  /** Deletes an uploaded picture; where it is shown, none is shown. */
  readonly removePicture = async (id: string, pictureId: string, viewer: Viewer): Promise<void> => {
    await this.#change(id, viewer, async (trx, row) => {
      if (!(await readEntityUploads(trx, row.no)).includes(pictureId))
        throw new AppError('not_found', { what: `Uploaded picture ${pictureId}` });
      await deleteEntityUpload(trx, pictureId);
      const shown = Object.entries(parseMap(row.assets));
      const types = shown.filter(([, url]) => url === pathOf(pictureId)).map(([type]) => type);
      return { assets: Object.fromEntries(types.map((type) => [type, null])) };
    });
  };

  /**
   * Merges the other entities into this one, also for later scans: it takes over their items,
   * names and ids, and keeps its own name.
   */
  readonly merge = async (
    id: string,
    ids: readonly string[],
    viewer: Viewer,
  ): Promise<EntityDetail> => {
    const scope = await this.#parts.access.scopeOf(viewer);
    const to = await findEntity(this.#db, id, scope);
    const others = await Promise.all(
      [...new Set(ids)].map((other) => findEntity(this.#db, other, scope)),
    );
    assertUnitable(to, others);
    const fromNumbers = [...new Set(others.map(({ no }) => no))];
    await uniteEntities(this.#parts.database, { toNo: to.no, fromNumbers }, this.#parts.now());
    this.#parts.registry.forget();
    this.#parts.onSilentChanges();
    return this.get(to.id, viewer);
  };

  /** Moves some items of the entity to a new entity, also for later scans. */
  readonly split = async (
    id: string,
    split: EntitySplit,
    viewer: Viewer,
  ): Promise<EntityDetail> => {
    assertSplit(split);
    const from = await findEntity(this.#db, id, await this.#parts.access.scopeOf(viewer));
    const made = await splitEntity(
      { ...this.#parts.database, newId: this.#parts.newId },
      from.no,
      split,
      this.#parts.now(),
    );
    this.#parts.registry.forget();
    this.#parts.onSilentChanges();
    return this.get(made, viewer);
  };
}

const mostUploads = 20;
const pathOf = (pictureId: string): string => `/api/assets/${pictureId}`;
