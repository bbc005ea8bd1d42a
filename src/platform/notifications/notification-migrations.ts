import type { MigrationSet } from '../../../kernel/storage/index.ts';

/** The table of notifications. */
export const notificationMigrations: MigrationSet = {
  name: 'notifications',
  migrations: [
    {
      id: '0001-notifications',
      up: async (trx) => {
        await trx.schema.createTable('notifications', (table) => {
          table.text('id').primary();
          table.text('level').notNullable();
          table.text('title').notNullable();
          table.text('message').notNullable();
          table.text('source').notNullable();
          table.text('read_at');
          table.text('created_at').notNullable();
          table.index(['source', 'title']);
        });
      },
    },
    {
      id: '0002-about',
      up: async (trx) => {
        await trx.schema.alterTable('notifications', (table) => {
          table.text('about');
          table.index(['about']);
        });
      },
    },
    {
      id: '0003-german',
      up: async (trx) => {
        await trx.schema.alterTable('notifications', (table) => {
          table.text('title_german');
          table.text('message_german');
        });
      },
    },
  ],
};
