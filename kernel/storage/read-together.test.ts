import { expect, test } from 'vitest';
import { describeEachDriver, openTestStorage } from '../../test/support/storage.ts';
import { membersOf, readTogether, sameNames, toMembers } from './index.ts';
import type { MigrationSet } from './index.ts';

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
      up: (trx) =>
        trx.schema.createTable('words', (table) => {
          table.text('id').primary();
          table.bigInteger('length');
          table.boolean('is_odd');
        }),
    },
  ],
};

describeEachDriver('what is read together over %s', (driver) => {
  test('comes in lists, with numbers as numbers and truth as one or nought', async () => {
    const { database } = await openTestStorage({ driver, migrations: [words] });
    await database.write((trx) =>
      database.insertRows(trx, 'words', [
        { id: 'red', length: 3, is_odd: true },
        { id: 'blue', length: 4, is_odd: false },
      ]),
    );
    const columns = sameNames(['id', 'length', 'is_odd']);

    const lists = await readTogether<[Word, Word]>(database.read, [
      { columns, from: `words where id in ${membersOf(database.read)}`, bindings: ['["red","x"]'] },
      { columns, from: 'words where length > ?', bindings: [9] },
    ]);

    expect(lists).toEqual([[{ id: 'red', length: 3, is_odd: 1 }], []]);
  });

  test('is asked for by any text, also by one that no database keeps', async () => {
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
