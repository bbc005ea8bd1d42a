/**
 * What lists filter and sort by, as columns and rows with indexes, filled from what is stored. The
 * database counts the letters itself, so that no write of an item can forget them.
 */
import {
  byteOrdered,
  createTrigger,
  dialectOf,
  type Migration,
} from '../../../../../kernel/storage/index.ts';
import { fileFacts, languagesOf, metadataFacts, namedResolution } from '../item-facts.ts';
import type { FactFile, FileFacts, MetadataFacts } from '../item-facts.ts';
import { letterOf } from '../letter.ts';
import { chunks, parseMap } from '../rows.ts';

type Transaction = Parameters<Migration['up']>[0];

export const itemFactsMigration: Migration = {
  id: '0026-item-facts',
  up: async (trx) => {
    await createColumns(trx);
    await fill(trx);
    await createIndexes(trx);
    await countLetters(trx);
  },
};

async function createColumns(trx: Transaction): Promise<void> {
  await trx.schema.alterTable('items', (table) => {
    // The letter of the sort title: see `letter.ts`.
    table.text('letter').notNullable().defaultTo('#');
    // 0 to 10; -1 = unknown.
    table.specificType('rating', 'double precision').notNullable().defaultTo(-1);
    // As 20010131; 0 = unknown.
    table.integer('released_on').notNullable().defaultTo(0);
    // Seconds; for books pages. 0 = unknown.
    table.specificType('duration', 'double precision').notNullable().defaultTo(0);
    // `sd hd 4k`; null = unknown.
    table.text('resolution');
    table.boolean('hdr').notNullable().defaultTo(false);
  });
  await trx.schema.createTable('item_languages', (table) => {
    table.integer('item_no').notNullable();
    // `sound` or `text`.
    table.text('used').notNullable();
    byteOrdered(table, 'language').notNullable();
    table.unique(['item_no', 'used', 'language']);
    table.index(['used', 'language', 'item_no']);
  });
  await createTrigger(trx, {
    name: 'item_languages_go_with_items',
    on: 'after delete',
    table: 'items',
    does: { run: 'delete from item_languages where item_no = old.no' },
  });
}

interface StoredItem {
  readonly no: number;
  readonly sort_title: string;
  readonly metadata: string;
  readonly attachments: string | null;
}

type StoredFile = Omit<FactFile, 'info'> & {
  readonly item_no: number;
  readonly file_info: string | null;
};

type Facts = MetadataFacts & FileFacts & { readonly no: number; readonly letter: string };

const itemsAtOnce = 500;

async function fill(trx: Transaction): Promise<void> {
  for (let after = 0; ;) {
    const items = await trx<StoredItem>('items')
      .where('no', '>', after)
      .orderBy('no')
      .limit(itemsAtOnce)
      .select('no', 'sort_title', 'metadata', 'attachments');
    const last = items.at(-1);
    if (last === undefined) return;
    await fillSome(trx, items);
    after = last.no;
  }
}

async function fillSome(trx: Transaction, items: readonly StoredItem[]): Promise<void> {
  const files = await trx<StoredFile>('files')
    .whereIn(
      'item_no',
      items.map(({ no }) => no),
    )
    .where('type', 'media')
    .whereNot('status', 'missing')
    .orderByRaw("item_no, coalesce(edition, ''), coalesce(part_number, 0), uri")
    .select('item_no', 'uri', 'classification', 'edition', 'part_number', 'duration', 'file_info');
  const read = files.map((file) => ({ ...file, info: parseMap(file.file_info) }));
  const filesOf = Map.groupBy(read, ({ item_no: no }) => no);
  const rows = items.map((item): Facts => {
    const metadata = parseMap(item.metadata);
    const facts = fileFacts(filesOf.get(item.no) ?? []);
    return {
      no: item.no,
      letter: letterOf(item.sort_title),
      ...metadataFacts(metadata),
      ...facts,
      resolution: facts.resolution ?? namedResolution(metadata),
    };
  });
  await update(trx, rows);
  const languages = items.flatMap(({ no, metadata, attachments }) =>
    languagesOf(filesOf.get(no) ?? [], { metadata: parseMap(metadata), attachments }).map(
      (one) => ({ item_no: no, ...one }),
    ),
  );
  for (const some of chunks(languages, 200)) await trx('item_languages').insert(some);
}

