import { byteOrdered, createTrigger, type MigrationSet } from '../../../kernel/store/index.ts';

/** The tables of collections. They refer to rows of the library and come after its tables. */
export const collectionMigrations: MigrationSet = {
  name: 'collections',
  migrations: [
    {
      id: '0001-baseline',
      kind: 'expand',
      up: async (trx) => {
        await trx.schema.createTable('collections', (table) => {
          table.increments('no');
          table.text('id').notNullable().unique();
          // Empty = an automatic collection.
          table.text('user_id').notNullable();
          table.text('profile_id').notNullable();
          byteOrdered(table, 'distributed_id').notNullable();
          table.text('name').notNullable();
          byteOrdered(table, 'sort_name').notNullable();
          table.text('description').notNullable();
          table.text('media_type').notNullable();
          table.text('sort_by').notNullable();
          table.text('sort_order').notNullable();
          table.boolean('hidden').notNullable();
          // The entity whose items are its items; null = they are listed in `collection_items`.
          table.integer('rule_entity_no').unique();
          // Of an automatic collection: the fields that an admin changed, by key.
          table.text('edits');
          table.bigInteger('created_at').notNullable();
          table.bigInteger('updated_at').notNullable();
          table.text('cover_item_id');
          // `collection` or `playlist`.
          table.text('kind').notNullable().defaultTo('collection');
          table.unique(['user_id', 'distributed_id']);
          table.index(['user_id', 'sort_name', 'no']);
          table.index(['profile_id']);
        });
        await trx.schema.createTable('collection_items', (table) => {
          table.integer('collection_no').notNullable();
          table.text('item_id').notNullable().index();
          table.integer('position').notNullable();
          // Of a playlist, in which an item may stand twice; null in a collection.
          table.text('entry_id');
          table.index(['collection_no', 'position']);
          table.unique(['entry_id']);
          table.index(['collection_no', 'item_id']);
        });
        await trx.raw(
          `create unique index collection_items_once on collection_items (collection_no, item_id)
           where entry_id is null`,
        );
        // How many items of each library and certification an automatic collection has, as of the
        // last count of its entity.
        await trx.schema.createTable('collection_counts', (table) => {
          table.integer('collection_no').notNullable().index();
          table.integer('library_no').notNullable();
          table.text('certification');
          table.integer('items').notNullable();
        });
        // Items are deleted in many places that do not know collections; the trigger covers all of
        // them.
        await createTrigger(trx, {
          name: 'collection_items_go_with_items',
          on: 'after delete',
          table: 'items',
          does: { run: 'delete from collection_items where item_id = old.id' },
        });
      },
    },
  ],
};
