import type { Migration } from '../../../kernel/index.ts';

export const soughtMigration: Migration = {
  id: '0022-sought',
  up: async (trx) => {
    await trx.schema.alterTable('libraries', (table) => {
      // What each plugin had its scans look for at its last answer, by plugin id.
      table.text('sought');
    });
  },
};
