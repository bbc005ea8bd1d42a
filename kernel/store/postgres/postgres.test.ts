import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { startCompanion } from '../../../test/support/run/companion.ts';
import { administer, hasPostgres } from '../../../test/support/storage/postgres.ts';
import { newDatabaseUrl, openTestStorage } from '../../../test/support/storage/storage.ts';
import type { MigrationSet, Storage } from '../index.ts';

const shelf: MigrationSet = {
  name: 'shelf',
  migrations: [
    {
      id: '001-books',
      kind: 'expand',
      up: async (trx) => {
        await trx.schema.createTable('books', (table) => {
          table.string('id').primary();
          table.integer('pages');
          table.boolean('is_lent').defaultTo(false);
        });
      },
    },
  ],
};

const open = (url: string, options: object = {}): Promise<Storage> =>
  openTestStorage({ url, migrations: [shelf], ...options });

const nameIn = (url: string): string => new URL(url.replace('@/', '@host/')).pathname.slice(1);

/** Ends all connections, as a restart of the server does. */
const cutAll = (url: string): Promise<void> =>
  administer(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = '${nameIn(url)}' and pid <> pg_backend_pid()`);

const add = (id: string) => (trx: Parameters<Parameters<Storage['database']['write']>[0]>[0]) =>
  trx('books').insert({ id });

const idsOf = ({ database }: Storage): Promise<readonly string[]> =>
  database.read('books').orderBy('id').pluck('id');

/** A promise with its resolve function. */
function gate(): { readonly passed: Promise<null>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<null>();
  return { passed: promise, open: () => resolve(null) };
}

describe.skipIf(!hasPostgres())('storage over PostgreSQL', () => {
  test('reads numbers, sums, truth and JSON as SQLite does', async () => {
    const { database } = await open(await newDatabaseUrl('pg'));
    await database.write(async (trx) => {
      await trx('books').insert({ id: 'a', pages: Number.MAX_SAFE_INTEGER, is_lent: true });
      await trx('books').insert({ id: 'b', pages: 1 });
    });

    const [sums] = await database.read.raw<readonly object[]>(
      `select sum(pages) as sum, count(*) as count, 1 < 2 as truth, json_build_array(1, 'a') as list
       from books where id < ?`,
      ['b'],
    );

    expect(sums).toEqual({ sum: Number.MAX_SAFE_INTEGER, count: 1, truth: 1, list: '[1, "a"]' });
    expect(await database.read('books').where({ is_lent: true }).pluck('id')).toEqual(['a']);
    expect(await database.read('books').where({ is_lent: 0 }).first()).toEqual({
      id: 'b',
      pages: 1,
      is_lent: 0,
    });
  });

  test('has one writer among several processes, and the next sees what the one before wrote', async () => {
    const url = await newDatabaseUrl('pg');
    const [first, second] = await Promise.all([open(url), open(url)]);
    await first.database.write((trx) => trx('books').insert({ id: 'a', pages: 0 }));
    const addOne = ({ database }: Storage) =>
      database.write(async (trx) => {
        const row = await trx('books').where({ id: 'a' }).first<{ pages: number }>('pages');
        await trx('books').update({ pages: row.pages + 1 });
      });

    await Promise.all(
      Array.from({ length: 30 }, (_, index) => addOne(index % 2 === 0 ? first : second)),
    );

    expect(await first.database.read('books').pluck('pages')).toEqual([30]);
  });

  test('fails a write as storage_busy when another process never ends its own', async () => {
    const url = await newDatabaseUrl('pg');
    const [first, second] = [await open(url), await open(url, { patienceMs: 100 })];
    const [inside, finish] = [gate(), gate()];
    const long = first.database.write(async (trx) => {
      inside.open();
      await finish.passed;
      await add('long')(trx);
    });
    await inside.passed;

    const error: unknown = await second.database.write(add('b')).catch((cause: unknown) => cause);
    finish.open();
    await long;
    await second.database.write(add('c'));

    expect(error).toMatchObject({
      code: 'storage_busy',
      message: 'Another program has held the lock of the database for 0 s.',
    });
    expect(await idsOf(second)).toEqual(['c', 'long']);
  });

  test('refuses a write in which a failed statement was ignored, since PostgreSQL rolls it back', async () => {
    const storage = await open(await newDatabaseUrl('pg'));

    const write = storage.database.write(async (trx) => {
      await add('a')(trx);
      await add('a')(trx).catch(() => undefined);
    });

    await expect(write).rejects.toThrow('all of it was rolled back');
    expect(await idsOf(storage)).toEqual([]);
  });

  test('connects again after the server has cut all connections', async () => {
    const url = await newDatabaseUrl('pg');
    const storage = await open(url);
    await storage.database.write(add('a'));
    await cutAll(url);

    await storage.database.write(add('b'));

    await expect.poll(() => idsOf(storage).catch(String)).toEqual(['a', 'b']);
  });

  test('reports a lost connection without the text of the statement', async () => {
    const storage = await open(await newDatabaseUrl('pg'));

    const read = storage.database.read.raw(
      'select pg_terminate_backend(pg_backend_pid()), ? as secret',
      ['hunter2'],
    );

    await expect(read).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringMatching(/^PostgreSQL cannot be reached \([^)]*\)\.$/),
    });
  });

  test.each([
    ['53100', 'storage_full'],
    ['25006', 'storage_read_only'],
    ['XX001', 'storage_damaged'],
    ['58030', 'storage_failed'],
  ])('tells of the failure %s of the server itself as SQLite does: %s', async (sqlState, code) => {
    const storage = await open(await newDatabaseUrl('pg'));

    const write = storage.database.write((trx) =>
      trx.raw(`do $$ begin raise exception using errcode = '${sqlState}'; end $$`),
    );

    await expect(write).rejects.toMatchObject({ code });
    await storage.database.write(add('a'));
  });

  test('runs a write again whose connection was cut before it ended', async () => {
    const url = await newDatabaseUrl('pg');
    const storage = await open(url);
    let runs = 0;

    await storage.database.write(async (trx) => {
      runs += 1;
      await add('a')(trx);
      if (runs === 1) await cutAll(url);
      await add('b')(trx);
    });

    expect([runs, await idsOf(storage)]).toEqual([2, ['a', 'b']]);
  });

  test('reports when it is unknown whether a change was stored, and does not try it again', async () => {
    const storage = await open(await newDatabaseUrl('pg'));
    let runs = 0;
    await storage.database.write(async (trx) => {
      await trx.raw(`create function leave() returns trigger language plpgsql as
        $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`);
      await trx.raw(`create constraint trigger leaves after insert on books
        deferrable initially deferred for each row execute function leave()`);
    });

    const write = storage.database.write(async (trx) => {
      runs += 1;
      await add('a')(trx);
    });

    await expect(write).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringMatching(/^The connection .* The change may be stored or not\.$/),
    });
    expect(runs).toBe(1);
  });

  test('leaves nothing of a transaction whose process was killed, and does not wait for it', async () => {
    const url = await newDatabaseUrl('pg');
    const storage = await open(url);
    const door = pathToFileURL(path.resolve('kernel/store/index.ts')).href;
    const writer = startCompanion(`
      import { openStorage } from ${JSON.stringify(door)};
      const quiet = () => undefined;
      const { database } = await openStorage({
        url: ${JSON.stringify(url)},
        migrations: [],
        isMigrating: false,
        log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      });
      await database.write(async (trx) => {
        await trx('books').insert({ id: 'lost' });
        console.log('inside');
        await new Promise(() => setInterval(quiet, 1000));
      });
    `);
    await writer.says('inside');
    await writer.kill();

    await storage.database.write(add('kept'));

    expect(await idsOf(storage)).toEqual(['kept']);
  });

  test('migrates once when several processes start at the same time', async () => {
    const url = await newDatabaseUrl('pg');

    const storages = await Promise.all([open(url), open(url), open(url)]);

    for (const storage of storages) expect(await idsOf(storage)).toEqual([]);
  });

  test.each([
    ['a server that is not there', 'postgres://vitrine:hunter2@127.0.0.1:1/x', /be reached \(ECON/],
    [
      'a socket that is not there',
      'postgres://vitrine:hunter2@/x?host=/nowhere',
      /be reached \(EN/,
    ],
  ])('names %s, and repeats no password', async (_, url, why) => {
    const error: unknown = await open(url, { patienceMs: 20 }).catch((cause: unknown) => cause);

    expect(error).toMatchObject({ code: 'storage_failed', message: expect.stringMatching(why) });
    expect(String(error)).toContain('Check the host and the port');
    expect(String(error)).not.toContain('hunter2');
  });

  test('names a database, a user and rights that are missing, and an unsuitable encoding', async () => {
    const url = await newDatabaseUrl('pg');
    const name = nameIn(url);
    await administer(`create role ${name} login`);
    await administer(`create database ${name}_ascii encoding 'SQL_ASCII' locale_provider libc
      locale 'C' template template0`);
    const why = (wrong: string) => open(wrong).catch((cause: unknown) => (cause as Error).message);

    const told = [
      await why(url.replace(name, 'nowhere')),
      await why(url.replace('vitrine@', 'nobody@')),
      await why(url.replace('vitrine@', `${name}@`)),
      await why(url.replace(name, `${name}_ascii`)),
    ];
    await administer(`drop database ${name}_ascii`);

    expect(told).toEqual([
      expect.stringContaining('does not have the database'),
      expect.stringContaining('refuses the user'),
      expect.stringContaining('may not create tables'),
      expect.stringContaining("Create it with encoding 'UTF8'"),
    ]);
  });
});
