import knex from 'knex';
import { describe, expect, test } from 'vitest';
import {
  describeEachDriver,
  newDatabaseUrl,
  openTestStorage,
} from '../../test/support/storage/storage.ts';
import { byteOrdered } from './index.ts';
import type { Migration, MigrationSet, Storage, StorageOptions } from './index.ts';

const makes = (table: string): Migration => ({
  id: table,
  kind: 'expand',
  up: (trx) =>
    trx.schema.createTable(table, (columns) => {
      columns.text('id');
    }),
});

/** Takes away a table that versions before 2.0.0 use. */
const takes = (table: string): Migration => ({
  id: `no-${table}`,
  kind: 'contract',
  oldestVersion: '2.0.0',
  up: (trx) => trx.schema.dropTable(table),
});

const set = (name: string, ...migrations: readonly Migration[]): MigrationSet => ({
  name,
  migrations,
});

async function tablesOf({ database }: Storage): Promise<readonly string[]> {
  const names = ['a', 'b', 'c'];
  const isThere = await Promise.all(names.map((name) => database.read.schema.hasTable(name)));
  return names.filter((_, at) => isThere[at]);
}

describeEachDriver('migrations over %s', (driver) => {
  /** Opens the same file with each list of sets in turn. */
  async function openEach(...versions: readonly (readonly MigrationSet[])[]): Promise<Storage[]> {
    const url = await newDatabaseUrl(driver);
    const opened: Storage[] = [];
    for (const migrations of versions) {
      await opened.at(-1)?.close();
      opened.push(await openTestStorage({ url, driver, migrations, appVersion: '2.0.0' }));
    }
    return opened;
  }

  test('are applied once, in order, and only the new ones at the next start', async () => {
    const versions = [
      [set('x', makes('a'))],
      [set('x', makes('a'))],
      [set('x', makes('a'), makes('b')), set('y', makes('c'))],
    ];

    const storage = (await openEach(...versions)).at(-1);

    expect(await tablesOf(storage as Storage)).toEqual(['a', 'b', 'c']);
  });

  /** Opens a database that version 2.1.0 made, with other sets and as another version. */
  async function openAs(
    made: readonly MigrationSet[],
    migrations: readonly MigrationSet[],
    options: Partial<StorageOptions>,
  ): Promise<Storage> {
    const url = await newDatabaseUrl(driver);
    const common = { url, driver };
    await (await openTestStorage({ ...common, migrations: made, appVersion: '2.1.0' })).close();
    return openTestStorage({ ...common, migrations, ...options });
  }

  const old = [set('x', makes('a'))];
  const added = [set('x', makes('a'), makes('b')), set('y', makes('c'))];
  const taken = [set('x', makes('a'), makes('b'), takes('a'))];

  test('that only add let an older version run, which changes nothing', async () => {
    const older = await openAs(added, old, { appVersion: '1.9.0' });

    expect(await tablesOf(older)).toEqual(['a', 'b', 'c']);
    expect(await older.whyTooOld()).toBeNull();
  });

  test('that take something away let those run that no longer use it, and refuse others by name', async () => {
    const older = await openAs(taken, old, { appVersion: '2.0.0' });
    const refused = () => openAs(taken, old, { appVersion: '1.9.0' });
    const unknown = () =>
      openAs([...old, set('y', makes('c'), takes('c'))], old, {
        appVersion: '1.9.0',
      });

    expect(await tablesOf(older)).toEqual(['b']);
    await expect(refused()).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringMatching(
        /newer version of Vitrine 2\.1\.0, at \d{4}-.*"b" of "x", which this version, 1\.9\.0, does not know\. It lets run 2\.0\.0 and later\./,
      ),
    });
    await expect(unknown()).rejects.toThrow('it has the migrations of "y"');
  });

  test('that only add are refused by what must have the same tables', async () => {
    const older = openAs(added, old, { appVersion: '1.9.0', acceptsNewer: false });

    await expect(older).rejects.toThrow('newer version of Vitrine');
  });

  test('that take something away wait for servers that use it, and others do not', async () => {
    const running = async () => [
      { address: 'one:8360', version: '2.0.0' },
      { address: 'two:8360', version: '1.9.0' },
    ];
    const url = await newDatabaseUrl(driver);
    const open = async (migrations: readonly MigrationSet[]) => {
      const storage = await openTestStorage({ url, driver, migrations, running });
      const tables = await tablesOf(storage);
      await storage.close();
      return tables;
    };

    expect(await open(old)).toEqual(['a']);
    expect(await open([set('x', makes('a'), makes('b'))])).toEqual(['a', 'b']);
    await expect(open(taken)).rejects.toThrow(
      'The server at two:8360 is of version 1.9.0, and beside this version run only servers of 2.0.0 and later. Nothing was changed.',
    );
    expect(await open([set('x', makes('a'), makes('b'))])).toEqual(['a', 'b']);
  });

  test('are not applied when they are not wanted, and a missing one is an error then', async () => {
    const url = await newDatabaseUrl(driver);
    const asItIs = (migrations: readonly MigrationSet[]) =>
      openTestStorage({ url, driver, migrations, isMigrating: false });
    await (await openTestStorage({ url, driver, migrations: [set('x', makes('a'))] })).close();

    await expect(asItIs([set('x', makes('a'), makes('b'))])).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringMatching(/older version of Vitrine/),
    });
    await expect(asItIs([set('z', makes('c'))])).rejects.toMatchObject({ code: 'storage_failed' });
    expect(await tablesOf(await asItIs([set('x', makes('a'))]))).toEqual(['a']);
  });

  test('refuse a database from before the first release, and say what to do', async () => {
    const early = [set('x', makes('a'), makes('b'))];

    const today = openEach(early, [set('x', { ...makes('c'), id: '0001-baseline' })]);

    await expect(today).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringMatching(/before its first release.*"x".*another data folder/),
    });
  });

  test('refuse a list in another order than it was applied in', async () => {
    const reordered = openEach(
      [set('x', makes('a'), makes('b'))],
      [set('x', makes('b'), makes('a'))],
    );

    await expect(reordered).rejects.toThrow('another order');
  });

  test('refuse an altered record', async () => {
    const url = await newDatabaseUrl(driver);
    const migrations = [set('x', makes('a'))];
    const first = await openTestStorage({ url, driver, migrations });
    await first.database.write((trx) =>
      trx('schema_migrations').where({ name: 'x' }).update({ ids: '[]' }),
    );
    await first.close();

    const second = openTestStorage({ url, driver, migrations });

    await expect(second).rejects.toThrow('The record of the migrations of "x" was altered.');
  });

  test('of a set leave nothing behind when one of them fails', async () => {
    const url = await newDatabaseUrl(driver);
    const fails: Migration = { id: 'b', kind: 'expand', up: () => Promise.reject(new Error('no')) };
    const failing = openTestStorage({ url, driver, migrations: [set('x', makes('a'), fails)] });
    await expect(failing).rejects.toThrow('no');

    const repaired = await openTestStorage({ url, driver, migrations: [set('x', makes('a'))] });

    expect(await tablesOf(repaired)).toEqual(['a']);
  });
});

