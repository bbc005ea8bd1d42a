import type { MigrationSet } from '../../../kernel/store/index.ts';

/** The table of the server's license. */
export const licenseMigrations: MigrationSet = {
  name: 'license',
  migrations: [
    {
      id: '0001-baseline',
      kind: 'expand',
      up: async (trx) => {
        await trx.schema.createTable('license', (table) => {
          table.integer('id').primary();
          table.text('sealed').notNullable();
        });
      },
    },
  ],
};
