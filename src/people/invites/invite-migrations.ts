import type { MigrationSet } from '../../../kernel/store/index.ts';

/** The table of invites. */
export const inviteMigrations: MigrationSet = {
  name: 'invites',
  migrations: [
    {
      id: '0001-baseline',
      kind: 'expand',
      up: async (trx) => {
        await trx.schema.createTable('invites', (table) => {
          table.text('id').primary();
          table.text('token_hash').notNullable().unique();
          // The last characters of the token, by which its creator recognizes it.
          table.text('token_end').notNullable();
          table.text('role').notNullable();
          table.text('library_access').notNullable();
          table.text('group_ids').notNullable();
          table.integer('max_uses').notNullable();
          table.integer('use_count').notNullable();
          table.text('expires_at').notNullable();
          table.text('created_by').notNullable().index();
          table.text('created_at').notNullable();
        });
      },
    },
  ],
};
