/** Pictures on the network that tiles show, and that are not kept on the disk yet. */
import type { Database, Queries, Transaction } from '../../../../kernel/store/index.ts';

/** A row of `wanted_pictures`. */
export interface WantedPictureRow {
  readonly asset_id: string;
  /** Failed tries. */
  readonly attempts: number;
  /** Unix milliseconds of the next try. */
  readonly next_at: number | string;
}

/** A picture that an item or an entity got. */
export interface NewPicture {
  readonly id: string;
  readonly type: string;
  readonly uri: string;
}

const table = 'wanted_pictures';

/** The types that tiles show, with their turn: there are many more thumbnails of episodes than posters. */
const turns: ReadonlyMap<string, number> = new Map([
  ['poster', 0],
  ['cover', 0],
  ['backdrop', 0],
  ['thumbnail', 1],
]);

/** Queues those that tiles show and that are on the network, unless they wait already. */
export async function wantPictures(
  insertRows: Database['insertRows'],
  trx: Transaction,
  pictures: readonly NewPicture[],
): Promise<void> {
  const rows = pictures.flatMap(({ id, type, uri }): readonly WantedPictureRow[] => {
    const turn = /^https?:/i.test(uri) ? turns.get(type) : undefined;
    return turn === undefined ? [] : [{ asset_id: id, attempts: 0, next_at: turn }];
  });
  await insertRows(trx, table, rows, { columns: ['asset_id'], update: [] });
}

/** The pictures that are due, those that wait longest first. */
export const readWanted = (
  db: Queries,
  now: number,
  limit: number,
): Promise<readonly WantedPictureRow[]> =>
  db<WantedPictureRow>(table).where('next_at', '<=', now).orderBy('next_at').limit(limit);

/** When the next picture is due; undefined when none waits. */
export async function nextWanted(db: Queries): Promise<number | undefined> {
  const row = await db<WantedPictureRow>(table).orderBy('next_at').first('next_at');
  return row && Number(row.next_at);
}

/** Stores the next try. */
export async function saveWanted(trx: Transaction, row: WantedPictureRow): Promise<void> {
  const { asset_id, ...rest } = row;
  await trx<WantedPictureRow>(table).where({ asset_id }).update(rest);
}

/** Removes a picture from the queue. */
export async function deleteWanted(trx: Transaction, assetId: string): Promise<void> {
  await trx<WantedPictureRow>(table).where({ asset_id: assetId }).delete();
}
