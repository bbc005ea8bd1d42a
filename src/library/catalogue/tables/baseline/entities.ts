import { byteOrdered, dialectOf, type Transaction } from '../../../../../kernel/store/index.ts';

/**
 * Entities; what identifies them: ids of providers, other names, parents; what merged ones became; and
 * what their active items are in sum.
 */
export async function createEntities(trx: Transaction): Promise<void> {
  await createEntityTable(trx);
  await createLinks(trx);
  await createIdentities(trx);
  await createUpkeep(trx);
}

async function createEntityTable(trx: Transaction): Promise<void> {
  await trx.schema.createTable('entities', (table) => {
    table.integer('no').primary();
    table.text('id').notNullable().unique();
    // Type, parent and folded name in one text: mentions with equal keys are the same entity.
    byteOrdered(table, 'key').notNullable().unique();
    table.text('type').notNullable();
    table.text('name').notNullable();
    byteOrdered(table, 'sort_name').notNullable();
    table.text('status').notNullable();
    table.text('source_plugin_id');
    table.text('search_terms');
    table.text('metadata');
    table.text('assets');
    table.text('asset_aspects');
    table.boolean('hidden').notNullable().defaultTo(false);
    table.bigInteger('created_at').notNullable();
    table.bigInteger('updated_at').notNullable();
    // The show of a season, the artist of an album.
    table.integer('parent_no');
    table.integer('year');
    // A person's edits, by key; a scan never overrides them.
    table.text('edits');
    table.text('provenance');
    // `{"de": {"title": …, "overview": …}}`; null = only the stored ones.
    table.text('texts');
    // Who sees it: libraries and certifications of its active items, as `[[3, "PG"]]`; null = not known.
    // The upkeep writes it, and the letters of a list are counted in one index.
    table.text('shown_by');
    table.index(['type', 'sort_name', 'no']);
    table.index(['parent_no']);
  });
  // PostgreSQL counts the letters in the index alone only if the index has the column beside its first
  // letter; else it reads every row of the table. SQLite needs the letter alone.
  const beside = dialectOf(trx) === 'sqlite' ? '' : ' include (sort_name)';
  await trx.raw(
    `create index entities_by_letter on entities
     (type, shown_by, (substr(sort_name, 1, 1)), hidden, status, no)${beside}`,
  );
}

async function createLinks(trx: Transaction): Promise<void> {
  await trx.schema.createTable('item_entities', (table) => {
    table.integer('item_no').notNullable();
    table.integer('entity_no').notNullable();
    table.text('role').notNullable();
    table.integer('sort_order').notNullable();
    table.text('metadata');
    table.unique(['item_no', 'entity_no', 'role']);
    table.index(['entity_no', 'item_no']);
  });
  // Items that a person split off an entity: their mentions of it mean another entity.
  await trx.schema.createTable('split_links', (table) => {
    table.integer('item_no').notNullable();
    table.integer('from_no').notNullable().index();
    table.integer('to_no').notNullable().index();
    table.primary(['item_no', 'from_no']);
  });
}

async function createIdentities(trx: Transaction): Promise<void> {
  await trx.schema.createTable('entity_ids', (table) => {
    table.text('type').notNullable();
    byteOrdered(table, 'provider').notNullable();
    byteOrdered(table, 'value').notNullable();
    table.integer('entity_no').notNullable().index();
    table.unique(['type', 'provider', 'value']);
  });
  // Further keys that lead to an entity: its other names, and a name that it shares with another.
  await trx.schema.createTable('entity_names', (table) => {
    byteOrdered(table, 'key').notNullable();
    table.integer('entity_no').notNullable().index();
    table.unique(['key', 'entity_no']);
  });
  // The ids of entities that were merged into another one.
  await trx.schema.createTable('merged_entities', (table) => {
    table.text('id').primary();
    table.integer('entity_no').notNullable().index();
  });
}

async function createUpkeep(trx: Transaction): Promise<void> {
  // Tombstones: no active item of the library links to the entity now.
  await trx.schema.createTable('left_entities', (table) => {
    table.text('entity_id').notNullable();
    table.text('library_id').notNullable();
    table.bigInteger('seq').notNullable().index();
    table.unique(['entity_id', 'library_id']);
  });
  // The queue of the entity upkeep.
  await trx.schema.createTable('touched_entities', (table) => {
    table.integer('entity_no').notNullable();
    table.integer('library_no').notNullable();
    table.unique(['entity_no', 'library_no']);
  });
  // What the active items of an entity are in sum, by library and certification. The upkeep writes it.
  await trx.schema.createTable('entity_counts', (table) => {
    table.integer('entity_no').notNullable().index();
    table.integer('library_no').notNullable();
    table.text('certification');
    table.integer('items').notNullable();
    // The earliest year of an item; 0 = unknown.
    table.integer('year').notNullable();
    // When the newest item was added.
    table.bigInteger('added_at').notNullable();
    // Seconds, for books pages; null = no item has a known duration.
    table.specificType('duration', 'double precision');
    // The first item with a picture of its own.
    table.integer('pictured_no');
  });
  await trx.raw('create index entity_counts_by_age on entity_counts (library_no, added_at)');
}
