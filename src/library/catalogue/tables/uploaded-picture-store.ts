/**
 * Pictures that people uploaded. Those of items are rows of `assets`, whose bytes are in
 * `uploaded_pictures`; those of entities are in `entity_uploads`.
 */
import type { Knex } from 'knex';
import { uploadedSource, type AssetRow } from './extras-store.ts';

/** A picture that a person uploaded, as the server stores it. */
export interface NewPicture {
  readonly type: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
  /** Equal pictures have equal addresses. */
  readonly uri: string;
}

/** The pictures of one item that were uploaded, the oldest first. */
export const readUploads = (db: Knex, itemNo: number): Promise<readonly AssetRow[]> =>
  db<AssetRow>('assets').where({ item_no: itemNo, source: uploadedSource }).orderBy('id').select();

export async function addUpload(
  trx: Knex.Transaction,
  asset: Omit<AssetRow, 'source'>,
  bytes: Uint8Array,
): Promise<void> {
  await trx('assets').insert({ ...asset, source: uploadedSource });
  await trx('uploaded_pictures').insert({ asset_id: asset.id, bytes: Buffer.from(bytes) });
}

/** The bytes of an uploaded picture. */
export async function readUpload(db: Knex, assetId: string): Promise<Uint8Array | undefined> {
  const row = await db<{ readonly asset_id: string; readonly bytes: Uint8Array }>(
    'uploaded_pictures',
  )
    .where('asset_id', assetId)
    .first('bytes');
  return row?.bytes;
}

export async function deleteUpload(trx: Knex.Transaction, assetId: string): Promise<void> {
  await trx('uploaded_pictures').where('asset_id', assetId).delete();
  await trx('assets').where('id', assetId).delete();
}

/** Deletes all pictures of these items; `items` are numbers, or a query that gives them. */
export async function deletePictures(
  trx: Knex.Transaction,
  items: readonly number[] | Knex.QueryBuilder,
): Promise<void> {
  const numbers = 'clone' in items ? items.clone() : [...items];
  const pictures = trx('assets').whereIn('item_no', numbers).where('source', uploadedSource);
  await trx('uploaded_pictures').whereIn('asset_id', pictures.select('id')).delete();
  await trx('assets')
    .whereIn('item_no', 'clone' in items ? items.clone() : [...items])
    .delete();
}

/** A row of `entity_uploads`. */
export interface EntityUploadRow {
  readonly id: string;
  readonly entity_no: number;
  /** Equal pictures have equal addresses. */
  readonly uri: string;
  readonly mime_type: string;
  readonly bytes: Uint8Array;
}

/** The ids of the pictures that were uploaded for an entity, the oldest first. */
export async function readEntityUploads(db: Knex, entityNo: number): Promise<readonly string[]> {
  const rows = await db<EntityUploadRow>('entity_uploads')
    .where('entity_no', entityNo)
    .orderBy('id')
    .select('id');
  return rows.map(({ id }) => id);
}

export async function addEntityUpload(trx: Knex.Transaction, row: EntityUploadRow): Promise<void> {
  await trx('entity_uploads').insert({ ...row, bytes: Buffer.from(row.bytes) });
}

/** A picture of an entity, with the entity's id. */
export async function findEntityUpload(
  db: Knex,
  id: string,
): Promise<(EntityUploadRow & { readonly entity_id: string }) | undefined> {
  return db('entity_uploads')
    .join('entities', 'entities.no', 'entity_uploads.entity_no')
    .where('entity_uploads.id', id)
    .first<(EntityUploadRow & { readonly entity_id: string }) | undefined>(
      'entity_uploads.*',
      'entities.id as entity_id',
    );
}

export async function deleteEntityUpload(trx: Knex.Transaction, id: string): Promise<void> {
  await trx('entity_uploads').where('id', id).delete();
}
