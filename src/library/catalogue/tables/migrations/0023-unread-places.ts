import type { Migration } from '../../../../../kernel/storage/index.ts';

export const unreadPlacesMigration: Migration = {
  id: '0023-unread-places',
  up: async (trx) => {
    await trx.schema.alterTable('libraries', (table) => {
      // What the last whole scan could not read below its roots: {count, uri, message}, null = nothing.
      table.text('unread_places');
    });
  },
};
