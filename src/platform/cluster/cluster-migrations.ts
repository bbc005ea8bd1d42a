import { dialectOf, type MigrationSet, type Transaction } from '../../../kernel/store/index.ts';
import { notedChanges, notedLanguages, notedSecrets, type NotedChange } from './topic.ts';

/**
 * The tables that the servers of one PostgreSQL database share. SQLite has a single server, and
 * none of them.
 */
export const clusterMigrations: MigrationSet = {
  name: 'cluster',
  migrations: [
    {
      id: '0001-baseline',
      kind: 'expand',
      up: async (trx) => {
        if (dialectOf(trx) === 'sqlite') return;
        await createTables(trx);
        await createNotes(trx);
        for (const [index, change] of notedChanges.entries()) await note(trx, `${index}`, change);
        for (const change of [...notedLanguages, ...notedSecrets])
          await note(trx, change.table, change);
      },
    },
  ],
};

async function createTables(trx: Transaction): Promise<void> {
  await trx.raw(`create table shared_state (
    id integer primary key,
    feed_id text not null,
    last_event bigint not null,
    delivered_event bigint not null,
    key_print text
  )`);
  await trx.raw(`insert into shared_state values (1, gen_random_uuid()::text, 0, 0, null)`);
  await trx.raw(`create table shared_events (
    no bigint primary key,
    type text not null,
    json text not null
  )`);
  await trx.raw(`create table shared_changes (
    no bigint generated always as identity primary key,
    topic text not null,
    key text,
    origin text not null,
    at timestamptz not null default now()
  )`);
  await trx.raw(`create index shared_changes_by_topic on shared_changes (topic, no)`);
  await trx.raw(`create table server_processes (
    no integer primary key,
    id text not null unique,
    version text not null,
    started_at timestamptz not null default now(),
    heartbeat_at timestamptz not null default now(),
    missing_since timestamptz,
    address text not null default '',
    roles text not null default '',
    plugins text not null default '{}',
    settings text not null default '{}',
    clock_ahead_ms bigint not null default 0,
    -- Its internal port, and whether it converts for others.
    internal text not null default '',
    converts boolean not null default false,
    -- Plugins that it lacks, and whether one of them hears events.
    lacks text not null default '',
    lacks_hearer boolean not null default false
  )`);
  // Failed attempts of people. A crash of PostgreSQL may empty it.
  await trx.raw(`create unlogged table attempt_counters (
    key text primary key,
    free integer not null,
    count integer not null,
    at timestamptz not null,
    closed_until timestamptz not null
  )`);
  await trx.raw(`create index attempt_counters_by_time on attempt_counters (at)`);
  // How far search plugins are. It may be emptied too: they tell it again.
  await trx.raw(`create unlogged table search_progress (
    plugin_id text primary key,
    number bigint not null
  )`);
  // The term is unique, so that a duty that read it keeps it from being raised until its end.
  await trx.raw(`create table leader (
    id integer primary key,
    term bigint not null unique,
    server text,
    beat_at timestamptz not null default now()
  )`);
  await trx.raw(`insert into leader (id, term) values (1, 0)`);
  await trx.raw(`create sequence server_process_numbers as integer cycle`);
}

/**
 * Triggers that note a change in the transaction that makes it, for any program that writes. The
 * writers of PostgreSQL are serialized (see the kernel), so numbers become visible in their order:
 * a reader of one number has seen all smaller ones.
 */
async function createNotes(trx: Transaction): Promise<void> {
  await trx.raw(`create function note_shared_change() returns trigger language plpgsql as $body$
  declare
    changed jsonb := case
      when tg_level = 'STATEMENT' then null
      when tg_op = 'DELETE' then to_jsonb(old)
      else to_jsonb(new)
    end;
  begin
    insert into shared_changes (topic, key, origin)
      values (tg_argv[0], changed ->> tg_argv[1], current_setting('application_name'));
    perform pg_notify('vitrine', 'changes');
    return null;
  end $body$`);
}

async function note(trx: Transaction, name: string, change: NotedChange): Promise<void> {
  const { topic, table, key, on, when } = change;
  await trx.raw(`create trigger note_shared_${name} after ${on} on ${table}
    for each ${key === undefined ? 'statement' : 'row'}
    ${when === undefined ? '' : `when (${when})`}
    execute function note_shared_change('${topic}', '${key ?? ''}')`);
}
