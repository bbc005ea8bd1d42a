import { beforeEach, describe, expect, test } from 'vitest';
import { describeEachDriver, openTestStorage, sqliteDrivers } from '../../test/support/storage.ts';
import type { Database, MigrationSet, Storage } from './index.ts';

const shelf: MigrationSet = {
  name: 'shelf',
  migrations: [
    {
      id: '001-books',
      up: async (trx) => {
        for (const name of ['books', 'loans'])
          await trx.schema.createTable(name, (table) => {
            table.text('id').primary();
            table.double('count').defaultTo(0);
          });
      },
    },
  ],
};

const [noBooks, noLoans] = [new Set(['books']), new Set(['loans'])];
const rows = (count: number) => Array.from({ length: count }, (_, no) => ({ id: `b${no}` }));
const replacing = { columns: ['id'], update: ['id'] } as const;

describe.each(sqliteDrivers)('what a write changed, over %s', (driver) => {
  let storage: Storage;
  let database: Database;

  beforeEach(async () => {
    storage = await openTestStorage({ driver, migrations: [shelf] });
    ({ database } = storage);
  });

  /** Whether the write counted with books ignored, and with loans ignored. */
  async function counted(
    work: Parameters<Database['write']>[0],
  ): Promise<readonly [outsideBooks: boolean, outsideLoans: boolean]> {
    const before = [database.writes(noBooks), database.writes(noLoans)];
    await database.write(work).catch(() => undefined);
    return [database.writes(noBooks) !== before[0], database.writes(noLoans) !== before[1]];
  }

  test.each<[string, Parameters<Database['write']>[0]]>([
    ['a row of a builder', (trx) => trx('books').insert({ id: 'a' })],
    ['a row that is there', (trx) => trx('books').insert({ id: 'a' }).onConflict('id').merge()],
    ['an update', (trx) => trx('books').update({ count: 2 })],
    ['a deletion', (trx) => trx('books').where('id', 'a').delete()],
    ['no row', (trx) => trx('books').where('id', 'nobody').update({ count: 3 })],
    ['one row', (trx) => database.insertRows(trx, 'books', rows(1))],
    ['many rows', (trx) => database.insertRows(trx, 'books', rows(1234), replacing)],
    ['long rows', (trx) => database.insertRows(trx, 'books', [{ id: 'x'.repeat(5000) }])],
    ['SQL', (trx) => trx.raw('\n  INSERT or ignore INTO "books" (id) select id from loans')],
    ['a replacement', (trx) => trx.raw('replace into books (id) values (1)')],
    ['an update or not', (trx) => trx.raw('update or ignore `books` set count = 1')],
    [
      'a write that fails',
      async (trx) => {
        await trx('books').insert({ id: 'a' });
        throw new Error('Not after all.');
      },
    ],
  ])('counts for nobody but those who read that table: %s', async (_, work) => {
    expect(await counted(work)).toEqual([false, true]);
  });

  test('counts in both cases when it changed both', async () => {
    const both = counted(async (trx) => {
      await trx('books').insert({ id: 'a' });
      await trx('loans').insert({ id: 'a' });
    });

    expect(await both).toEqual([true, true]);
  });

  test.each([
    'with old as (select id from loans) update books set count = 1 where id in (select id from old)',
    'with old as (select id from loans)\n delete from books where id in (select id from old)',
    'update main.books set count = 1',
    '/* all */ delete from books',
    'pragma user_version = 7',
    'alter table books add column place',
  ])('counts for everybody when it is not understood: %s', async (sql) => {
    expect(await counted((trx) => trx.raw(sql))).toEqual([true, true]);
  });

  test('counts in no case when it only read', async () => {
    const read = counted(async (trx) => {
      await trx('books').first();
      await trx.raw('with lent as (select id from loans)\n select count(*) from lent');
    });

    expect(await read).toEqual([false, false]);
  });

  test('has one name for all of the text indexes', async () => {
    const document = { id: 'a', scope: 's', kind: 'item', title: 'Amulet', body: '' };
    await storage.textIndex.put('plugin', [document]);
    const seen = database.writes(new Set(['text_indexes']));
    await storage.textIndex.put('plugin', [{ ...document, title: 'Amulets' }]);
    await storage.textIndex.remove('plugin', ['a']);

    expect(database.writes(new Set(['text_indexes']))).toBe(seen);
    expect(database.writes(noBooks)).toBeGreaterThan(seen);
  });

  test('counts before its caller learns of it, and not while it is under way', async () => {
    const before = database.writes();
    let during = -1;
    await database.write(async (trx) => {
      await trx('books').insert({ id: 'a' });
      during = database.writes();
    });

    expect(during).toBe(before);
    expect(database.writes()).toBeGreaterThan(before);
  });

  test('is reported to `committed` before it counts; a failed one is not', async () => {
    const before = database.writes();
    const told: unknown[] = [];
    const tell = (value: unknown): void => void told.push(value, database.writes());
    await database.write(async (trx) => {
      await trx('books').insert({ id: 'b' });
      return 'a book';
    }, tell);
    const failed = database.write(() => Promise.reject(new Error('No.')), tell);

    await expect(failed).rejects.toThrow('No.');
    expect(told).toEqual(['a book', before]);
  });
});

describeEachDriver('the last write, over %s', (driver) => {
  test('has a new number at each call where others write too', async () => {
    const { database } = await openTestStorage({ driver, migrations: [shelf] });

    const [first, second] = [database.writes(noBooks), database.writes(noBooks)];

    expect(first === second).toBe(driver !== 'pg');
  });
});
