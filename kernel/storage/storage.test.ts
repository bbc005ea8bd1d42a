import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  newDatabaseUrl,
  openTestStorage,
  sqliteDrivers,
  temporaryFolder,
} from '../../test/support/storage.ts';

/** The error of a machine without compiler and prebuilt binary. */
const withoutSqlite3 = (): never => {
  throw new Error('Could not locate the bindings file. Tried:\n → build');
};

describe('openStorage', () => {
  test('uses node:sqlite where sqlite3 has no binary, and logs one line', async () => {
    const lines: unknown[] = [];
    const keep = (fields: object, message: string) => void lines.push([message, fields]);
    const log = { debug: keep, info: keep, warn: keep, error: keep };
    const url = await newDatabaseUrl('node:sqlite');

    const storage = await openTestStorage({ log, url, load: withoutSqlite3 });

    await storage.kv.set('p', { key: 'k', json: '1' }, 100);
    expect(storage.driver).toBe('node:sqlite');
    expect(lines).toEqual([
      [
        'The SQLite driver sqlite3 has no binary for this machine; node:sqlite is used instead.',
        { driver: 'node:sqlite', reason: 'Could not locate the bindings file. Tried:' },
      ],
    ]);
  });

  test('never replaces a driver that was requested by name', async () => {
    const storage = openTestStorage({ driver: 'sqlite3', load: withoutSqlite3 });

    await expect(storage).rejects.toMatchObject({
      code: 'storage_failed',
      message:
        'The SQLite driver sqlite3 has no binary for this machine. "npm rebuild sqlite3" makes it; node:sqlite needs none.',
    });
  });

  test('names the drivers that there are when it is asked for another', async () => {
    const storage = openTestStorage({ driver: 'oracle' as never });

    await expect(storage).rejects.toThrow('Known are sqlite3 and node:sqlite.');
  });

  test.each([
    ['postgres://vitrine:hunter2@db', 'The database url does not name a database.'],
    ['postgres://vitrine:hunter2@db/', 'The database url does not name a database.'],
    ['postgres://vitrine:hunter2@/', 'The database url does not name a database.'],
    ['postgresql://vitrine:hunter2@db/a/b', 'The database url does not name a database.'],
    ['postgres:vitrine:hunter2', 'The database url cannot be parsed;'],
    ['postgres://vitrine:hunter2#@db/vitrine', 'The database url cannot be parsed;'],
    ['mysql://vitrine:hunter2@db/vitrine', 'The database url has an unknown scheme.'],
    ['/var/lib/vitrine.db', 'The database url has an unknown scheme.'],
    ['sqlite:', 'The database url does not name a file.'],
    ['sqlite:a\0b', 'The database url does not name a file.'],
    ['sqlite::memory:', 'A database in memory cannot be shared.'],
  ])('refuses the url %s, says what would be right, and repeats no password', async (url, why) => {
    const error: unknown = await openTestStorage({ url }).catch((cause: unknown) => cause);

    expect(error).toMatchObject({ code: 'storage_failed' });
    expect(String(error)).toContain(why);
    expect(String(error)).toContain('Give it as sqlite:<file>');
    expect(String(error)).not.toContain('hunter2');
  });

  test.each(sqliteDrivers)('refuses a file that is not a database, over %s', async (driver) => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'notes.txt');
    writeFileSync(file, 'These are my notes, and no database. '.repeat(40));

    const error: unknown = await openTestStorage({ url: `sqlite:${file}`, driver }).catch(
      (cause: unknown) => cause,
    );

    expect(error).toMatchObject({
      code: 'storage_failed',
      message: 'The database file "notes.txt" is not an SQLite database.',
    });
  });

  test.each(sqliteDrivers)('makes the folder of the database, over %s', async (driver) => {
    const file = path.join(temporaryFolder(), 'new', 'folder', 'vitrine.db');

    const { ping } = await openTestStorage({ url: `sqlite:${file}`, driver });

    expect((await ping()).latencyMs).toBeGreaterThanOrEqual(0);
  });

  test.each(sqliteDrivers)(
    'pings by its clock, and fails when it is closed, over %s',
    async (driver) => {
      let milliseconds = 0;
      const storage = await openTestStorage({ driver, clock: () => (milliseconds += 2) });

      expect(await storage.ping()).toEqual({ latencyMs: 2 });
      await storage.close();
      await expect(storage.ping()).rejects.toThrow();
    },
  );
});
