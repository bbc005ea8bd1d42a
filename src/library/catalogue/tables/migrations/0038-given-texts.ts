import type { Migration } from '../../../../../kernel/storage/index.ts';

/** The content of text tracks that plugins gave for items. */
export const givenTextsMigration: Migration = {
  id: '0038-given-texts',
  up: async (trx) => {
    await trx.schema.createTable('given_texts', (table) => {
      table.integer('item_no').notNullable();
      table.text('key').notNullable();
      table.text('plugin_id').notNullable();
      table.text('hash').notNullable();
      table.binary('bytes').notNullable();
      table.primary(['item_no', 'key']);
      table.index('plugin_id', 'given_texts_plugin');
    });
  },
};
