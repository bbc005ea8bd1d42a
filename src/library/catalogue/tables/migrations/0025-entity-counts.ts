import type { Migration } from '../../../../../kernel/storage/index.ts';

/**
 * What the active items of an entity are in sum, by library and certification. The upkeep of
 * entities writes the rows, and reads each entity for the first time since all are queued here.
 */
export const entityCountsMigration: Migration = {
  id: '0025-entity-counts',
  up: async (trx) => {
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
    await trx.raw(
      `insert into touched_entities (entity_no, library_no)
       select distinct item_entities.entity_no, items.library_no from item_entities
       join items on items.no = item_entities.item_no where true on conflict do nothing`,
    );
  },
};
