import type { Knex } from 'knex';
import { deleteFileRows, type FileRow } from './file-store.ts';
import { deleteItemRows, type ItemRow } from './item-store.ts';
import { chunks, inChunks } from './rows.ts';

/** A file that was missing for too long. */
export type ForgottenFile = Pick<FileRow, 'no' | 'item_no'>;

/**
 * Files that are missing since before `missedBefore`, in libraries that are not being scanned, have
 * no unfinished scan and have no root with a problem; and only if a whole scan has ended since,
 * since a file that moved is missed before it is found.
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

/**
 * Dates files that went missing while the clock was wrong: before they were found, or in the future.
 * They count as missing since now.
 */
export async function correctMissedAt(trx: Knex.Transaction, now: number): Promise<void> {
  await trx('files')
    .whereRaw(`status = 'missing' and (missed_at > ? or missed_at < created_at)`, [now])
    .update({ missed_at: now });
}

/** Deletes files, and the items without other media; gives the numbers of those items. */
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

/** Items that are missing and have no media. */
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

/** Deletes items without media. Files beside media that is gone belong to no item. */
export async function deleteEmptyItems(
  trx: Knex.Transaction,
  numbers: readonly number[],
): Promise<void> {
  for (const group of chunks(numbers, 500))
    await trx<FileRow>('files').whereIn('item_no', group).update({ item_no: null });
  await deleteItemRows(trx, numbers);
}

/**
 * Removes tombstones that are old enough. One without a date gets the current date, so that the
 * code that adds tombstones needs no clock.
 */
export async function purgeTombstones(
  trx: Knex.Transaction,
  { now, removedBefore }: { readonly now: number; readonly removedBefore: number },
): Promise<number> {
  await trx('removed_items').whereNull('removed_at').update({ removed_at: now });
  return trx('removed_items').where('removed_at', '<=', removedBefore).delete();
}
