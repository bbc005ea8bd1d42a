/**
 * Every version of the tables that was released, and those of today for a later one: a database of it is
 * brought up to date and then has the tables of a new one, and the way back leads to exactly what was there,
 * which the version that wrote it opens and goes on with.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseProgram } from '../../packages/app/cli/index.ts';
import { migrations } from '../../src/compose/index.ts';
import { silentLog } from '../../kernel/index.ts';
import {
  listMigrationBackups,
  openReadOnly,
  openStorage,
  schemaFault,
  type MigrationSet,
  type Transaction,
} from '../../kernel/store/index.ts';
import { sampleOf } from '../support/run/nightly.ts';
import { temporaryFolder } from '../support/storage/storage.ts';

/** A later version: the library has a further column, and there is a set that is new. */
const later: readonly MigrationSet[] = [
  ...migrations.map((set) => (set.name === 'library' ? withMood(set) : set)),
  {
    name: 'later',
    migrations: [
      {
        id: '0001-baseline',
        kind: 'expand',
        up: (trx) => trx.schema.createTable('later', (table) => table.text('id').primary()),
      },
    ],
  },
];

/** Adds a column to the items, with an index. */
function withMood(set: MigrationSet): MigrationSet {
  const mood = {
    id: '9999-mood',
    kind: 'expand' as const,
    up: async (trx: Transaction) => {
      await trx.schema.alterTable('items', (table) => table.text('mood').index());
    },
  };
  return { ...set, migrations: [...set.migrations, mood] };
}

/** One for each migration but the last of its set: that set ends there, and the others are whole. */
const older: readonly (readonly [string, readonly MigrationSet[]])[] = later.flatMap((set, no) =>
  set.migrations.slice(1).map(({ id }, at) => {
    const cut = { ...set, migrations: set.migrations.slice(0, at + 1) };
    return [
      `${set.name} before ${id}`,
      [...later.slice(0, no), cut, ...later.slice(no + 1)],
    ] as const;
  }),
);

/** And one for each set that was not there at all. */
const fewer = later
  .slice(1)
  .map((set, at) => [`no ${set.name} and nothing after it`, later.slice(0, at + 1)] as const);

async function open(file: string, sets: readonly MigrationSet[]) {
  return openStorage({
    url: `sqlite:${file}`,
    migrations: sets,
    keepsCopy: true,
    log: silentLog,
  });
}

/** The whole content, table by table, and how each table was made. */
async function contentOf(file: string): Promise<unknown> {
  const { read, close } = await openReadOnly({ url: `sqlite:${file}`, log: silentLog });
  try {
    const tables = await read.raw<readonly { name: string; sql: string }[]>(
      `select name, sql from sqlite_master where sql is not null and name not like 'sqlite_%' order by name`,
    );
    const rows: Record<string, unknown> = {};
    for (const { name, sql } of tables)
      rows[name] = sql.startsWith('CREATE TABLE') ? [sql, await read(name).select()] : sql;
    return rows;
  } finally {
    await close();
  }
}

async function vitrine(...args: readonly string[]): Promise<readonly [number, string]> {
  const words: string[] = [];
  const say = (text: string) => void words.push(text);
  const asked = parseProgram({
    ...{ args, env: {}, cwd: '/', version: '0', write: say, complain: say },
  });
  const code = asked.command === 'task' ? await asked.run() : -1;
  return [code, words.join('')];
}

describe('a database of an older version', () => {
  test.each(sampleOf([...older, ...fewer], 1))(
    'is brought up to date and back: %s',
    async (_name, sets) => {
      const data = temporaryFolder();
      const file = path.join(data, 'vitrine.db');
      const storage = await open(file, sets);
      await storage.kv.set('plugin', { key: 'kept', json: '"by the older version"' }, 1000);
      await storage.close();
      const before = await contentOf(file);

      const upgraded = await open(file, later);
      await upgraded.kv.set('plugin', { key: 'later', json: '1' }, 1000);
      const made = await open(path.join(data, 'made.db'), later);
      expect(await schemaFault(upgraded.database.read, made.database.read)).toBeNull();
      await made.close();
      await upgraded.close();
      const refusal = open(file, sets);
      await expect(refusal).rejects.toThrow(/newer version of Vitrine.*vitrine database rollback/);
      const [code, words] = await vitrine('database', 'rollback', '--data', data);

      expect([code, words]).toEqual([
        0,
        expect.stringContaining('Start the older version of the server'),
      ]);
      expect(await contentOf(file)).toEqual(before);
      await (await open(file, sets)).close();
      expect(await listMigrationBackups(file)).toHaveLength(1);
      await rm(data, { recursive: true });
    },
  );

  test('from before the first release is refused, with what to do, and stays as it is', async () => {
    const file = path.join(temporaryFolder(), 'vitrine.db');
    const early = { id: '0001-libraries', kind: 'expand' as const, up: () => Promise.resolve() };
    await (await open(file, [{ name: 'library', migrations: [early] }])).close();
    const before = await contentOf(file);

    await expect(open(file, migrations)).rejects.toThrow(
      /before its first release.*another data folder/,
    );
    expect(await contentOf(file)).toEqual(before);
  });

  test('has no way back where nothing was kept, and stays as it is', async () => {
    const data = temporaryFolder();
    const file = path.join(data, 'vitrine.db');
    await (await open(file, migrations)).close();
    const before = await contentOf(file);

    const [code, words] = await vitrine('database', 'rollback', '--data', data);

    expect([code, words]).toEqual([1, expect.stringContaining('There is no copy of the database')]);
    expect(await contentOf(file)).toEqual(before);
  });
});
