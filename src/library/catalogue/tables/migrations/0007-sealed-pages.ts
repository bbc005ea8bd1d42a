import { byteOrdered, type Migration } from '../../../../../kernel/storage/index.ts';

/** Pages of scans that matched the library when they last came, by the digest of their listing. */
export const sealedPagesMigration: Migration = {
  id: '0007-sealed-pages',
  up: async (trx) => {
    await trx.schema.createTable('sealed_pages', (table) => {
      table.integer('library_no').notNullable();
      // Bounds in the order of URIs: the page spoke for what lies above the first, up to the
      // second.
      byteOrdered(table, 'after').notNullable();
      byteOrdered(table, 'through').notNullable();
      table.text('digest').notNullable();
      // How many media files there are in it.
      table.integer('files').notNullable();
      table.primary(['library_no', 'after']);
    });
  },
};
