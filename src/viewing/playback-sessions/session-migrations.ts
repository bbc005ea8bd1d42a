import { dialectOf, type MigrationSet } from '../../../kernel/store/index.ts';

/**
 * The sessions of playing of several servers. The table is not logged: it is written often, and a crash
 * of PostgreSQL may end the sessions. On SQLite the only server has them in its memory.
 */
export const sessionMigrations: MigrationSet = {
  name: 'playback-sessions',
  migrations: [
    {
      id: '0001-baseline',
      kind: 'expand',
      up: async (trx) => {
        if (dialectOf(trx) === 'sqlite') return;
        await trx.raw(`create unlogged table playback_sessions (
          id text primary key,
          user_id text not null,
          profile_id text not null,
          credential_id text not null,
          role text not null,
          item_id text not null,
          file_id text not null,
          mode text not null,
          cost text not null,
          reasons text not null,
          duration double precision not null,
          created_at bigint not null,
          state text not null,
          position double precision not null,
          told double precision,
          told_at bigint,
          seen_at bigint not null,
          moved_at bigint not null,
          -- The server that was asked last; metrics count each session once.
          server text not null,
          -- Rises with each change of how it is played.
          revision integer not null,
          -- How it is played.
          decision text not null,
          -- The role that needed its place, 'same' for the same person; null = it plays.
          gone_for text
        )`);
        await trx.raw(
          `create index playback_sessions_of_users on playback_sessions (user_id, profile_id)`,
        );
      },
    },
  ],
};
