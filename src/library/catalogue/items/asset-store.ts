import type { Knex } from 'knex';
import type { RatedRow } from '../access/index.ts';
import type { EntityPictureRow } from '../tables/entity-store.ts';
import type { AssetRow } from '../tables/extras-store.ts';
import type { FileRow } from '../tables/file-store.ts';
import type { ItemRow } from '../tables/item-store.ts';
import { byPart } from '../tables/part-order.ts';
import type { TrackFile } from './text-track.ts';

/** A file with the fields of its item that decide who may see it. */
export type OwnedFileRow = FileRow & Pick<RatedRow, 'certification'> & { readonly item_id: string };

/** A file with its item. A file without an item is not found. */
export async function findFile(db: Knex, id: string): Promise<OwnedFileRow | undefined> {
  return db('files')
    .join('items', 'items.no', 'files.item_no')
    .where('files.id', id)
    .first<OwnedFileRow | undefined>('files.*', 'items.id as item_id', 'items.certification');
}

/** The same with what its content and its visibility need. */
export async function findFileContent(
  db: Knex,
  id: string,
): Promise<
  Pick<OwnedFileRow, 'id' | 'uri' | 'file_info' | 'library_no' | 'certification'> | undefined
> {
  return db('files')
    .join('items', 'items.no', 'files.item_no')
    .where('files.id', id)
    .first('files.id', 'files.uri', 'files.file_info', 'files.library_no', 'items.certification');
}

/** What the text tracks of an item are found in. */
export async function readTrackRows(
  db: Knex,
  itemNo: number,
): Promise<{ readonly attachments: string | null; readonly files: readonly TrackFile[] }> {
  const [item, files] = await Promise.all([
    db<ItemRow>('items').where('no', itemNo).first('attachments'),
    db<FileRow>('files')
      .where('item_no', itemNo)
      .select('id', 'uri', 'type', 'status', 'classification', 'edition', 'part_number'),
  ]);
  const present = files.filter(({ status }) => status !== 'missing').sort(byPart);
  return { attachments: item?.attachments ?? null, files: present };
}

/** The id of the file of the item that has this URI; `null` = it has none. */
export async function fileOf(db: Knex, itemNo: number, uri: string): Promise<string | null> {
  const row = await db<FileRow>('files').where({ item_no: itemNo, uri }).first('id');
  return row?.id ?? null;
}

/** A picture of an entity, with the entity's id. */
export async function findEntityPicture(
  db: Knex,
  id: string,
): Promise<(EntityPictureRow & { readonly entity_id: string }) | undefined> {
  return db('entity_assets')
    .join('entities', 'entities.no', 'entity_assets.entity_no')
    .where('entity_assets.id', id)
    .first<(EntityPictureRow & { readonly entity_id: string }) | undefined>(
      'entity_assets.*',
      'entities.id as entity_id',
    );
}

/** All pictures of an item, in the order of their ids. */
export async function readAssetsOf(db: Knex, itemNo: number): Promise<readonly AssetRow[]> {
  return db<AssetRow>('assets').where('item_no', itemNo).orderBy('id').select('*');
}

/** An asset with the fields of its item that decide who may see it. */
export async function findAsset(db: Knex, id: string): Promise<(AssetRow & RatedRow) | undefined> {
  return db('assets')
    .join('items', 'items.no', 'assets.item_no')
    .where('assets.id', id)
    .first<(AssetRow & RatedRow) | undefined>(
      'assets.*',
      'items.library_no',
      'items.certification',
    );
}
