import type { Migration } from '../../../kernel/index.ts';

/** What a filesystem tells the files of a sealed page apart by, so that one of them need not bring all. */
export const pagePartsMigration: Migration = {
  id: '0021-page-parts',
  up: async (trx) => {
    await trx.schema.alterTable('sealed_pages', (table) => {
      table.text('parts');
    });
  },
};
