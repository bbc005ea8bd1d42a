/** Pictures that people uploaded: rows of `assets`, whose bytes are in `uploaded_pictures`. */
import type { Knex } from 'knex';
import { uploadedSource, type AssetRow } from './extras-store.ts';

/** The pictures of one item that were uploaded, the oldest first. */
export const readUploads = (db: Knex, itemNo: number): Promise<readonly AssetRow[]> =>
  db<AssetRow>('assets').where({ item_no: itemNo, source: uploadedSource }).orderBy('id').select();

/** Adds an uploaded picture. */
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

/** Deletes one uploaded picture. */
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
