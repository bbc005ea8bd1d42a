import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  newDatabaseUrl,
  openTestStorage,
  sqliteDrivers,
  temporaryFolder,
} from '../../test/support/storage/storage.ts';
import { silentLog } from '../log.ts';
import { openStorage } from './index.ts';

describe('openStorage', () => {
  test('uses node:sqlite unless it is asked for another driver', async () => {
    const url = await newDatabaseUrl('node:sqlite');

    const storage = await openStorage({ url, migrations: [], log: silentLog });
    onTestFinished(storage.close);

    expect(storage.driver).toBe('node:sqlite');
  });

  test('names the command that compiles sqlite3 when it is asked for and cannot be loaded', async () => {
    const load = (): never => {
      throw new Error("Cannot find module 'sqlite3'");
    };

    const storage = openTestStorage({ driver: 'sqlite3', load });

    await expect(storage).rejects.toMatchObject({
      code: 'storage_failed',
      message:
        'The SQLite driver sqlite3 is not installed or not compiled. "vitrine serve --storage-driver sqlite3" compiles it; the default, node:sqlite, needs no package.',
    });
  });

  test('names the drivers that there are when it is asked for another', async () => {
    const storage = openTestStorage({ driver: 'oracle' as never });

    await expect(storage).rejects.toThrow('Known are node:sqlite and sqlite3.');
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

    const warnings: string[] = [];
    const log = { ...silentLog, warn: (_: object, message: string) => void warnings.push(message) };
    const error: unknown = await openTestStorage({ url: `sqlite:${file}`, driver, log }).catch(
      (cause: unknown) => cause,
    );

    expect(error).toMatchObject({
      code: 'storage_failed',
      message: 'The database file "notes.txt" is not an SQLite database.',
    });
    expect(warnings).toEqual([]);
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
