/** Which files wait for the ingest, and with which result the others ended. */
import type { Migration } from '../../../../../kernel/storage/index.ts';

export const ingestMigration: Migration = {
  id: '0004-ingest',
  up: async (trx) => {
    await trx.schema.alterTable('files', (table) => {
      // 0 = settled. Odd = never ingested; even = to be ingested again. Each mark adds 2, so that
      // an ingest under way sees that its file was marked meanwhile.
      table.integer('ingest_state').notNullable().defaultTo(1);
      // Error code of the last ingest; its message is in `file_info`.
      table.text('ingest_error');
    });
    await trx.raw(
      `create index files_pending on files (library_no, item_no)
       where ingest_state > 0 and type = 'media'`,
    );
    await trx.raw('create index files_failed on files (library_no) where ingest_error is not null');
  },
};
