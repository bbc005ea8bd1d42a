import type { Knex } from 'knex';
import { membersOf, toMembers, type Database } from '../../../../kernel/storage/index.ts';

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

/** The looks of pictures of items and entities with these ids, as far as they are known. */
export async function readLooksOf(
  db: Knex,
  assetIds: readonly string[],
): Promise<(PictureLook & { readonly id: string })[]> {
  const wanted = toMembers(assetIds);
  const looks = (table: string) =>
    `select ${table}.id, picture_looks.color, picture_looks.thumbhash from ${table}
     join picture_looks on picture_looks.uri = ${table}.uri where ${table}.id in ${membersOf(db)}`;
  return db.raw(`${looks('assets')} union all ${looks('entity_assets')}`, [wanted, wanted]);
}