describe('byteOrdered', () => {
  const compile = (client: string): string =>
    knex({ client, useNullAsDefault: true })
      .schema.createTable('files', (table) => {
        byteOrdered(table, 'uri').notNullable();
      })
      .toString();

  test('makes PostgreSQL compare by bytes', () => {
    expect(compile('pg')).toBe('create table "files" ("uri" text collate "C" not null)');
  });

  test('changes nothing for SQLite, which compares by bytes', () => {
    expect(compile('sqlite3')).toBe('create table `files` (`uri` text not null)');
  });
});

describeEachDriver('a byte-ordered column over %s', (driver) => {
  test('sorts "é" after "z", and a folder by its slash', async () => {
    const uris = ['z', 'é', 'a/b', 'a b', 'a', 'Z', '\u{1f3ac}', '\uffee'];
    const files = set('files', {
      id: '001',
      kind: 'expand',
      up: (trx) => trx.schema.createTable('files', (table) => byteOrdered(table, 'uri')),
    });
    const { database } = await openTestStorage({ driver, migrations: [files] });
    await database.write((trx) =>
      database.insertRows(
        trx,
        'files',
        uris.map((uri) => ({ uri })),
      ),
    );

    const sorted: readonly string[] = await database.read('files').orderBy('uri').pluck('uri');

    const byBytes = uris.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(sorted).toEqual(byBytes);
  });
});
