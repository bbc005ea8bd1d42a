import type { MigrationSet } from '../../../kernel/storage/index.ts';

/** The table of playback states. It refers to items and profiles by their ids. */
export const playbackMigrations: MigrationSet = {
  name: 'playback',
  migrations: [
    {
      id: '0001-playback',
      up: async (trx) => {
        await trx.schema.createTable('playback', (table) => {
          table.text('profile_id').notNullable();
          table.text('user_id').notNullable().index();
          table.text('item_id').notNullable().index();
          table.boolean('completed').notNullable();
          table.specificType('position', 'double precision').notNullable();
          table.specificType('duration', 'double precision').notNullable();
          table.bigInteger('updated_at').notNullable();
          table.unique(['profile_id', 'item_id']);
          table.index(['profile_id', 'updated_at', 'item_id']);
        });
      },
    },
  ],
};
