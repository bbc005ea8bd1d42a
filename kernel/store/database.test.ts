import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { startCompanion } from '../../test/support/run/companion.ts';
import {
  describeEachDriver,
  newDatabaseUrl,
  openTestStorage,
  sqliteDrivers,
  temporaryFolder,
  type TestDriver,
} from '../../test/support/storage/storage.ts';
import { isUniqueViolation } from './index.ts';
import type { MigrationSet } from './index.ts';

const shelf: MigrationSet = {
  name: 'shelf',
  migrations: [
    {
      id: '001-books',
      kind: 'expand',
      up: async (trx) => {
        await trx.schema.createTable('books', (table) => {
          table.text('id').primary();
          table.text('title').unique();
          table.double('pages').defaultTo(0);
          table.binary('cover');
        });
        await trx.raw(
          'create table reviews (book text references books (id) deferrable initially deferred)',
        );
      },
    },
  ],
};

const open = (driver: TestDriver, options: object = {}) =>
  openTestStorage({ driver, migrations: [shelf], ...options });

/** A promise with its resolve function. */
function gate(): { readonly passed: Promise<null>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<null>();
  return { passed: promise, open: () => resolve(null) };
}

/** Another program that holds the write lock until it is released. */
async function holdLock(file: string): Promise<{ readonly release: () => void }> {
  const companion = startCompanion(`
    import { DatabaseSync } from 'node:sqlite';
    const database = new DatabaseSync(${JSON.stringify(file)});
    database.exec('BEGIN IMMEDIATE');
    console.log('locked');
    process.stdin.once('data', () => { database.exec('COMMIT'); database.close(); process.exit(); });
  `);
  await companion.says('locked');
  return { release: () => companion.tell('let go') };
}

