import { byteOrdered, createTrigger, type MigrationSet } from '../../../kernel/storage/index.ts';

/** The tables of collections. They refer to rows of the library and come after its tables. */
export const collectionMigrations: MigrationSet = {
  name: 'collections',
  migrations: [
    {
      id: '0001-collections',
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
          table.unique(['user_id', 'distributed_id']);
          table.index(['user_id', 'sort_name', 'no']);
        });
        await trx.schema.createTable('collection_items', (table) => {
          table.integer('collection_no').notNullable();
          table.text('item_id').notNullable().index();
          table.integer('position').notNullable();
          table.unique(['collection_no', 'item_id']);
          table.index(['collection_no', 'position']);
        });
        // How many items of each library an automatic collection has, as of the last count of its
        // entity.
        await trx.schema.createTable('collection_counts', (table) => {
          table.integer('collection_no').notNullable();
          table.integer('library_no').notNullable();
          table.integer('items').notNullable();
          table.unique(['collection_no', 'library_no']);
        });
        await trx.raw(
          `insert into touched_entities (entity_no, library_no)
           select distinct entities.no, items.library_no from entities
           join item_entities on item_entities.entity_no = entities.no
           join items on items.no = item_entities.item_no
           where entities.type in ('genre', 'series')
           on conflict do nothing`,
        );
      },
    },
    {
      id: '0002-counts-by-rating',
      up: async (trx) => {
        await trx.schema.dropTable('collection_counts');
        // How many items of each library and certification an automatic collection has, as of the
        // last count of its entity.
        await trx.schema.createTable('collection_counts', (table) => {
          table.integer('collection_no').notNullable().index();
          table.integer('library_no').notNullable();
          table.text('certification');
          table.integer('items').notNullable();
        });
        await trx.raw(
          `insert into touched_entities (entity_no, library_no)
           select distinct item_entities.entity_no, items.library_no from collections
           join item_entities on item_entities.entity_no = collections.rule_entity_no
           join items on items.no = item_entities.item_no
           where true on conflict do nothing`,
        );
      },
    },
    {
      id: '0003-profiles-and-covers',
      up: async (trx) => {
        await trx.schema.alterTable('collections', (table) => {
          table.text('cover_item_id');
          table.index(['profile_id']);
        });
      },
    },
    {
      id: '0004-members-go-with-items',
      up: async (trx) => {
        await trx.raw('delete from collection_items where item_id not in (select id from items)');
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
    {
      id: '0005-playlists',
      up: async (trx) => {
        await trx.schema.alterTable('collections', (table) => {
          // `collection` or `playlist`.
          table.text('kind').notNullable().defaultTo('collection');
        });
        await trx.schema.alterTable('collection_items', (table) => {
          // Of a playlist, in which an item may stand twice; null in a collection.
          table.text('entry_id').unique();
          table.dropUnique(['collection_no', 'item_id']);
          table.index(['collection_no', 'item_id']);
        });
        await trx.raw(
          `create unique index collection_items_once on collection_items (collection_no, item_id)
           where entry_id is null`,
        );
      },
    },
  ],
};
