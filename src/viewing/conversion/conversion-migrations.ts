import { dialectOf, type MigrationSet } from '../../../kernel/store/index.ts';

/** The processes that convert on several servers. On SQLite there is one server, and no table. */
export const conversionMigrations: MigrationSet = {
  name: 'conversion-heads',
  migrations: [
    {
      id: '0001-baseline',
      kind: 'expand',
      up: async (trx) => {
        if (dialectOf(trx) === 'sqlite') return;
        await trx.raw(`create unlogged table conversion_heads (
          -- The hash of what is converted.
          work text not null,
          server text not null,
          -- Its internal port.
          address text not null,
          -- Microseconds in the film.
          from_us bigint not null,
          until_us bigint not null,
          -- Pictures are much more work than sound.
          weight integer not null,
          beat_at bigint not null,
          primary key (work, server, from_us)
        )`);
      },
    },
  ],
};
