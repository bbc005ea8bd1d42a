import type { MigrationSet } from '../../../kernel/store/index.ts';

/** The table of the update state: one row. */
export const updateMigrations: MigrationSet = {
  name: 'updates',
  migrations: [
    {
      id: '0001-baseline',
      kind: 'expand',
      up: async (trx) => {
        await trx.schema.createTable('update_state', (table) => {
          table.integer('id').primary();
          table.text('channel').notNullable();
          table.text('suppressed_version');
          table.text('release');
          table.text('last_checked_at');
          table.text('last_error');
        });
      },
    },
  ],
};
