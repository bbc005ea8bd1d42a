/**
 * How many active items of an entity a profile watched, by library and certification. A change of a
 * state counts at once; a change of an item queues its entities, and the upkeep counts them again
 * (`watchedCounts`). So the counts are right whenever an entity does not wait in that queue.
 */
import { createTrigger, type Transaction } from '../../../kernel/store/index.ts';

/** Adds so many to the counts of the entities of an item, for the profile of a changed state. */
const count = (state: 'new' | 'old', change: 1 | -1): string =>
  `insert into watched_counts (profile_id, entity_no, library_no, certification, items)
   select ${state}.profile_id, links.entity_no, items.library_no,
     coalesce(items.certification, ''), ${change}
   from items join (select distinct item_no, entity_no from item_entities
     where item_no = (select no from items where id = ${state}.item_id)) as links
     on links.item_no = items.no
   where items.id = ${state}.item_id and items.status = 'active'
   on conflict (profile_id, entity_no, library_no, certification)
   do update set items = watched_counts.items + ${change}`;

export async function countWatched(trx: Transaction): Promise<void> {
  await trx.schema.createTable('watched_counts', (table) => {
    table.text('profile_id').notNullable();
    table.integer('entity_no').notNullable().index();
    table.integer('library_no').notNullable();
    // Empty = without one.
    table.text('certification').notNullable();
    table.integer('items').notNullable();
    table.primary(['profile_id', 'entity_no', 'library_no', 'certification']);
  });
  await createTrigger(trx, {
    name: 'watched_counts_grow',
    on: 'after insert',
    table: 'playback',
    when: 'new.completed = 1',
    does: { run: count('new', 1) },
  });
  await createTrigger(trx, {
    name: 'watched_counts_rise',
    on: 'after update',
    table: 'playback',
    when: 'new.completed = 1 and old.completed = 0',
    does: { run: count('new', 1) },
  });
  await createTrigger(trx, {
    name: 'watched_counts_fall',
    on: 'after update',
    table: 'playback',
    when: 'new.completed = 0 and old.completed = 1',
    does: { run: count('new', -1) },
  });
  await createTrigger(trx, {
    name: 'watched_counts_shrink',
    on: 'after delete',
    table: 'playback',
    when: 'old.completed = 1',
    does: { run: count('old', -1) },
  });
  await createTrigger(trx, {
    name: 'watched_counts_go_with_entities',
    on: 'after delete',
    table: 'entities',
    does: { run: 'delete from watched_counts where entity_no = old.no' },
  });
}
