import type { Migration } from '../../../kernel/index.ts';

export const watchedLibrariesMigration: Migration = {
  id: '0010-watched-libraries',
  up: async (trx) => {
    await trx.schema.alterTable('libraries', (table) => {
      // Whether it is kept true between scans that somebody asks for.
      table.boolean('is_watched').notNullable().defaultTo(true);
    });
  },
};
