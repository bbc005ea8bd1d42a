import type { Knex } from 'knex';
import type { AssetRow } from './extras-store.ts';
import type { FileRow } from './file-store.ts';

/** A file with the id of its item; a forgotten one has none, and is not found. */
export async function findFile(
  db: Knex,
  id: string,
): Promise<(FileRow & { readonly item_id: string }) | undefined> {
  return db('files')
    .join('items', 'items.no', 'files.item_no')
    .where('files.id', id)
    .first<(FileRow & { readonly item_id: string }) | undefined>('files.*', 'items.id as item_id');
}

/** An asset with the library of its item. */
export async function findAsset(
  db: Knex,
  id: string,
): Promise<(AssetRow & { readonly library_no: number }) | undefined> {
  return db('assets')
    .join('items', 'items.no', 'assets.item_no')
    .where('assets.id', id)
    .first<(AssetRow & { readonly library_no: number }) | undefined>(
      'assets.*',
      'items.library_no',
    );
}
