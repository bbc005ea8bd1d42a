import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { testByNight } from '../../test/support/run/test-by-night.ts';
import {
  openTestStorage,
  sqliteDrivers,
  temporaryFolder,
} from '../../test/support/storage/storage.ts';
import { listMigrationBackups, openReadOnly, type Migration, type MigrationSet } from './index.ts';
import { silentLog } from '../log.ts';

const makes = (table: string): Migration => ({
  id: table,
  kind: 'expand',
  up: (trx) =>
    trx.schema.createTable(table, (columns) => {
      columns.text('id');
    }),
});

const version = (...tables: readonly string[]): readonly MigrationSet[] => [
  { name: 'books', migrations: tables.map(makes) },
];

const fails: Migration = {
  id: 'fails',
  kind: 'expand',
  up: () => Promise.reject(new Error('The migration is wrong.')),
};

describe.each(sqliteDrivers)('a database that is migrated, over %s', (driver) => {
  function places() {
    const folder = temporaryFolder();
    const file = path.join(folder, 'test.db');
    const day = (no: number) => () => new Date(Date.UTC(2026, 0, no));
    const open = async (migrations: readonly MigrationSet[], at = 1) => {
      const storage = await openTestStorage({
        url: `sqlite:${file}`,
        ...{ driver, migrations, keepsCopy: true, now: day(at) },
      });
      return storage;
    };
    return { folder, file, open };
  }

  async function idsIn(file: string): Promise<readonly unknown[]> {
    const { read, close } = await openReadOnly({ url: `sqlite:${file}`, driver, log: silentLog });
    try {
      return [await read('a').pluck('id'), await read.schema.hasTable('b')];
    } finally {
      await close();
    }
  }

  test('is backed up before, with all that had been written', async () => {
    const { file, open } = places();
    const older = await open(version('a'));
    await older.database.write((trx) => trx('a').insert({ id: 'kept' }));
    await older.close();

    await (await open(version('a', 'b'), 2)).close();

    const copies = await listMigrationBackups(file);
    expect(copies).toMatchObject([{ file: `${file}.before-20260102T000000000Z` }]);
    expect(await idsIn(copies[0]?.file ?? '')).toEqual([['kept'], false]);
    expect(await idsIn(file)).toEqual([['kept'], true]);
  });

  test('is not backed up when it is new or up to date', async () => {
    const { file, open } = places();

    await (await open(version('a'))).close();
    await (await open(version('a'), 2)).close();

    expect(await listMigrationBackups(file)).toEqual([]);
  });

  testByNight('keeps the two newest backups, and ignores other files', async () => {
    const { folder, file, open } = places();
    writeFileSync(`${file}.before-the-war`, 'mine');
    for (const count of [1, 2, 3, 4])
      await (await open(version(...['a', 'b', 'c', 'd'].slice(0, count)), count)).close();

    const names = (await listMigrationBackups(file)).map((copy) => path.basename(copy.file));

    expect(names).toEqual([
      'test.db.before-20260104T000000000Z',
      'test.db.before-20260103T000000000Z',
    ]);
    expect(readdirSync(folder)).toContain('test.db.before-the-war');
  });

  test('stays at the version that it has when one of all migrations fails', async () => {
    const { open } = places();
    await (await open(version('a'))).close();
    const wrong: readonly MigrationSet[] = [
      { name: 'books', migrations: [makes('a'), makes('b')] },
      { name: 'films', migrations: [fails] },
    ];

    await expect(open(wrong, 2)).rejects.toThrow('The migration is wrong.');

    const storage = await open(version('a'), 3);
    expect(await storage.database.read.schema.hasTable('b')).toBe(false);
  });
});
