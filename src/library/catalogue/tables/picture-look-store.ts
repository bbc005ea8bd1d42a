import type { Knex } from 'knex';
import { membersOf, toMembers, type Database } from '../../../../kernel/store/index.ts';

/** How a picture looks before it is loaded. */
export interface PictureLook {
  /** `#rrggbb`. */
  readonly color: string;
  /** Base64. */
  readonly thumbhash: string;
}

/** A row of `picture_looks`. */
export interface PictureLookRow extends PictureLook {
  /** The address of the picture, as rows of `assets` have it. */
  readonly uri: string;
}

/** Adds looks, and replaces those of pictures that changed. */
export async function saveLooks(
  insertRows: Database['insertRows'],
  trx: Knex.Transaction,
  rows: readonly PictureLookRow[],
): Promise<void> {
  const onConflict = { columns: ['uri'], update: ['color', 'thumbhash'] } as const;
  await insertRows(trx, 'picture_looks', rows, onConflict);
}

/** The looks of pictures with these addresses. */
export async function readLooks(db: Knex, uris: readonly string[]): Promise<PictureLookRow[]> {
  return db<PictureLookRow>('picture_looks')
    .whereRaw(`uri in ${membersOf(db)}`, [toMembers(uris)])
    .select('*');
}

/** A picture of an item or an entity, with its look as far as it is known. */
export interface KnownPicture {
  readonly id: string;
  /** Rows with the same address and source are the same picture. */
  readonly uri: string;
  readonly source: string;
  /** 1 for a picture of an entity. */
  readonly of_entity: number;
  readonly color: string | null;
  readonly thumbhash: string | null;
}

/** The pictures of items and entities with these ids. */
export async function readKnownPictures(
  db: Knex,
  assetIds: readonly string[],
): Promise<KnownPicture[]> {
  const wanted = toMembers(assetIds);
  const pictures = (table: string, ofEntity: number) =>
    `select ${table}.id, ${table}.uri, ${table}.source, ${ofEntity} as of_entity,
     picture_looks.color, picture_looks.thumbhash from ${table}
     left join picture_looks on picture_looks.uri = ${table}.uri
     where ${table}.id in ${membersOf(db)}`;
  return db.raw(`${pictures('assets', 0)} union all ${pictures('entity_assets', 1)}`, [
    wanted,
    wanted,
  ]);
}
