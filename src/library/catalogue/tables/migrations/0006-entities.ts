/**
 * What identifies entities: ids of providers, other names, parents; and what merged ones became.
 */
import { byteOrdered, type Migration } from '../../../../../kernel/storage/index.ts';

export const entitiesMigration: Migration = {
  id: '0006-entities',
  up: async (trx) => {
    await trx.schema.alterTable('entities', (table) => {
      // The show of a season, the artist of an album.
      table.integer('parent_no').index();
      table.integer('year');
      // A person's edits, by key; a scan never overrides them.
      table.text('edits');
      table.text('provenance');
    });
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
  },
};
