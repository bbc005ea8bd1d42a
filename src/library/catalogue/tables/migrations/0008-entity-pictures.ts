import type { Migration } from '../../../../../kernel/storage/index.ts';

export const entityPicturesMigration: Migration = {
  id: '0008-entity-pictures',
  up: async (trx) => {
    await trx.schema.createTable('entity_assets', (table) => {
      table.text('id').primary();
      table.integer('entity_no').notNullable();
      table.text('type').notNullable();
      table.text('uri').notNullable();
      table.text('aspect');
      table.text('source').notNullable();
      table.unique(['entity_no', 'type']);
    });
  },
};
