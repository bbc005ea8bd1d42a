/**
 * Which media files wait for the ingest. The state is a column of the file, so nothing that waits is
 * ever lost: a new file waits by default, and whoever changes what is known of a file marks it in the
 * same transaction.
 */
import type { Knex } from 'knex';
import { chunks, inChunks, type BigNumber } from './rows.ts';
import { createSidecarLookup, reachOf } from './sidecar-rule.ts';

/** The words of the index of what waits; a file that is missing waits until it is back. */
const waits = `ingest_state > 0 and type = 'media' and status <> 'missing'`;

/** The state of a file that has to be ingested again: for rows that are about to be saved. */
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
  for (const group of chunks(itemNumbers, 500)) {
    await trx('files')
      .whereIn('item_no', group)
      .where('type', 'media')
      .update({ ingest_state: trx.raw('ingest_state + 2') });
  }
}

/** Marks all media of a library. */
export async function markLibrary(trx: Knex.Transaction, libraryNo: number): Promise<void> {
  await trx('files')
    .where({ library_no: libraryNo, type: 'media' })
    .whereNotNull('item_no')
    .update({ ingest_state: trx.raw('ingest_state + 2') });
}

/** Marks what could not be looked into for one of these reasons. */
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
 * Marks the media files that these files beside media concern, because they came, changed or went.
 * What came along with them is left as it is: nobody can have looked into it yet, so the first scan of
 * a library pays next to nothing. What waits since before may be under way, so it is marked too.
 */
export async function markConcerned(
  trx: Knex.Transaction,
  change: {
    readonly libraryNo: number;
    /** URIs of the library's roots, without a slash at the end. */
    readonly roots: readonly string[];
    readonly sidecarUris: readonly string[];
    /** When this transaction makes its rows. */
    readonly now: number;
  },
): Promise<void> {
  if (change.sidecarUris.length === 0) return;
  const lookup = createSidecarLookup(change.sidecarUris.map((uri) => ({ uri })));
  const older = await readOlder(trx, change, change.sidecarUris.map(reachOf));
  const concerned = older.filter(({ uri }) => {
    const root = change.roots.find((one) => uri.startsWith(`${one}/`)) ?? '';
    return lookup.concerning(uri, root).length > 0;
  });
  await markPending(
    trx,
    concerned.map(({ no }) => no),
  );
}

/** Media from the first of these folders to the end of the last that was there before. */
async function readOlder(
  trx: Knex.Transaction,
  { libraryNo, now }: { readonly libraryNo: number; readonly now: number },
  folders: readonly string[],
): Promise<readonly { readonly no: number; readonly uri: string }[]> {
  const from = folders.reduce((least, folder) => (folder < least ? folder : least));
  // A slash ends a folder, and the digit 0 is the character after it: so this is all below it.
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

/** Settles files that were not marked meanwhile with an error. */
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

/** Items of a library with a file that waits, in the order of their numbers. */
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

/** Those of these items that have a file that waits. */
export async function pendingAmong(
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

/** How many media files of a library are there, wait, and could not be read. */
export async function countPending(
  db: Knex,
  libraryNo: number,
): Promise<{ readonly pending: number; readonly failed: number; readonly total: number }> {
  const ofLibrary = db('files').where('library_no', libraryNo);
  const count = async (some: Knex.QueryBuilder): Promise<number> => {
    const [row] = await some.count<{ count: BigNumber }[]>('* as count');
    return Number(row?.count ?? 0);
  };
  // Each of these is counted in an index; media is what is left of all.
  const [pending, failed, all, auxiliary] = await Promise.all([
    count(ofLibrary.clone().whereRaw(waits)),
    count(ofLibrary.clone().whereNotNull('ingest_error')),
    count(ofLibrary.clone()),
    count(ofLibrary.clone().whereRaw(`type = 'auxiliary'`)),
  ]);
  return { pending, failed, total: all - auxiliary };
}
