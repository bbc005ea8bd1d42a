/** All drivers behave alike: the statements of the server run over each. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testByNight } from '../../../test/support/run/test-by-night.ts';
import { sqliteDrivers, temporaryFolder } from '../../../test/support/storage/storage.ts';
import type { SqliteConnection, SqliteValue } from './driver.ts';
import { loadSqliteDriver } from './load-driver.ts';

describe.each(sqliteDrivers)('a connection of %s', (name) => {
  const driver = loadSqliteDriver({ name });

  async function open(file: string, readOnly = false): Promise<SqliteConnection> {
    const connection = await driver.open(file, { readOnly });
    onTestFinished(() => connection.close());
    return connection;
  }

  async function openBooks(): Promise<{ readonly db: SqliteConnection; readonly file: string }> {
    const file = path.join(temporaryFolder(), 'books.db');
    const db = await open(file);
    await db.run('pragma journal_mode = wal', [], 'rows');
    await db.run('create table books (id integer primary key, title text unique)', [], 'changes');
    return { db, file };
  }

  const rows = async (
    db: SqliteConnection,
    sql: string,
    bindings: readonly SqliteValue[] = [],
  ): Promise<readonly unknown[]> => (await db.run(sql, bindings, 'rows')).rows;

  test('binds whole numbers as integers, and others as floats', async () => {
    const { db } = await openBooks();

    const found = await rows(db, 'select json_array(?, ?, ?) as list', [1, -7, 0.5]);

    expect(found).toEqual([{ list: '[1,-7,0.5]' }]);
  });

  test('stores a number in a text column as JavaScript writes it', async () => {
    const { db } = await openBooks();
    await db.run('insert into books (title) values (?)', [1984], 'changes');

    expect(await rows(db, 'select title from books')).toEqual([{ title: '1984' }]);
  });

  test('reads integers beyond 2^53 as the nearest number, in every kind of statement', async () => {
    const { db } = await openBooks();
    const large = '(1152921504606846977, 2.5)';

    const told = await db.run(
      `insert into books (id, title) values ${large} returning id`,
      [],
      'rows',
    );
    const read = await rows(db, 'select id, title, 1.5 as half from books');

    expect(told.rows).toEqual([{ id: 2 ** 60 }]);
    expect(read).toEqual([{ id: 2 ** 60, title: '2.5', half: 1.5 }]);
    expect(await rows(db, 'select count(*) as books from books')).toEqual([{ books: 1 }]);
  });

  test('returns bytes as buffers, empty, small and large, and leaves those that were bound', async () => {
    const { db } = await openBooks();
    const large = Buffer.alloc(3_000_000, 7);
    const [small, empty] = [Buffer.from('bytes'), Buffer.alloc(0)];

    const found = await rows(db, 'select ? as large, ? as small, ? as empty', [
      large,
      small,
      empty,
    ]);

    expect(found).toEqual([{ large: Buffer.alloc(3_000_000, 7), small, empty }]);
    expect(Buffer.isBuffer((found[0] as { readonly small: unknown }).small)).toBe(true);
    expect([large.length, small.toString()]).toEqual([3_000_000, 'bytes']);
  });

  test('counts the changes of a statement without rows, and names the last row', async () => {
    const { db } = await openBooks();

    const inserted = await db.run("insert into books values (7, 'a'), (9, 'b')", [], 'changes');
    const deleted = await db.run('delete from books', [], 'changes');

    expect(inserted).toEqual({ rows: [], changes: 2, lastRowId: 9 });
    expect(deleted).toMatchObject({ rows: [], changes: 2 });
  });

  test('sees the columns of a table that another connection changed', async () => {
    const { db, file } = await openBooks();
    await db.run("insert into books values (1, 'a')", [], 'changes');
    const reader = await open(file, true);
    await rows(reader, 'select * from books');

    await db.run('alter table books add column pages integer default 3', [], 'changes');
    const wider = await rows(reader, 'select * from books');
    await db.run('alter table books rename column title to name', [], 'changes');

    expect(wider).toEqual([{ id: 1, title: 'a', pages: 3 }]);
    expect(await rows(reader, 'select * from books')).toEqual([{ id: 1, name: 'a', pages: 3 }]);
  });

  test.each<[string, string, readonly SqliteValue[], RegExp]>([
    ['a violated rule', 'insert into books values (1, null), (1, null)', [], /^SQLITE_CONSTRAINT/],
    ['a wrong statement', 'select nothing from nowhere', [], /^SQLITE_ERROR/],
    ['too many values', 'select ?', [1, 2], /^SQLITE_RANGE/],
  ])('fails with the code of SQLite for %s, and goes on', async (_, sql, bindings, code) => {
    const { db } = await openBooks();

    const failure = db.run(sql, bindings, 'rows');

    await expect(failure).rejects.toMatchObject({ code: expect.stringMatching(code) });
    expect(await rows(db, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('fails with the codes of a lock, of a reader that writes, and of a folder', async () => {
    const { db, file } = await openBooks();
    const [other, reader] = [await open(file), await open(file, true)];
    await db.run('begin immediate', [], 'changes');
    const folder = path.join(temporaryFolder(), 'folder.db');
    mkdirSync(folder);

    const failures = await Promise.allSettled([
      other.run('begin immediate', [], 'changes'),
      reader.run('delete from books', [], 'changes'),
      driver.open(folder, { readOnly: false }).then(async (connection) => {
        onTestFinished(() => connection.close());
        await connection.run('select 1 from sqlite_master', [], 'rows');
      }),
    ]);

    expect(failures).toMatchObject([
      { reason: { code: 'SQLITE_BUSY' } },
      { reason: { code: 'SQLITE_READONLY' } },
      { reason: { code: 'SQLITE_CANTOPEN' } },
    ]);
  });

  test('fails with the code of a full disk', async () => {
    const { db } = await openBooks();
    await db.run('pragma max_page_count = 4', [], 'rows');

    const insert = db.run('insert into books (title) values (?)', ['x'.repeat(50_000)], 'changes');

    await expect(insert).rejects.toMatchObject({ code: 'SQLITE_FULL' });
  });

  test('has the full text search, JSON and mathematics that the server uses', async () => {
    const { db } = await openBooks();
    await db.run(
      `create virtual table words using fts5 (title, prefix = '2 3',
        tokenize = 'unicode61 remove_diacritics 2')`,
      [],
      'changes',
    );
    await db.run('insert into words values (?)', ['Amélie'], 'changes');

    const found = await rows(
      db,
      `select title, rank < 0 as ranked, pow(2, 3) as cube,
        (select group_concat(value) from json_each('["a","b"]')) as list
       from words where words match ?`,
      ['amel*'],
    );

    expect(found).toEqual([{ title: 'Amélie', ranked: 1, cube: 8, list: 'a,b' }]);
  });

  testByNight('does not hold up the event loop while a statement runs', async () => {
    const { db } = await openBooks();
    const endless = `with recursive n(i) as (select 1 union all select i + 1 from n limit 3000000)
      select count(*) as n from n`;
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);

    const counted = await rows(db, endless);
    clearInterval(timer);

    expect(counted).toEqual([{ n: 3_000_000 }]);
    expect(turns).toBeGreaterThan(10);
  });

  test('finishes what was sent before it is closed, and refuses what comes later', async () => {
    const file = path.join(temporaryFolder(), 'books.db');
    const db = await driver.open(file, { readOnly: false });
    await db.run('create table books (id integer primary key)', [], 'changes');
    const sent = db.run('insert into books values (1) returning id', [], 'rows');

    const inserted = await sent;
    await db.close();

    expect(inserted.rows).toEqual([{ id: 1 }]);
    await expect(db.run('select 1', [], 'rows')).rejects.toThrow();
  });
});
