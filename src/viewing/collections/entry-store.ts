/**
 * The order of a playlist. The column `position` only orders: it has gaps where items went, so the
 * place of an entry is the number of entries before it. Each change makes room and fills it in one
 * write. Writes run one after the other, those of other servers too: otherwise two entries could get
 * one position.
 */
import type { Knex } from 'knex';
import type { Database, Transaction } from '../../../kernel/store/index.ts';
import { isActiveItem, itemShows, type Scope } from '../../library/catalogue/access/index.ts';
import { touchCollection } from './collection-store.ts';
import { positionAt } from './member-store.ts';

/** An entry, and its place: 0 = first. */
export interface EntryRow {
  readonly id: string;
  readonly item_id: string;
  readonly place: number;
  /** Its value in the order; not its place. */
  readonly position: number;
}

/** Ids of one statement. */
const portion = 500;

/** PostgreSQL gives numbers of rows as text. */
type PlacedRow = Omit<EntryRow, 'place'> & { readonly place: number | string };

const toEntry = (row: PlacedRow): EntryRow => ({ ...row, place: Number(row.place) });

/** Changes one playlist; `null` when it is gone. */
export function changePlaylist<T extends object>(
  database: Pick<Database, 'write'>,
  { collectionNo, now }: { readonly collectionNo: number; readonly now: number },
  work: (trx: Transaction) => Promise<T>,
): Promise<T | null> {
  return database.write(async (trx) =>
    (await touchCollection(trx, collectionNo, now)) ? work(trx) : null,
  );
}

const ofPlaylist = (db: Knex, collectionNo: number): Knex.QueryBuilder =>
  db('collection_items').where('collection_no', collectionNo);

function placed(db: Knex, collectionNo: number): Knex.QueryBuilder {
  const place = db.raw('row_number() over (order by position) - 1 as place');
  return ofPlaylist(db, collectionNo).select('entry_id as id', 'item_id', 'position', place);
}

/** One page of the entries whose items the scope shows. */
export async function readEntries(
  db: Knex,
  page: {
    readonly collectionNo: number;
    readonly scope: Scope;
    readonly after: number | null;
    readonly limit: number;
  },
): Promise<readonly EntryRow[]> {
  const { sql, bindings } = itemShows(db, page.scope, { by: 'row' });
  const query = db
    .from(placed(db, page.collectionNo).as('entries'))
    .join('items', 'items.id', 'entries.item_id')
    .whereRaw(isActiveItem('row'))
    .whereRaw(sql, bindings);
  if (page.after !== null) void query.where('entries.position', '>', page.after);
  const rows = await query
    .orderBy('entries.position')
    .limit(page.limit)
    .select<PlacedRow[]>('entries.*');
  return rows.map(toEntry);
}

/** These entries of a playlist, in its order. */
export async function readEntriesById(
  db: Knex,
  collectionNo: number,
  ids: readonly string[],
): Promise<readonly EntryRow[]> {
  const rows = await db
    .from(placed(db, collectionNo).as('entries'))
    .whereIn('entries.id', [...ids])
    .orderBy('entries.position')
    .select<PlacedRow[]>('entries.*');
  return rows.map(toEntry);
}

/** Inserts entries before the one at this place, or at the end. */
export async function insertEntries(
  insertRows: Database['insertRows'],
  trx: Knex.Transaction,
  collectionNo: number,
  added: {
    readonly entries: readonly { readonly id: string; readonly itemId: string }[];
    readonly place: number | undefined;
  },
): Promise<void> {
  const { entries, place } = added;
  const first = await makeRoom(trx, ofPlaylist(trx, collectionNo), place, entries.length);
  const rows = entries.map(({ id, itemId }, index) => ({
    collection_no: collectionNo,
    item_id: itemId,
    position: first + index,
    entry_id: id,
  }));
  await insertRows(trx, 'collection_items', rows);
}

/** Moves an entry so that it has this place, or the last one; false when it is not there. */
export async function moveEntry(
  trx: Knex.Transaction,
  collectionNo: number,
  { id, place }: { readonly id: string; readonly place: number },
): Promise<boolean> {
  const others = ofPlaylist(trx, collectionNo).whereNot('entry_id', id);
  const position = await makeRoom(trx, others, place, 1);
  const moved: number = await ofPlaylist(trx, collectionNo)
    .where('entry_id', id)
    .update({ position });
  return moved > 0;
}

/** Removes an entry; false when it was not there. */
export async function deleteEntry(
  trx: Knex.Transaction,
  collectionNo: number,
  id: string,
): Promise<boolean> {
  const deleted: number = await ofPlaylist(trx, collectionNo).where('entry_id', id).delete();
  return deleted > 0;
}

/** Removes these entries. */
export async function deleteEntries(
  trx: Knex.Transaction,
  collectionNo: number,
  ids: readonly string[],
): Promise<void> {
  for (let at = 0; at < ids.length; at += portion)
    await ofPlaylist(trx, collectionNo)
      .whereIn('entry_id', ids.slice(at, at + portion))
      .delete();
}

/** Moves later entries back by `count`, and gives the first position that is free then. */
async function makeRoom(
  trx: Knex.Transaction,
  entries: Knex.QueryBuilder,
  place: number | undefined,
  count: number,
): Promise<number> {
  const position = await positionAt(entries.clone(), place);
  await entries
    .clone()
    .where('position', '>=', position)
    .update({ position: trx.raw('position + ?', [count]) });
  return position;
}
