import { createTrigger, type Transaction } from '../../../kernel/store/index.ts';

/** Makes the table of what profiles rate entities, apart from their favourites: a row is a rating. */
export async function createEntityRatings(trx: Transaction): Promise<void> {
  await trx.schema.createTable('entity_ratings', (table) => {
    table.text('profile_id').notNullable();
    table.text('entity_id').notNullable().index();
    // 0.5 to 5.
    table.specificType('rating', 'double precision').notNullable();
    table.primary(['profile_id', 'entity_id']);
  });
  await createTrigger(trx, {
    name: 'entity_ratings_go_with_entities',
    on: 'after delete',
    table: 'entities',
    does: { run: 'delete from entity_ratings where entity_id = old.id' },
  });
  // The rating of a merged entity is one of that into which it was merged, unless that has one.
  await createTrigger(trx, {
    name: 'entity_ratings_follow_merges',
    on: 'after insert',
    table: 'merged_entities',
    does: {
      run: `insert into entity_ratings (profile_id, entity_id, rating)
          select rated.profile_id, entities.id, rated.rating
          from entity_ratings as rated join entities on entities.no = new.entity_no
          where rated.entity_id = new.id
          on conflict (profile_id, entity_id) do nothing`,
    },
  });
}
