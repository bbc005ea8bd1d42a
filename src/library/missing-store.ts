import type { Knex } from 'knex';
import { deleteFileRows, type FileRow } from './file-store.ts';
import { deleteItemRows, type ItemRow } from './item-store.ts';
import { chunks, inChunks } from './rows.ts';

/** A file that nobody waits for any longer. */
export type ForgottenFile = Pick<FileRow, 'no' | 'item_no'>;

/**
 * Files that are missing since before `missedBefore`, in libraries in which nobody looks for them now:
 * none that is being scanned, has an unfinished scan, or has a root that is not what it was; and only
 * if a whole scan has ended since, since a file that moved is missed before it is found.
 */
export async function readForgotten(
  db: Knex,
  { missedBefore, limit }: { readonly missedBefore: number; readonly limit: number },
): Promise<ForgottenFile[]> {
  return db('files')
    .join('libraries', 'libraries.no', 'files.library_no')
    .whereRaw(`files.status = 'missing'`)
    .where('files.missed_at', '<=', missedBefore)
    .whereRaw('files.missed_at <= libraries.last_scan_at')
    .whereNull('libraries.scan_after')
    .whereNull('libraries.problems')
    .limit(limit)
    .select<ForgottenFile[]>('files.no', 'files.item_no');
}

/** Forgets files, and the items that have no media left; gives the numbers of those items. */
export async function forgetMissing(
  trx: Knex.Transaction,
  files: readonly ForgottenFile[],
): Promise<readonly number[]> {
  await deleteFileRows(
    trx,
    files.map(({ no }) => no),
  );
  const owners = [...new Set(files.flatMap((file) => file.item_no ?? []))];
  const kept = await inChunks(owners, (group) =>
    trx<FileRow>('files').whereIn('item_no', group).where('type', 'media').distinct('item_no'),
  );
  const withMedia = new Set(kept.map((row) => row.item_no));
  const empty = owners.filter((no) => !withMedia.has(no));
  await deleteEmptyItems(trx, empty);
  return empty;
}

/** Items that are missing and have no media, whatever took it from them. */
export async function readEmptyItems(
  db: Knex,
  { changedBefore, limit }: { readonly changedBefore: number; readonly limit: number },
): Promise<readonly number[]> {
  const media = db('files').whereRaw(`item_no = items.no and type = 'media'`).select(db.raw('1'));
  const rows = await db<ItemRow>('items')
    .whereRaw(`status = 'missing'`)
    .where('updated_at', '<=', changedBefore)
    .whereNotExists(media)
    .limit(limit)
    .select('no');
  return rows.map(({ no }) => no);
}

/** Deletes items without media. What lies beside media that is gone belongs to no item. */
export async function deleteEmptyItems(
  trx: Knex.Transaction,
  numbers: readonly number[],
): Promise<void> {
  for (const group of chunks(numbers, 500))
    await trx<FileRow>('files').whereIn('item_no', group).update({ item_no: null });
  await deleteItemRows(trx, numbers);
}

/**
 * Takes away tombstones that have stood for long enough. One without a date gets it now: what leaves a
 * tombstone need not know the time.
 */
export async function purgeTombstones(
  trx: Knex.Transaction,
  { now, removedBefore }: { readonly now: number; readonly removedBefore: number },
): Promise<number> {
  await trx('removed_items').whereNull('removed_at').update({ removed_at: now });
  return trx('removed_items').where('removed_at', '<=', removedBefore).delete();
}