describeEachDriver('the database over %s', (driver) => {
  test('shows readers what is committed, and never makes them wait for a writer', async () => {
    const { database } = await open(driver);
    const [inside, finish] = [gate(), gate()];
    const write = database.write(async (trx) => {
      await trx('books').insert({ id: 'a', title: 'Amulet' });
      inside.open();
      await finish.passed;
    });
    await inside.passed;

    const during = await database.read('books').count('* as books').first();
    finish.open();
    await write;
    const after = await database.read('books').count('* as books').first();

    expect([during, after]).toEqual([{ books: 0 }, { books: 1 }]);
  });

  test('runs writes one at a time, in the order in which they came', async () => {
    const { database } = await open(driver);
    const steps: string[] = [];

    await Promise.all(
      ['a', 'b', 'c'].map((id) =>
        database.write(async (trx) => {
          steps.push(`${id} begins`);
          await trx('books').insert({ id, title: id });
          steps.push(`${id} ends`);
        }),
      ),
    );

    expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  test('rolls back a write that throws, and rejects with its own error', async () => {
    const { database } = await open(driver);
    const own = new Error('changed my mind');

    const write = database.write(async (trx) => {
      await trx('books').insert({ id: 'a', title: 'Amulet' });
      throw own;
    });

    await expect(write).rejects.toBe(own);
    expect(await database.read('books')).toEqual([]);
  });

  test('counts a write after `committed` has its result, and before its caller learns of it', async () => {
    const { database } = await open(driver);
    const isKnown = driver !== 'pg';
    const before = database.writes();
    const seen: unknown[] = [];

    await database.write(
      async (trx) => {
        await trx('books').insert({ id: 'a', title: 'Amulet' });
        seen.push(database.writes());
        return 'a book';
      },
      (value) => void seen.push(value, database.writes()),
    );

    expect(seen).toEqual([before, 'a book', before]);
    expect(database.writes()).toBe(isKnown ? Number(before) + 1 : null);
  });

  test('reports no result of a write that fails', async () => {
    const { database } = await open(driver);
    const told: unknown[] = [];

    const failed = database.write(
      () => Promise.reject(new Error('No.')),
      (value) => void told.push(value),
    );

    await expect(failed).rejects.toThrow('No.');
    expect(told).toEqual([]);
  });

  test('goes on after a commit that the database refuses', async () => {
    const { database } = await open(driver);

    const orphan = database.write((trx) => trx('reviews').insert({ book: 'nowhere' }));

    await expect(orphan).rejects.toMatchObject({
      code: expect.stringMatching(/^(SQLITE_CONSTRAINT|23503$)/),
    });
    await database.write((trx) => trx('books').insert({ id: 'a', title: 'Amulet' }));
    expect(await database.read('books').pluck('id')).toEqual(['a']);
    expect(await database.read('reviews')).toEqual([]);
  });

  test('refuses to write through the readers', async () => {
    const { database } = await open(driver);

    const write = database.read('books').insert({ id: 'a', title: 'Amulet' });

    await expect(write).rejects.toMatchObject({
      code: expect.stringMatching(/^(SQLITE_READONLY|storage_read_only)$/),
    });
  });

  test('never puts a bound value into an error', async () => {
    const { database } = await open(driver);
    const secret = 'correct horse battery staple';
    const insert = () =>
      database.write((trx) => trx('books').insert({ id: secret, title: secret }));
    await insert();

    const error: unknown = await insert().catch((cause: unknown) => cause);

    expect(isUniqueViolation(error)).toBe(true);
    const told = [String(error), inspect(error, { depth: 9 }), JSON.stringify(error)];
    expect(told.join()).not.toContain(secret);
  });

  test('refuses to bind an object, which would be stored as [object Object]', async () => {
    const { database } = await open(driver);

    const write = database.write((trx) =>
      trx.raw('insert into books (id) values (?)', [{ a: 1 } as never]),
    );

    await expect(write).rejects.toThrow('A object cannot be bound');
  });

  test('returns text, numbers, bytes, booleans, moments and null as they were stored', async () => {
    const { database } = await open(driver);
    const cover = new Uint8Array([0, 255, 7]);
    const rows = [
      { id: 'ünï\u{1f3ac}', title: null, pages: 9_007_199_254_740_991, cover },
      { id: new Date(0).toISOString(), title: new Date(0), pages: true, cover: undefined },
    ];

    await database.write((trx) => database.insertRows(trx, 'books', rows));

    const stored = await database.read('books').orderBy('pages');
    expect(stored).toEqual([
      { id: '1970-01-01T00:00:00.000Z', title: '1970-01-01T00:00:00.000Z', pages: 1, cover: null },
      { id: 'ünï\u{1f3ac}', title: null, pages: 9_007_199_254_740_991, cover: Buffer.from(cover) },
    ]);
  });

  test.each<[string, readonly string[]]>([
    ['odd', ['a\0b', 'c\ud800d', '\u2028"\\', 'ünï\u{1f3ac}', '', '1', 'null']],
    ['short', ['', '1', 'null', '[]', '"', '\u2028', 'ü']],
    ['long', Array.from({ length: 7 }, (_, at) => 'ünï\u{1f3ac}"'.repeat(500 + at))],
  ])('stores one row and many rows alike, when their text is %s', async (_, texts) => {
    const { database } = await open(driver);
    const rows = texts.map((text, index) => ({ id: `r${index}`, title: text, pages: index / 10 }));
    await database.write((trx) => database.insertRows(trx, 'books', rows));
    const many = await database.read('books').orderBy('id');
    await database.write(async (trx) => {
      await trx('books').delete();
      for (const row of rows) await trx('books').insert(row);
    });

    const one = await database.read('books').orderBy('id');

    expect(many).toEqual(one);
    expect(one.map(({ pages }) => pages)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
  });

  test('inserts thousands of rows, and can add to, replace or keep those that are there', async () => {
    const { database } = await open(driver);
    const books = (pages: number) =>
      Array.from({ length: 1234 }, (_, index) => ({ id: `b${index}`, title: `t${index}`, pages }));
    const columns = ['id'] as const;

    await database.write(async (trx) => {
      await database.insertRows(trx, 'books', books(1));
      await database.insertRows(trx, 'books', books(10), { columns, update: [], add: ['pages'] });
      await database.insertRows(trx, 'books', books(5).slice(0, 3), { columns, update: ['pages'] });
      await database.insertRows(trx, 'books', books(7), { columns, update: [] });
    });

    const pages = await database.read('books').select('pages').count('* as books').groupBy('pages');
    expect(pages).toEqual([
      { pages: 5, books: 3 },
      { pages: 11, books: 1231 },
    ]);
  });

  test('lets timers run between many statements', async () => {
    const { database } = await open(driver);
    const timer = gate();
    let hadTurn = false;
    setTimeout(() => {
      hadTurn = true;
      timer.open();
    }, 0);

    for (let reads = 0; reads < 100_000 && !hadTurn; reads += 1) {
      await database.read('books').first();
    }

    expect(hadTurn).toBe(true);
    await timer.passed;
  });

  test('finishes the queued writes when it is closed, and refuses later ones', async () => {
    const url = await newDatabaseUrl(driver);
    const first = await open(driver, { url });
    const queued = first.database.write((trx) => trx('books').insert({ id: 'a', title: 'Amulet' }));

    await first.close();
    await first.close();

    await expect(queued).resolves.toBeDefined();
    await expect(first.database.write(async () => undefined)).rejects.toMatchObject({
      code: 'storage_failed',
    });
    const second = await open(driver, { url });
    expect(await second.database.read('books').pluck('id')).toEqual(['a']);
  });
});

describe.each(sqliteDrivers)('the database file over %s', (driver) => {
  test('waits for another program that holds the lock, while readers go on', async () => {
    const file = path.join(temporaryFolder(), 'test.db');
    const { database, ping } = await open(driver, { url: `sqlite:${file}` });
    const lock = await holdLock(file);

    const write = database.write((trx) => trx('books').insert({ id: 'a', title: 'Amulet' }));
    await ping();
    lock.release();
    await write;

    expect(await database.read('books').pluck('id')).toEqual(['a']);
  });

  test('fails a write as storage_busy when the lock is not released, and then continues', async () => {
    const file = path.join(temporaryFolder(), 'test.db');
    const { database } = await open(driver, { url: `sqlite:${file}`, patienceMs: 100 });
    const lock = await holdLock(file);
    let runs = 0;
    const insert = () =>
      database.write(async (trx) => {
        runs += 1;
        await trx('books').insert({ id: 'a', title: 'Amulet' });
      });

    await expect(insert()).rejects.toMatchObject({ code: 'storage_busy' });
    lock.release();
    await expect
      .poll(() =>
        insert().then(
          () => 'written',
          () => 'locked',
        ),
      )
      .toBe('written');

    expect(runs).toBe(1);
  });

  test('is consistent after a kill -9 in the middle of a transaction', async () => {
    const file = path.join(temporaryFolder(), 'test.db');
    const door = pathToFileURL(path.resolve('kernel/store/index.ts')).href;
    const writer = startCompanion(`
      import { openStorage } from ${JSON.stringify(door)};
      const quiet = () => undefined;
      const { database, textIndex } = await openStorage({
        url: ${JSON.stringify(`sqlite:${file}`)},
        driver: ${JSON.stringify(driver)},
        migrations: [],
        log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      });
      const document = (id) => ({ id, scope: 's', kind: 'item', title: 'Title ' + id, body: '' });
      const batch = (from) => Array.from({ length: 500 }, (_, index) => document('d' + (from + index)));
      await textIndex.put('p', batch(0));
      await database.write(async (trx) => {
        for (let round = 0; round < 50; round += 1) {
          const rows = batch(1000 * round).map(({ id }) => ({ plugin_id: id, used_bytes: round }));
          await database.insertRows(trx, 'kv_usage', rows, { columns: ['plugin_id'], update: [] });
          await trx.raw("insert into text_index_1_words (rowid, title) values (?, 'lost')", [round + 1]);
        }
        console.log('inside');
        await new Promise(() => setInterval(quiet, 1000));
      });
    `);
    await writer.says('inside');
    await writer.kill();

    const { database, textIndex } = await openTestStorage({ url: `sqlite:${file}`, driver });

    expect(await database.read.raw('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(await database.read('kv_usage')).toEqual([]);
    expect(await textIndex.query('p', { terms: [{ text: 'title' }], limit: 1 })).toMatchObject({
      total: 500,
    });
    expect(await textIndex.query('p', { terms: [{ text: 'lost' }], limit: 1 })).toMatchObject({
      total: 0,
    });
  });

  test('is durable, checks foreign keys, and maps no memory', async () => {
    const { database } = await open(driver);
    const settings = ['journal_mode', 'foreign_keys', 'mmap_size', 'temp_store'];

    const read = (knex: typeof database.read) =>
      Promise.all(settings.map(async (name) => knex.raw<object[]>(`pragma ${name}`)));
    const [byReader, byWriter] = [await read(database.read), await database.write(read)];

    const expected = [
      [{ journal_mode: 'wal' }],
      [{ foreign_keys: 1 }],
      [{ mmap_size: 0 }],
      [{ temp_store: 2 }],
    ];
    expect([byReader, byWriter]).toEqual([expected, expected]);
    expect(await database.write((trx) => trx.raw('pragma synchronous'))).toEqual([
      { synchronous: 1 },
    ]);
  });
});
