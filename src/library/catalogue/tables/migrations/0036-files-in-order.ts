import type { Migration } from '../../../../../kernel/storage/index.ts';

/** The files of a library by number: a job that walks them reads each once. */
export const filesInOrderMigration: Migration = {
  id: '0036-files-in-order',
  up: async (trx) => {
    await trx.raw(
      `create index files_in_order on files (library_no, no)
       where type = 'media' and status = 'active'`,
    );
  },
};
