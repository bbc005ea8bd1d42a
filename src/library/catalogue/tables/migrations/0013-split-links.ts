import type { Migration } from '../../../../../kernel/storage/index.ts';

/** Items that a person split off an entity: their mentions of it mean another entity. */
export const splitLinksMigration: Migration = {
  id: '0013-split-links',
  up: async (trx) => {
    await trx.schema.createTable('split_links', (table) => {
      table.integer('item_no').notNullable();
      table.integer('from_no').notNullable().index();
      table.integer('to_no').notNullable().index();
      table.primary(['item_no', 'from_no']);
    });
  },
};
