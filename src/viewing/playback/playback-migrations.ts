import { createTrigger, type MigrationSet, type Transaction } from '../../../kernel/store/index.ts';
import { createEntityRatings } from './entity-ratings-table.ts';
import { countWatched } from './watched-counts-triggers.ts';

/** What profiles say of items and entities: playback states, favourites, ratings. All refer by id. */
export const playbackMigrations: MigrationSet = {
  name: 'playback',
  migrations: [
    {
      id: '0001-baseline',
      kind: 'expand',
      up: async (trx) => {
        await createStates(trx);
        await createMarks(trx);
        await countWatched(trx);
        await createEntityRatings(trx);
      },
    },
  ],
};

async function createStates(trx: Transaction): Promise<void> {
  await trx.schema.createTable('playback', (table) => {
    table.text('profile_id').notNullable();
    table.text('user_id').notNullable().index();
    table.text('item_id').notNullable().index();
    table.boolean('completed').notNullable();
    table.specificType('position', 'double precision').notNullable();
    table.specificType('duration', 'double precision').notNullable();
    table.bigInteger('updated_at').notNullable();
    // Begun and not completed.
    table.boolean('started').notNullable().defaultTo(false);
    table.integer('play_count').notNullable().defaultTo(0);
    // Whether `play_count` has the play under way.
    table.boolean('counted').notNullable().defaultTo(false);
    table.bigInteger('last_played_at');
    table.unique(['profile_id', 'item_id']);
    table.index(['profile_id', 'updated_at', 'item_id']);
  });
  await trx.raw(
    `create index playback_started on playback (profile_id, updated_at, item_id) where started = 1`,
  );
  await createTrigger(trx, {
    name: 'playback_goes_with_items',
    on: 'after delete',
    table: 'items',
    does: { run: 'delete from playback where item_id = old.id' },
  });
}

async function createMarks(trx: Transaction): Promise<void> {
  // A row has at least one of the two.
  await trx.schema.createTable('item_marks', (table) => {
    table.text('profile_id').notNullable();
    table.text('item_id').notNullable().index();
    table.bigInteger('favourite_at');
    // 0.5 to 5.
    table.specificType('rating', 'double precision');
    table.primary(['profile_id', 'item_id']);
  });
  await trx.raw(
    `create index item_marks_favourites on item_marks (profile_id, favourite_at, item_id)
     where favourite_at is not null`,
  );
  await trx.schema.createTable('entity_marks', (table) => {
    table.text('profile_id').notNullable();
    table.text('entity_id').notNullable().index();
    table.bigInteger('favourite_at').notNullable();
    table.primary(['profile_id', 'entity_id']);
    table.index(['profile_id', 'favourite_at', 'entity_id']);
  });
  await createTrigger(trx, {
    name: 'item_marks_go_with_items',
    on: 'after delete',
    table: 'items',
    does: { run: 'delete from item_marks where item_id = old.id' },
  });
  await createTrigger(trx, {
    name: 'entity_marks_go_with_entities',
    on: 'after delete',
    table: 'entities',
    does: { run: 'delete from entity_marks where entity_id = old.id' },
  });
  // The favourites of a merged entity are favourites of the one that it was merged into.
  await createTrigger(trx, {
    name: 'entity_marks_follow_merges',
    on: 'after insert',
    table: 'merged_entities',
    does: {
      run: `insert into entity_marks (profile_id, entity_id, favourite_at)
        select marked.profile_id, entities.id, marked.favourite_at
        from entity_marks as marked join entities on entities.no = new.entity_no
        where marked.entity_id = new.id
        on conflict (profile_id, entity_id) do nothing`,
    },
  });
}
