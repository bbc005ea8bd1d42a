/**
 * Which media files wait for the ingest. The state is a column of the file, so no waiting file is
 * ever lost: a new file waits by default, and a change of what is known of a file marks it in the
 * same transaction.
 *
 * The number of the state also says what the file waits for, so that an ingest does what was asked
 * for, also if it was started for something else. It is 0 = nothing; odd = it was never ingested;
 * each mark adds 2, or `mergeMark` if what is kept only has to be merged again.
 */
import type { Knex } from 'knex';
import { chunks, inChunks, type BigNumber } from './rows.ts';
import { findSharedFolders } from './beside/shared-folder-store.ts';
import { createSidecarLookup, reachOf } from './beside/sidecar-rule.ts';

/** The condition of the partial index of waiting files; a missing file waits until it is back. */
const waits = `ingest_state > 0 and type = 'media' and status <> 'missing'`;

/** More than all other marks of a file together, and even. */
const mergeMark = 2 ** 20;

/** Whether a file in this state waits for more than a merge of what is kept. */
export function asksSources(state: number): boolean {
  return state % mergeMark !== 0;
}

/** The state that queues a file again: for rows that are about to be saved. */
export function pendingAgain(state: number): number {
  return state + 2;
}

/** Marks files by number. */
export async function markPending(
  trx: Knex.Transaction,
  numbers: readonly number[],
): Promise<void> {
  for (const group of chunks(numbers, 500)) {
    await trx('files')
      .whereIn('no', group)
      .where('type', 'media')
      .update({ ingest_state: trx.raw('ingest_state + 2') });
  }
}

/** Marks all media of these items. */
export async function markItems(
  trx: Knex.Transaction,
  itemNumbers: readonly number[],
): Promise<void> {
  for (const group of chunks(itemNumbers, 500))
    await again(trx('files').whereIn('item_no', group).where('type', 'media'));
}

/** Marks all media of a library. */
export async function markLibrary(trx: Knex.Transaction, libraryNo: number): Promise<void> {
  await again(ofLibrary(trx, libraryNo));
}

/** Marks these items to be merged again from what is kept. What they wait for already stays. */
export async function markItemsToMerge(
  trx: Knex.Transaction,
  itemNumbers: readonly number[],
): Promise<void> {
  for (const group of chunks(itemNumbers, 500))
    await toMerge(trx('files').whereIn('item_no', group).where('type', 'media'));
}

/** Marks these items for a look-up, but those that wait for more than a merge already. */
export async function markItemsToLookUp(
  trx: Knex.Transaction,
  itemNumbers: readonly number[],
): Promise<void> {
  for (const group of chunks(itemNumbers, 500))
    await toMerge(
      trx('files')
        .whereIn('item_no', group)
        .where('type', 'media')
        .whereRaw('ingest_state % ? = 0', [mergeMark]),
    );
}

/** Marks all items of a library to be merged again. */
export async function markLibraryToMerge(trx: Knex.Transaction, libraryNo: number): Promise<void> {
  await toMerge(ofLibrary(trx, libraryNo));
}

const ofLibrary = (trx: Knex.Transaction, libraryNo: number): Knex.QueryBuilder =>
  trx('files').where({ library_no: libraryNo, type: 'media' }).whereNotNull('item_no');

const again = async (files: Knex.QueryBuilder): Promise<void> => {
  await files.increment('ingest_state', 2);
};

/** A missing file is not merged: it would collect marks. */
const toMerge = async (files: Knex.QueryBuilder): Promise<void> => {
  await files.whereNot('status', 'missing').increment('ingest_state', mergeMark);
};

/** Media of a library that its filesystem did not give to the probe. */
export async function readRefused(
  db: Knex,
  libraryNo: number,
): Promise<readonly { readonly no: number; readonly uri: string }[]> {
  return db('files')
    .where('library_no', libraryNo)
    .whereNotNull('ingest_error')
    .where({ ingest_error: refusedCode, ingest_state: 0, type: 'media' })
    .whereNot('status', 'missing')
    .select('no', 'uri');
}

/** The `ProbeFailure` of an I/O error. */
const refusedCode = 'unreadable';

/** Marks files that failed with one of these codes. */
export async function markUnavailable(
  trx: Knex.Transaction,
  codes: readonly string[],
): Promise<void> {
  await trx('files')
    .whereNotNull('ingest_error')
    .whereIn('ingest_error', codes)
    .where('ingest_state', 0)
    .update({ ingest_state: 2 });
}

