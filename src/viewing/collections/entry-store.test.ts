import { expect, test } from 'vitest';
import { libraryMigrations } from '../../library/catalogue/index.ts';
import {
  describeEachDriver,
  newDatabaseUrl,
  openTestStorage,
} from '../../../test/support/storage/storage.ts';
import { collectionMigrations } from './collection-migrations.ts';
import { changePlaylist, insertEntries, moveEntry, readEntriesById } from './entry-store.ts';

const migrations = [libraryMigrations, collectionMigrations];
const ids = Array.from({ length: 40 }, (_, at) => `entry-${at}`);
const alone = { collectionNo: 1, now: 7 };

/** Two servers on one database, and a playlist of the same item many times. */
async function openTwo(driver: Parameters<Parameters<typeof describeEachDriver>[1]>[0]) {
  const url = await newDatabaseUrl(driver, migrations);
  const one = await openTestStorage({ driver, url, migrations });
  const two = await openTestStorage({ driver, url, migrations });
  await one.database.write(async (trx) => {
    await trx('collections').insert({
      ...{ id: 'c', user_id: 'u', profile_id: 'p', distributed_id: 'd', kind: 'playlist' },
      ...{ name: 'N', sort_name: 'n', description: '', media_type: '', hidden: false },
      ...{ sort_by: 'manual', sort_order: 'asc', created_at: 1, updated_at: 1 },
    });
    const entries = ids.map((id) => ({ id, itemId: 'item' }));
    await insertEntries(one.database.insertRows, trx, 1, { entries, place: undefined });
  });
  const order = async () => readEntriesById(two.database.read, 1, [...ids, 'new-1', 'new-2']);
  return { one: one.database, two: two.database, order };
}

describeEachDriver('the order of a playlist over %s', (driver) => {
  test('has every entry once after two servers moved and added some at once', async () => {
    const { one, two, order } = await openTwo(driver);

    const moves = ids.map((id, at) =>
      changePlaylist(at % 2 === 0 ? one : two, alone, async (trx) => ({
        isMoved: await moveEntry(trx, 1, { id, place: (at * 7) % 40 }),
      })),
    );
    const additions = [one, two].map((database, at) =>
      changePlaylist(database, alone, async (trx) => {
        const entries = [{ id: `new-${at + 1}`, itemId: 'item' }];
        await insertEntries(database.insertRows, trx, 1, { entries, place: 0 });
        return {};
      }),
    );
    const results = await Promise.all(moves);
    await Promise.all(additions);

    expect(results).toEqual(ids.map(() => ({ isMoved: true })));
    const rows = await order();
    expect(rows.map(({ id }) => id).sort()).toEqual([...ids, 'new-1', 'new-2'].sort());
    expect(rows.map(({ place }) => place)).toEqual(rows.map((_, at) => at));
    expect(new Set(rows.map(({ position }) => position)).size).toBe(rows.length);
  });

  test('puts a moved entry at the place that was asked for, from both sides', async () => {
    const { one, order } = await openTwo(driver);
    const placeOf = async (id: string) => (await order()).find((row) => row.id === id)?.place;

    for (const [id, place, found] of [
      ['entry-0', 5, 5],
      ['entry-30', 5, 5],
      ['entry-0', 6, 6],
      ['entry-7', 0, 0],
      ['entry-7', 99_999, 39],
    ] as const) {
      await changePlaylist(one, alone, async (trx) => ({
        isMoved: await moveEntry(trx, 1, { id, place }),
      }));
      expect(await placeOf(id)).toBe(found);
    }
    const gone = await changePlaylist(one, { ...alone, collectionNo: 9 }, async () => ({}));
    expect(gone).toBeNull();
  });
});
