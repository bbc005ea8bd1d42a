import type { Knex } from 'knex';
import type { Database, Transaction } from '../../../kernel/store/index.ts';

/** A plugin and the patterns that it follows. */
export interface Follower {
  readonly pluginId: string;
  readonly patterns: readonly string[];
}

/** One event as it is stored for one plugin. */
export interface StoredEvent {
  readonly pluginId: string;
  readonly eventId: string;
  /** The envelope as JSON. */
  readonly envelope: string;
}

interface EventRow {
  readonly no: number | string;
  readonly plugin_id: string;
  readonly event_id: string;
  readonly envelope: string;
}

const storedEvents = (db: Knex) => db<EventRow>('event_log');

const followers = (db: Knex) => db<{ plugin_id: string; patterns: string }>('event_log_followers');

export async function readFollowers(db: Knex): Promise<readonly Follower[]> {
  const rows = await followers(db).orderBy('plugin_id').select('plugin_id', 'patterns');
  return rows.map((row) => ({
    pluginId: row.plugin_id,
    patterns: JSON.parse(row.patterns) as string[],
  }));
}

/** Removes the follower when it has no patterns. */
export async function saveFollower(trx: Transaction, one: Follower): Promise<void> {
  const { pluginId, patterns } = one;
  if (patterns.length === 0) return forgetFollowers(trx, [pluginId]);
  await followers(trx)
    .insert({ plugin_id: pluginId, patterns: JSON.stringify(patterns) })
    .onConflict('plugin_id')
    .merge();
}

export async function forgetFollowers(
  trx: Transaction,
  pluginIds: readonly string[],
): Promise<void> {
  await followers(trx).whereIn('plugin_id', pluginIds).delete();
  await storedEvents(trx).whereIn('plugin_id', pluginIds).delete();
}

/** Inserts events; existing ones stay. */
export async function storeEvents(
  trx: Transaction,
  insertRows: Database['insertRows'],
  events: readonly StoredEvent[],
): Promise<void> {
  const rows = events.map((one) => ({
    plugin_id: one.pluginId,
    event_id: one.eventId,
    envelope: one.envelope,
  }));
  const columns = ['plugin_id', 'event_id'] as const;
  await insertRows(trx, 'event_log', rows, { columns, update: [] });
}

/** The oldest events, one more than requested if there are more. */
export async function readEvents(
  db: Knex,
  pluginId: string,
  limit: number,
): Promise<readonly { readonly eventId: string; readonly envelope: string }[]> {
  const rows = await storedEvents(db)
    .where({ plugin_id: pluginId })
    .orderBy('no')
    .limit(limit + 1)
    .select('event_id', 'envelope');
  return rows.map((row) => ({ eventId: row.event_id, envelope: row.envelope }));
}

/** Gives how many of them existed. */
export const releaseEvents = (
  trx: Transaction,
  pluginId: string,
  eventIds: readonly string[],
): Promise<number> =>
  storedEvents(trx).where({ plugin_id: pluginId }).whereIn('event_id', eventIds).delete();

export async function countEvents(db: Knex, pluginId: string): Promise<number> {
  const [row] = await storedEvents(db)
    .where({ plugin_id: pluginId })
    .count<{ found: number | string }[]>({ found: '*' });
  return Number(row?.found ?? 0);
}

export async function hasEvents(db: Knex, pluginId: string): Promise<boolean> {
  return (await storedEvents(db).where({ plugin_id: pluginId }).first('no')) !== undefined;
}

/** Drops the oldest events above the limit; gives how many. */
export async function dropOldest(
  trx: Transaction,
  pluginId: string,
  keep: number,
): Promise<number> {
  const last = await storedEvents(trx)
    .where({ plugin_id: pluginId })
    .orderBy('no', 'desc')
    .offset(keep)
    .first('no');
  if (last === undefined) return 0;
  return storedEvents(trx).where({ plugin_id: pluginId }).where('no', '<=', last.no).delete();
}

/** Up to which number the lines of a journal are in the database; 0 = none. */
export async function readUpTo(db: Knex, journalId: string): Promise<number> {
  const row = await db('event_log_journals')
    .where({ journal_id: journalId })
    .first<{ readonly up_to: number | string } | undefined>('up_to');
  return Number(row?.up_to ?? 0);
}

export async function saveUpTo(trx: Transaction, journalId: string, upTo: number): Promise<void> {
  await trx('event_log_journals')
    .insert({ journal_id: journalId, up_to: upTo })
    .onConflict('journal_id')
    .merge();
}

export async function forgetJournal(trx: Transaction, journalId: string): Promise<void> {
  await trx('event_log_journals').where({ journal_id: journalId }).delete();
}
