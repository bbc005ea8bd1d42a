import type { Knex } from 'knex';
import type { Database } from '../../../../kernel/store/index.ts';
import { whereIn } from './where-in-store.ts';
import { wantPictures } from './wanted-picture-store.ts';
import { inChunks, withoutEmptyColumns, type BigNumber } from './rows.ts';

export type EntityStatus = 'pending' | 'complete';

/** A row of `entities`. */
export interface EntityRow {
  readonly no: number;
  readonly id: string;
  /** Type, parent and compared name; the second entity of a name has its number appended. */
  key: string;
  readonly type: string;
  name: string;
  sort_name: string;
  status: EntityStatus;
  readonly source_plugin_id: string | null;
  search_terms: string | null;
  /** Names and summaries by language: JSON. */
  texts: string | null;
  metadata: string | null;
  assets: string | null;
  asset_aspects: string | null;
  hidden: boolean | number;
  readonly parent_no: number | null;
  year: number | null;
  edits: string | null;
  provenance: string | null;
  /** Who sees it; the upkeep writes it. See `shownByOf`. */
  readonly shown_by: string | null;
  readonly created_at: BigNumber;
  updated_at: BigNumber;
}

/** The columns that are read to show entities. */
export const shownEntityColumns = [
  'id',
  'type',
  'name',
  'status',
  'source_plugin_id',
  'search_terms',
  'texts',
  'assets',
  'asset_aspects',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof EntityRow)[];

/** An entity as it is read to be shown. */
export type ShownEntityRow = Pick<EntityRow, (typeof shownEntityColumns)[number]>;

/** A provider's id of an entity. */
export interface EntityId {
  /** Lower case: `imdb`, `tmdb`, `musicbrainz`. */
  readonly provider: string;
  readonly value: string;
}

/** A row of `entity_ids`. */
export interface EntityIdRow extends EntityId {
  readonly type: string;
  readonly entity_no: number;
}

/** A row of `entity_assets`: at most one picture of a type. */
export interface EntityPictureRow {
  readonly id: string;
  readonly entity_no: number;
  readonly type: string;
  readonly uri: string;
  readonly aspect: string | null;
  readonly source: string;
}

/** A row of `entity_names`. */
export interface EntityNameRow {
  readonly key: string;
  readonly entity_no: number;
}

/** Entities by their primary key text. */
export async function readEntitiesByKey(db: Knex, keys: readonly string[]): Promise<EntityRow[]> {
  if (keys.length === 0) return [];
  return db<EntityRow>('entities')
    .where(whereIn(db, 'key', keys))
    .select('*');
}

/** Whole rows by number, in no order. */
export async function readEntityRows(db: Knex, numbers: readonly number[]): Promise<EntityRow[]> {
  return inChunks(numbers, (group) => db<EntityRow>('entities').whereIn('no', group).select('*'));
}

/** Entities to which these additional keys lead. */
export async function readEntityNames(db: Knex, keys: readonly string[]): Promise<EntityNameRow[]> {
  if (keys.length === 0) return [];
  return db<EntityNameRow>('entity_names')
    .where(whereIn(db, 'key', keys))
    .select('*');
}

/** Which entities have one of these ids. */
export async function readHoldersOf(
  db: Knex,
  ids: readonly (EntityId & { readonly type: string })[],
): Promise<EntityIdRow[]> {
  return inChunks(
    ids.map(({ type, provider, value }) => [type, provider, value]),
    (group) =>
      db<EntityIdRow>('entity_ids').whereIn(['type', 'provider', 'value'], group).select('*'),
    250,
  );
}

export async function readIdsOf(db: Knex, numbers: readonly number[]): Promise<EntityIdRow[]> {
  return inChunks(numbers, (group) =>
    db<EntityIdRow>('entity_ids')
      .whereIn('entity_no', group)
      .orderBy(['entity_no', 'provider', 'value'])
      .select('*'),
  );
}

export async function readPicturesOf(
  db: Knex,
  numbers: readonly number[],
): Promise<EntityPictureRow[]> {
  return inChunks(numbers, (group) =>
    db<EntityPictureRow>('entity_assets').whereIn('entity_no', group).select('*'),
  );
}

/** Adds new entities. */
export async function insertEntityRows(
  insertRows: Database['insertRows'],
  trx: Knex.Transaction,
  rows: readonly EntityRow[],
): Promise<void> {
  await insertRows(trx, 'entities', withoutEmptyColumns(rows));
}

/**
 * The columns that never change, the key and parent, which only a merge writes, and `shown_by`, which
 * only the upkeep writes.
 */
type UnsavedColumn =
  | 'no'
  | 'id'
  | 'key'
  | 'type'
  | 'source_plugin_id'
  | 'parent_no'
  | 'shown_by'
  | 'created_at';
/** All other columns, so that none is lost at an update. */
const isSaved: Readonly<Record<Exclude<keyof EntityRow, UnsavedColumn>, true>> = {
  name: true,
  sort_name: true,
  status: true,
  search_terms: true,
  texts: true,
  metadata: true,
  assets: true,
  hidden: true,
  asset_aspects: true,
  year: true,
  edits: true,
  provenance: true,
  updated_at: true,
};
const savedColumns = Object.keys(isSaved) as (keyof typeof isSaved)[];

/** Updates changed entities, by number. */
export async function saveEntityRows(
  insertRows: Database['insertRows'],
  trx: Knex.Transaction,
  rows: readonly EntityRow[],
): Promise<void> {
  await insertRows(trx, 'entities', rows, { columns: ['no'], update: savedColumns });
}

/** The ids, names and pictures of entities, stored beside their rows. */
export interface EntityTraces {
  readonly ids: readonly EntityIdRow[];
  readonly names: readonly EntityNameRow[];
  readonly pictures: readonly EntityPictureRow[];
}

/**
 * Adds ids and keys that lead to entities. Existing ids and keys keep their entity. A picture
 * replaces the one of its type.
 */
export async function insertTraces(
  insertRows: Database['insertRows'],
  trx: Knex.Transaction,
  traces: EntityTraces,
): Promise<void> {
  const ids = { columns: ['type', 'provider', 'value'], update: [] } as const;
  await insertRows(trx, 'entity_ids', traces.ids, ids);
  const names = { columns: ['key', 'entity_no'], update: [] } as const;
  await insertRows(trx, 'entity_names', traces.names, names);
  const pictures = {
    columns: ['entity_no', 'type'],
    update: ['id', 'uri', 'aspect', 'source'],
  } as const;
  await insertRows(trx, 'entity_assets', traces.pictures, pictures);
  // Photos of people are on no tile of a library.
  const onTiles = traces.pictures.filter(({ type }) => type !== 'thumbnail');
  await wantPictures(insertRows, trx, onTiles);
}

/** The entity into which the one with this id was merged. */
export async function findSurvivor(db: Knex, id: string): Promise<EntityRow | undefined> {
  return db('merged_entities')
    .join('entities', 'entities.no', 'merged_entities.entity_no')
    .where('merged_entities.id', id)
    .first<EntityRow | undefined>('entities.*');
}
