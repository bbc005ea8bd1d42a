import { expect, test } from 'vitest';
import { describeEachDriver, openTestStorage } from '../../test/support/storage/storage.ts';
import { membersOf, readTogether, sameNames, toMembers } from './index.ts';
import type { MigrationSet, Storage } from './index.ts';

interface Word {
  readonly id: string;
  readonly length: number;
  readonly is_odd: number;
}

const words: MigrationSet = {
  name: 'words',
  migrations: [
    {
      id: '001',
      kind: 'expand',
      up: (trx) =>
        trx.schema.createTable('words', (table) => {
          table.text('id').primary();
          table.bigInteger('length');
          table.boolean('is_odd');
        }),
    },
  ],
};

const columns = sameNames(['id', 'length', 'is_odd']);

describeEachDriver('what is read together over %s', (driver) => {
  async function openWords(): Promise<Storage> {
    const storage = await openTestStorage({ driver, migrations: [words] });
    const { database } = storage;
    await database.write((trx) =>
      database.insertRows(trx, 'words', [
        { id: 'red', length: 3, is_odd: true },
        { id: 'blue', length: 4, is_odd: false },
      ]),
    );
    return storage;
  }

  test('comes in lists, with numbers as numbers and booleans as 1 or 0', async () => {
    const { database } = await openWords();

    const lists = await readTogether<[Word, Word]>(database.read, [
      { columns, from: `words where id in ${membersOf(database.read)}`, bindings: ['["red","x"]'] },
      { columns, from: 'words where length > ?', bindings: [9] },
    ]);

    expect(lists).toEqual([[{ id: 'red', length: 3, is_odd: 1 }], []]);
  });

  test('may use rows that all lists share, with their bindings first', async () => {
    const { database } = await openWords();
    const from = 'words where id in (select id from wanted)';

    const lists = await readTogether<[Word, Word]>(
      database.read,
      [
        { columns, from, bindings: [] },
        { columns, from: `${from} and length > ?`, bindings: [3] },
      ],
      {
        name: 'wanted',
        sql: `select id from words where id in ${membersOf(database.read)}`,
        bindings: [toMembers(['red'])],
      },
    );

    expect(lists).toEqual([[{ id: 'red', length: 3, is_odd: 1 }], []]);
  });

  test('is what a transaction has written so far, when a transaction reads it', async () => {
    const { database } = await openTestStorage({ driver, migrations: [words] });

    const lists = await database.write(async (trx) => {
      await database.insertRows(trx, 'words', [{ id: 'red', length: 3, is_odd: true }]);
      const within = await readTogether<[Word]>(trx, [{ columns, from: 'words', bindings: [] }]);
      const beside = await readTogether<[Word]>(database.read, [
        { columns, from: 'words', bindings: [] },
      ]);
      return { within, beside };
    });

    expect(lists).toEqual({ within: [[{ id: 'red', length: 3, is_odd: 1 }]], beside: [[]] });
  });

  test('tells no bound value when it fails, and is read again at once', async () => {
    const { database } = await openTestStorage({ driver, migrations: [words] });
    const read = (from: string): Promise<unknown> =>
      readTogether<[Word]>(database.read, [{ columns, from, bindings: ['s3cret'] }]);

    // More often than there are readers: none of them may be lost.
    for (let time = 0; time < 9; time++) {
      const error: unknown = await read('words where nowhere = ?').catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(Error);
      expect(String(error)).not.toContain('s3cret');
    }

    expect(await read('words where id = ?')).toEqual([[]]);
  });

  test('may be selected by any text, also one that no database stores', async () => {
    const { database } = await openTestStorage({ driver, migrations: [words] });
    const texts = ['a\\u0000b', 'ünï"\u{1f3ac}', '\\', '\u2028'];
    await database.write((trx) =>
      database.insertRows(
        trx,
        'words',
        texts.map((id) => ({ id, length: id.length, is_odd: false })),
      ),
    );
    const found = await database
      .read('words')
      .whereRaw(`id in ${membersOf(database.read)}`, [toMembers(['\0', 'b\ud800', ...texts])])
      .pluck('id');

    expect(found.toSorted()).toEqual(texts.toSorted());
  });
});