/**
 * Marks the media files that these auxiliary files concern, because they arrived, changed or left.
 * Media that arrived in the same transaction waits already, so the first scan of a library does
 * almost no lookups. Media that waited before may be in an ingest, so it is marked too.
 */
export async function markConcerned(
  trx: Knex.Transaction,
  change: {
    readonly libraryNo: number;
    /** URIs of the library's roots, without a slash at the end. */
    readonly roots: readonly string[];
    readonly sidecarUris: readonly string[];
    /** The time of this transaction, as its rows have it. */
    readonly now: number;
  },
): Promise<void> {
  if (change.sidecarUris.length === 0) return;
  const folders = [...new Set(change.sidecarUris.map(reachOf))];
  const older = await readOlder(trx, change, folders);
  if (older.length === 0) return;
  const shared = await findSharedFolders(trx, change.libraryNo, folders);
  const lookup = createSidecarLookup(
    change.sidecarUris.map((uri) => ({ uri })),
    shared,
  );
  const concerned = older.filter(({ uri }) => {
    const root = change.roots.find((one) => uri.startsWith(`${one}/`)) ?? '';
    return lookup.concerning(uri, root).length > 0;
  });
  await markPending(
    trx,
    concerned.map(({ no }) => no),
  );
}

/** Media in these folders, or between them, that was there before. */
async function readOlder(
  trx: Knex.Transaction,
  { libraryNo, now }: { readonly libraryNo: number; readonly now: number },
  folders: readonly string[],
): Promise<readonly { readonly no: number; readonly uri: string }[]> {
  const from = folders.reduce((least, folder) => (folder < least ? folder : least));
  // A slash ends a folder, and 0 is the character after the slash: so this is everything below it.
  const ends = folders.map((folder) => `${folder}0`);
  return trx('files')
    .where('library_no', libraryNo)
    .where('uri', '>', `${from}/`)
    .where(
      'uri',
      '<',
      ends.reduce((most, end) => (end > most ? end : most)),
    )
    .where('type', 'media')
    .where((row) => void row.where('ingest_state', 0).orWhere('created_at', '<', now))
    .select('no', 'uri');
}

/** Settles files with an error, except those that were marked again meanwhile. */
export async function settleWith(
  trx: Knex.Transaction,
  files: readonly { readonly no: number; readonly ticket: number }[],
  error: { readonly code: string; readonly message: string },
  now: number,
): Promise<void> {
  for (const [ticket, group] of Map.groupBy(files, (file) => file.ticket)) {
    for (const some of chunks(group, 500))
      await trx('files')
        .whereIn(
          'no',
          some.map(({ no }) => no),
        )
        .where('ingest_state', ticket)
        .update({
          status: 'error',
          file_info: JSON.stringify({ error }),
          ingest_state: 0,
          ingest_error: error.code,
          updated_at: now,
        });
  }
}

/** Items of a library with a waiting file, in the order of their numbers. */
export async function readPendingItems(
  db: Knex,
  page: { readonly libraryNo: number; readonly after: number; readonly limit: number },
): Promise<readonly number[]> {
  const rows = await db('files')
    .where('library_no', page.libraryNo)
    .where('item_no', '>', page.after)
    .whereRaw(waits)
    .orderBy('item_no')
    .limit(page.limit)
    .distinct<{ item_no: number }[]>('item_no');
  return rows.map(({ item_no }) => item_no);
}

/** Those of these items that have a waiting file. */
export async function filterPending(
  db: Knex,
  itemNumbers: readonly number[],
): Promise<readonly number[]> {
  const rows = await inChunks(itemNumbers, (group) =>
    db('files')
      .whereIn('item_no', group)
      .whereRaw(waits)
      .distinct<{ item_no: number }[]>('item_no'),
  );
  return rows.map(({ item_no }) => item_no);
}

/** How many media files of a library exist, wait, and could not be read. */
export async function countPending(
  db: Knex,
  libraryNo: number,
): Promise<{ readonly pending: number; readonly failed: number; readonly total: number }> {
  const ofLibrary = db('files').where('library_no', libraryNo);
  const count = async (some: Knex.QueryBuilder): Promise<number> => {
    const [row] = await some.count<{ count: BigNumber }[]>('* as count');
    return Number(row?.count ?? 0);
  };
  // Each of these counts uses an index; the number of media files is the difference.
  const [pending, failed, all, auxiliary] = await Promise.all([
    count(ofLibrary.clone().whereRaw(waits)),
    count(ofLibrary.clone().whereNotNull('ingest_error')),
    count(ofLibrary.clone()),
    count(ofLibrary.clone().whereRaw(`type = 'auxiliary'`)),
  ]);
  return { pending, failed, total: all - auxiliary };
}
