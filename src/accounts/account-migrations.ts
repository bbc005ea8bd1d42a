import type { MigrationSet } from '../../kernel/index.ts';

/** The tables of who may come in. */
export const accountMigrations: MigrationSet = {
  name: 'accounts',
  migrations: [
    {
      id: '0001-api-keys',
      up: async (trx) => {
        await trx.schema.createTable('api_keys', (table) => {
          table.text('id').primary();
          table.text('name').notNullable();
          table.text('role').notNullable();
          table.text('scopes').notNullable();
          table.text('token_hash').notNullable().unique();
          table.text('origin').notNullable();
          table.text('created_at').notNullable();
          table.text('expires_at');
          table.text('last_used_at');
        });
      },
    },
  ],
};
