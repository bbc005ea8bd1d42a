import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  newDatabaseUrl,
  openTestStorage,
  sqliteDrivers,
  temporaryFolder,
} from '../../test/support/storage.ts';
import type { Log } from '../log.ts';

const installed = createRequire(import.meta.url);

/** The error of a machine without compiler and prebuilt binary. */
const withoutSqlite3 = (name: string): unknown => {
  if (name === 'sqlite3') throw new Error('Could not locate the bindings file. Tried:\n → build');
  return installed(name);
};

function recordingLog(): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = [];
  const keep = (fields: object, message: string) =>
    void lines.push(`${message} ${JSON.stringify(fields)}`);
  return { log: { debug: keep, info: keep, warn: keep, error: keep }, lines };
}

describe('openStorage', () => {
  test('uses sqlite3 where it can be loaded, without a log line', async () => {
    const { log, lines } = recordingLog();

    const { driver } = await openTestStorage({ log, url: await newDatabaseUrl('sqlite3') });

    expect([driver, lines]).toEqual(['sqlite3', []]);
  });

  test('uses better-sqlite3 where sqlite3 has no binary, and logs one line', async () => {
    const { log, lines } = recordingLog();

    const url = await newDatabaseUrl('sqlite3');

    const storage = await openTestStorage({ log, url, load: withoutSqlite3 });

    await storage.kv.set('p', { key: 'k', json: '1' }, 100);
    expect(storage.driver).toBe('better-sqlite3');
    expect(lines).toEqual([
      'The SQLite driver sqlite3 has no binary for this machine; better-sqlite3 is used instead. ' +
        '{"driver":"better-sqlite3","reason":"Could not locate the bindings file. Tried:"}',
    ]);
  });

  test('never replaces a driver that was asked for by name', async () => {
    const storage = openTestStorage({ driver: 'sqlite3', load: withoutSqlite3 });

    await expect(storage).rejects.toMatchObject({
      code: 'storage_failed',
      message: 'The SQLite driver sqlite3 cannot be loaded.',
    });
  });

  test('names the drivers that there are when it is asked for another', async () => {
    const storage = openTestStorage({ driver: 'oracle' as never });

    await expect(storage).rejects.toThrow('Known are sqlite3 and better-sqlite3.');
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
