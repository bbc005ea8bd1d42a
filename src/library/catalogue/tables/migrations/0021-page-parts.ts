import type { Migration } from '../../../../../kernel/storage/index.ts';

/** Part digests of a page, so that a change of one file does not send all files of the page. */
export const pagePartsMigration: Migration = {
  id: '0021-page-parts',
  up: async (trx) => {
    await trx.schema.alterTable('sealed_pages', (table) => {
      table.text('parts');
    });
  },
};
