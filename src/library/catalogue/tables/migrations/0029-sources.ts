import type { Migration } from '../../../../../kernel/storage/index.ts';

export const sourcesMigration: Migration = {
  id: '0029-sources',
  up: async (trx) => {
    await trx.schema.alterTable('libraries', (table) => {
      // Which source of metadata wins, as JSON in `library-sources.ts`; null = the usual order.
      table.text('sources');
    });
    // What each source on the network said of an item, so that it can be merged again without it.
    await trx.schema.createTable('kept_answers', (table) => {
      table.integer('item_no').notNullable();
      table.text('plugin_id').notNullable();
      table.text('answer').notNullable();
      table.primary(['item_no', 'plugin_id']);
    });
  },
};
