import type { Migration } from '../../../../../kernel/storage/index.ts';

export const watchedLibrariesMigration: Migration = {
  id: '0010-watched-libraries',
  up: async (trx) => {
    await trx.schema.alterTable('libraries', (table) => {
      // Whether its folders are watched for changes.
      table.boolean('is_watched').notNullable().defaultTo(true);
    });
  },
};
