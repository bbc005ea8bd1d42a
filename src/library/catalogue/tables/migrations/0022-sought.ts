import type { Migration } from '../../../../../kernel/storage/index.ts';

export const soughtMigration: Migration = {
  id: '0022-sought',
  up: async (trx) => {
    await trx.schema.alterTable('libraries', (table) => {
      // What each plugin's last answer had its scans look for, by plugin id.
      table.text('sought');
    });
  },
};
