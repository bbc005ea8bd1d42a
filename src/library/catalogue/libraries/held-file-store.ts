import type { Knex } from 'knex';
import type { Scope } from '../access/index.ts';
import { visibleEntities } from '../entities/entity-list-store.ts';
import type { EntityRow } from '../tables/entity-store.ts';
import type { FileRow } from '../tables/file-store.ts';
import { chunks } from '../tables/rows.ts';

/** One page of a list: what comes after the row with this number. */
export interface NumberedPage {
  readonly after: number;
  readonly limit: number;
}

/** A file that could not be read, with its item. */
export interface UnreadRow extends Pick<FileRow, 'no' | 'id' | 'uri' | 'file_info'> {
  readonly code: string;
  readonly item_id: string;
  readonly title: string;
  readonly library_no: number;
  readonly certification: string | null;
}

/** Media whose last ingest failed, by number. */
export async function readUnread(
  db: Knex,
  libraryNo: number,
  { after, limit }: NumberedPage,
): Promise<readonly UnreadRow[]> {
  return db('files')
    .join('items', 'items.no', 'files.item_no')
    .where('files.library_no', libraryNo)
    .whereRaw(`files.ingest_error is not null and files.status <> 'missing'`)
    .where('files.no', '>', after)
    .orderBy('files.no')
    .limit(limit)
    .select<UnreadRow[]>(
      'files.no',
      'files.id',
      'files.uri',
      'files.file_info',
      'files.library_no',
      'files.ingest_error as code',
      'items.id as item_id',
      'items.title',
      'items.certification',
    );
}

const ownerless = (db: Knex, libraryNo: number): Knex.QueryBuilder<FileRow, FileRow[]> =>
  db<FileRow>('files')
    .where('library_no', libraryNo)
    .whereNull('item_no')
    .whereRaw(`type = 'media' and status <> 'missing'`);

/** Media whose item a person removed, by number. */
export async function readRemoved(
  db: Knex,
  libraryNo: number,
  { after, limit }: NumberedPage,
): Promise<readonly Pick<FileRow, 'no' | 'id' | 'uri'>[]> {
  return ownerless(db, libraryNo)
    .where('no', '>', after)
    .orderBy('no')
    .limit(limit)
    .select('no', 'id', 'uri');
}

/** Those of the files with these ids whose item a person removed. */
export async function findRemoved(
  db: Knex,
  libraryNo: number,
  ids: readonly string[],
): Promise<readonly Pick<FileRow, 'no' | 'uri'>[]> {
  return ownerless(db, libraryNo)
    .whereIn('id', [...ids])
    .select('no', 'uri');
}

/** No file has this size, so the next scan finds that the file has changed. */
const noSize = -1;

/** Lets the next scan take these files for changed ones, so that it makes items of them. */
export async function forgetSizes(trx: Knex, numbers: readonly number[]): Promise<void> {
  for (const group of chunks(numbers, 500))
    await trx<FileRow>('files').whereIn('no', group).update({ size: noSize });
}

/** Hidden entities with an item of the scope, by number. */
export async function readHiddenEntities(
  db: Knex,
  scope: Scope,
  { after, limit }: NumberedPage,
): Promise<readonly Pick<EntityRow, 'no' | 'id' | 'type' | 'name'>[]> {
  return visibleEntities(db, scope, true)
    .where('hidden', true)
    .where('no', '>', after)
    .orderBy('no')
    .limit(limit)
    .select('no', 'id', 'type', 'name');
}
