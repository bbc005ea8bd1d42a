import { byteOrdered, createTrigger, type Transaction } from '../../../../../kernel/store/index.ts';

/** Items, with what lists filter and sort by as columns and rows with indexes. */
export async function createItems(trx: Transaction): Promise<void> {
  await createItemTable(trx);
  await indexItems(trx);
  await trx.schema.createTable('removed_items', (table) => {
    table.text('item_id').primary();
    table.bigInteger('seq').notNullable().index();
    // Unix milliseconds; null until the upkeep has seen it.
    table.bigInteger('removed_at').index();
  });
  await createLanguages(trx);
  await createTexts(trx);
  await createAnswers(trx);
}

async function createItemTable(trx: Transaction): Promise<void> {
  await trx.schema.createTable('items', (table) => {
    table.integer('no').primary();
    table.text('id').notNullable().unique();
    table.integer('library_no').notNullable();
    byteOrdered(table, 'group_key').notNullable();
    table.text('title').notNullable();
    byteOrdered(table, 'sort_title').notNullable();
    // 0 = unknown: null sorts differently in each database, and cannot be a cursor.
    table.integer('year').notNullable();
    table.text('certification');
    table.text('metadata').notNullable();
    // A person's edits, by key; a scan never overrides them.
    table.text('edits');
    table.text('assets');
    table.text('asset_aspects');
    table.text('attachments');
    table.text('provenance');
    table.text('status').notNullable();
    // Whether a primary file named it; else the next primary file does.
    table.boolean('is_named').notNullable();
    table.bigInteger('seq').notNullable();
    table.bigInteger('added_at').notNullable();
    table.bigInteger('updated_at').notNullable();
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
    table.unique(['library_no', 'group_key']);
    table.index(['seq']);
  });
}

/**
 * Walks along an order skip items that are hidden by their rating without reading them, since the
 * certification is in the index. Where few items are visible, they are read from an index of rated items,
 * which also counts the items of each certification.
 */
async function indexItems(trx: Transaction): Promise<void> {
  // Counts the items of an entity without reading the items.
  await trx.raw(`create index items_absent on items (no) where status <> 'active'`);
  const walked = async (name: string, column: string): Promise<void> => {
    await trx.raw(
      `create index items_by_${name} on items (library_no, ${column}, no, certification)
       where status = 'active'`,
    );
  };
  await walked('title', 'sort_title');
  await walked('age', 'added_at');
  await walked('year', 'year');
  await trx.raw(
    `create index items_by_rating on items (library_no, certification, sort_title, added_at, year, no)
     where status = 'active' and certification is not null`,
  );
  await walked('release', 'released_on');
  await walked('score', 'rating');
  await walked('duration', 'duration');
  await trx.raw(
    `create index items_by_resolution on items (resolution, library_no, no)
     where status = 'active' and resolution is not null`,
  );
  await trx.raw(
    `create index items_in_hdr on items (library_no, no) where status = 'active' and hdr = 1`,
  );
}

async function createLanguages(trx: Transaction): Promise<void> {
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

async function createTexts(trx: Transaction): Promise<void> {
  // Titles and summaries of items in the languages of their library after the first one.
  await trx.schema.createTable('item_texts', (table) => {
    table.integer('item_no').notNullable();
    // BCP 47, as `Intl` spells it.
    byteOrdered(table, 'language').notNullable();
    table.text('title');
    table.text('overview');
    table.primary(['item_no', 'language']);
  });
  await createTrigger(trx, {
    name: 'item_texts_go_with_items',
    on: 'after delete',
    table: 'items',
    does: { run: 'delete from item_texts where item_no = old.no' },
  });
  // The content of text tracks that plugins gave for items.
  await trx.schema.createTable('given_texts', (table) => {
    table.integer('item_no').notNullable();
    table.text('key').notNullable();
    table.text('plugin_id').notNullable();
    table.text('hash').notNullable();
    table.binary('bytes').notNullable();
    table.primary(['item_no', 'key']);
    table.index('plugin_id', 'given_texts_plugin');
  });
}

/** What each source on the network said of an item, so that it can be merged again without it. */
async function createAnswers(trx: Transaction): Promise<void> {
  await trx.schema.createTable('kept_answers', (table) => {
    table.integer('item_no').notNullable();
    table.text('plugin_id').notNullable();
    table.text('answer').notNullable();
    // The entry that a person chose and that the source was asked about; null = it looked for one.
    table.text('chosen');
    table.primary(['item_no', 'plugin_id']);
  });
}
