import type { Migration } from '../../../../../kernel/storage/index.ts';

/** The bytes of pictures that people uploaded, by the id of the picture. */
export const uploadedPicturesMigration: Migration = {
  id: '0030-uploaded-pictures',
  up: async (trx) => {
    await trx.schema.createTable('uploaded_pictures', (table) => {
      table.text('asset_id').primary();
      table.binary('bytes').notNullable();
    });
  },
};
