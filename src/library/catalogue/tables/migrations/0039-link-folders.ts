import type { Migration } from '../../../../../kernel/storage/index.ts';

export const linkFoldersMigration: Migration = {
  id: '0039-link-folders',
  up: async (trx) => {
    await trx.schema.alterTable('libraries', (table) => {
      // Where links below its roots may lead: [{root, folder}] as JSON, null = nowhere else.
      table.text('links');
    });
  },
};
