import type { Migration } from '../../../kernel/index.ts';

export const mountsMigration: Migration = {
  id: '0011-mounts-below-roots',
  up: async (trx) => {
    await trx.schema.alterTable('libraries', (table) => {
      // What was mounted below its roots: when a whole scan last saw it, by its URI.
      table.text('mounts');
    });
  },
};
