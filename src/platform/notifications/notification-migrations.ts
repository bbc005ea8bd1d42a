import type { MigrationSet } from '../../../kernel/store/index.ts';

/** The table of notifications. */
export const notificationMigrations: MigrationSet = {
  name: 'notifications',
  migrations: [
    {
      id: '0001-baseline',
      kind: 'expand',
      up: async (trx) => {
        await trx.schema.createTable('notifications', (table) => {
          table.text('id').primary();
          table.text('level').notNullable();
          table.text('title').notNullable();
          table.text('message').notNullable();
          table.text('source').notNullable();
          table.text('read_at');
          table.text('created_at').notNullable();
          table.text('about');
          table.text('title_german');
          table.text('message_german');
          table.index(['source', 'title']);
          table.index(['about']);
        });
      },
    },
  ],
};