/** All rows in one statement, from one JSON text. */
async function update(trx: Transaction, rows: readonly Facts[]): Promise<void> {
  const values = rows.map((row) => ({ ...row, hdr: Number(row.hdr) }));
  const made =
    dialectOf(trx) === 'sqlite'
      ? `(select value ->> 'no' as no, value ->> 'letter' as letter, value ->> 'rating' as rating,
          value ->> 'released_on' as released_on, value ->> 'duration' as duration,
          value ->> 'resolution' as resolution, value ->> 'hdr' as hdr from json_each(?))`
      : 'json_populate_recordset(null::items, ?::json)';
  await trx.raw(
    `update items set letter = made.letter, rating = made.rating, released_on = made.released_on,
       duration = made.duration, resolution = made.resolution, hdr = made.hdr
     from ${made} as made where items.no = made.no`,
    [JSON.stringify(values)],
  );
}

async function createIndexes(trx: Transaction): Promise<void> {
  for (const [name, column] of [
    ['items_by_release', 'released_on'],
    ['items_by_score', 'rating'],
    ['items_by_duration', 'duration'],
  ])
    await trx.raw(
      `create index ${name} on items (library_no, ${column}, no, certification)
       where status = 'active'`,
    );
  await trx.raw(
    `create index items_by_resolution on items (resolution, library_no, no)
     where status = 'active' and resolution is not null`,
  );
  await trx.raw(
    `create index items_in_hdr on items (library_no, no) where status = 'active' and hdr = 1`,
  );
}

/** How many active items of each library and certification a letter has; no certification is ''. */
async function countLetters(trx: Transaction): Promise<void> {
  await trx.schema.createTable('letter_counts', (table) => {
    table.integer('library_no').notNullable();
    table.text('letter').notNullable();
    table.text('certification').notNullable();
    table.integer('items').notNullable();
    table.primary(['library_no', 'letter', 'certification']);
  });
  await trx.raw(
    `insert into letter_counts (library_no, letter, certification, items)
     select library_no, letter, coalesce(certification, ''), count(*) from items
     where status = 'active' group by 1, 2, 3`,
  );
  if (dialectOf(trx) === 'sqlite') await countEachRow(trx);
  else await countEachStatement(trx);
}

const key = (row: string): string =>
  `${row}.library_no, ${row}.letter, coalesce(${row}.certification, '')`;

async function countEachRow(trx: Transaction): Promise<void> {
  const count = (row: string, by: number): string =>
    `insert into letter_counts (library_no, letter, certification, items)
     values (${key(row)}, ${by})
     on conflict (library_no, letter, certification) do update set items = items + ${by}`;
  const triggers = [
    ['added', 'insert', "new.status = 'active'", count('new', 1)],
    ['removed', 'delete', "old.status = 'active'", count('old', -1)],
    ['left', 'update', `old.status = 'active' and ${isOther}`, count('old', -1)],
    ['came', 'update', `new.status = 'active' and ${isOther}`, count('new', 1)],
  ] as const;
  for (const [name, on, when, run] of triggers)
    await createTrigger(trx, {
      name: `letters_of_${name}_items`,
      table: 'items',
      on: `after ${on}`,
      when,
      does: { run },
    });
}

const isOther = `(old.status <> new.status or old.letter <> new.letter
  or coalesce(old.certification, '') <> coalesce(new.certification, ''))`;

/**
 * One statement changes many rows of one letter, and PostgreSQL keeps a version of a count for each
 * change: so it counts once for all of them. The order of the counts is always the same, so that two
 * transactions cannot wait for each other.
 */
async function countEachStatement(trx: Transaction): Promise<void> {
  const rowsOf = (rows: string, by: number): string =>
    `select library_no, letter, coalesce(certification, '') as certification, ${by} as items
     from ${rows} where status = 'active'`;
  const triggers = [
    ['insert', 'new table as after_rows', rowsOf('after_rows', 1)],
    ['delete', 'old table as before_rows', rowsOf('before_rows', -1)],
    [
      'update',
      'old table as before_rows new table as after_rows',
      `${rowsOf('before_rows', -1)} union all ${rowsOf('after_rows', 1)}`,
    ],
  ] as const;
  for (const [on, tables, changes] of triggers) {
    const name = `letters_after_${on}`;
    await trx.raw(`create function ${name}() returns trigger language plpgsql as $body$ begin
      insert into letter_counts (library_no, letter, certification, items)
      select library_no, letter, certification, sum(changes.items) from (${changes}) as changes
      group by 1, 2, 3 having sum(changes.items) <> 0 order by 1, 2, 3
      on conflict (library_no, letter, certification)
      do update set items = letter_counts.items + excluded.items;
      return null;
    end $body$`);
    await trx.raw(`create trigger ${name} after ${on} on items referencing ${tables}
      for each statement execute function ${name}()`);
  }
}
