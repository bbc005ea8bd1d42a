import type { Transaction } from '../../../../../kernel/store/index.ts';

/** Pictures of items and entities, those that people uploaded, and those that wait to be fetched. */
export async function createPictures(trx: Transaction): Promise<void> {
  await trx.schema.createTable('assets', (table) => {
    table.text('id').primary();
    table.integer('item_no').notNullable().index();
    table.text('type').notNullable();
    table.text('uri').notNullable();
    table.text('mime_type');
    table.text('aspect');
    table.text('source').notNullable();
  });
  await trx.schema.createTable('entity_assets', (table) => {
    table.text('id').primary();
    table.integer('entity_no').notNullable();
    table.text('type').notNullable();
    table.text('uri').notNullable();
    table.text('aspect');
    table.text('source').notNullable();
    table.unique(['entity_no', 'type']);
  });
  // Colour and thumbhash of the pictures that were made once, by address: equal pictures share them.
  await trx.schema.createTable('picture_looks', (table) => {
    table.text('uri').primary();
    table.text('color').notNullable();
    table.text('thumbhash').notNullable();
  });
  // The queue of pictures that are fetched before somebody asks for them.
  await trx.schema.createTable('wanted_pictures', (table) => {
    table.text('asset_id').primary();
    table.integer('attempts').notNullable();
    table.bigInteger('next_at').notNullable().index();
  });
  // The bytes of pictures that people uploaded, by the id of the picture.
  await trx.schema.createTable('uploaded_pictures', (table) => {
    table.text('asset_id').primary();
    table.binary('bytes').notNullable();
  });
  // Pictures that people uploaded for an entity, with their bytes.
  await trx.schema.createTable('entity_uploads', (table) => {
    table.text('id').primary();
    table.integer('entity_no').notNullable().index();
    table.text('uri').notNullable();
    table.text('mime_type').notNullable();
    table.binary('bytes').notNullable();
  });
}
