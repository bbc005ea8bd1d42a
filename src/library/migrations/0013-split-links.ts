import type { Migration } from '../../../kernel/index.ts';

/** What a person took out of an entity: items that mean another one when they mention it. */
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
