import type { Migration } from '../../../../../kernel/storage/index.ts';

/** Pictures that people uploaded for an entity, with their bytes. */
export const entityUploadsMigration: Migration = {
  id: '0032-entity-uploads',
  up: async (trx) => {
    await trx.schema.createTable('entity_uploads', (table) => {
      table.text('id').primary();
      table.integer('entity_no').notNullable().index();
      table.text('uri').notNullable();
      table.text('mime_type').notNullable();
      table.binary('bytes').notNullable();
    });
  },
};
