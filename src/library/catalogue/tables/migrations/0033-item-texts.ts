import { byteOrdered, createTrigger, type Migration } from '../../../../../kernel/storage/index.ts';

/** Titles and summaries of items in the languages of their library after the first one. */
export const itemTextsMigration: Migration = {
  id: '0033-item-texts',
  up: async (trx) => {
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
  },
};
