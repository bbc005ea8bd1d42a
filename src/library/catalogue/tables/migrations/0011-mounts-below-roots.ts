import type { Migration } from '../../../../../kernel/storage/index.ts';

export const mountsMigration: Migration = {
  id: '0011-mounts-below-roots',
  up: async (trx) => {
    await trx.schema.alterTable('libraries', (table) => {
      // When a whole scan last saw each mount below its roots, by URI.
      table.text('mounts');
    });
  },
};
