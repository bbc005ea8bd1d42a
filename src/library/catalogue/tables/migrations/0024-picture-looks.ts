import type { Migration } from '../../../../../kernel/storage/index.ts';

/** Colour and thumbhash of the pictures that were made once, by address: equal pictures share them. */
export const pictureLooksMigration: Migration = {
  id: '0024-picture-looks',
  up: async (trx) => {
    await trx.schema.createTable('picture_looks', (table) => {
      table.text('uri').primary();
      table.text('color').notNullable();
      table.text('thumbhash').notNullable();
    });
  },
};
