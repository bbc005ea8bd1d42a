/** Servers of several versions run on one database: each migration says whether they may. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gt, valid } from 'semver';
import { expect, test } from 'vitest';
import { migrations } from '../../src/compose/migrations.ts';
import type { Migration, MigrationSet } from '../../kernel/store/index.ts';
import { silentLog } from '../../kernel/index.ts';
import { openStorage } from '../../kernel/store/index.ts';
import { temporaryFolder } from '../support/storage/storage.ts';

const manifest = path.resolve(import.meta.dirname, '../../package.json');
const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string };

/** What a statement does to servers that do not know of it. */
const narrows: readonly (readonly [RegExp, string])[] = [
  [/\bdrop (table|column|view|trigger|function|not null|default)\b/i, 'takes away'],
  [/\brename\b/i, 'renames'],
  [/\balter column\b.*\b(type|set not null)\b/is, 'changes a column'],
  [
    /\badd (column )?\S+ (?!.*\bdefault\b).*\bnot null\b/is,
    'needs a value that others do not give',
  ],
  [/\bcreate unique index\b/i, 'refuses rows that others write'],
];

/** What is wrong with the migrations; those after the baseline are run and watched. */
async function faultsOf(sets: readonly MigrationSet[]): Promise<readonly string[]> {
  const faults: string[] = [];
  const watched = sets.map(({ name, migrations: all }) => ({
    name,
    migrations: all.map((migration, at) => {
      const say = (fault: string): void => void faults.push(`${name} ${migration.id} ${fault}`);
      if (migration.kind === 'contract' && valid(migration.oldestVersion) === null)
        say(`names no version: ${migration.oldestVersion}`);
      else if (migration.kind === 'contract' && gt(migration.oldestVersion, version))
        say(`names a version that does not exist yet: ${migration.oldestVersion}`);
      else if (migration.kind !== 'contract' && migration.kind !== 'expand')
        say('has neither kind');
      return at === 0 ? migration : spied(migration, say);
    }),
  }));
  const url = `sqlite:${path.join(temporaryFolder(), 'vitrine.db')}`;
  await (await openStorage({ url, migrations: watched, log: silentLog })).close();
  return faults;
}

/** The baseline makes tables that are new; what comes later meets tables that servers use. */
function spied(migration: Migration, say: (fault: string) => void): Migration {
  if (migration.kind === 'contract') return migration;
  return {
    ...migration,
    up: async (trx) => {
      const made = new Set<string>();
      trx.on('query', ({ sql }: { readonly sql: string }) => {
        const [, table] = /^create table [`"]?(\w+)/i.exec(sql) ?? [];
        if (table !== undefined) made.add(table);
        if ([...made].some((name) => sql.includes(name))) return;
        for (const [pattern, what] of narrows) if (pattern.test(sql)) say(what);
      });
      await migration.up(trx);
    },
  };
}

test('each migration says its kind, and one that says "expand" only adds', async () => {
  expect(await faultsOf(migrations)).toEqual([]);
});

test('one that says so and does more is found', async () => {
  const of = (...later: readonly (readonly [string, string])[]): readonly MigrationSet[] =>
    later.map(([name, sql]) => ({
      name,
      migrations: [
        {
          id: '1',
          kind: 'expand',
          up: (trx) => trx.raw(`create table ${name} (x text, y text)`),
        },
        { id: '2', kind: 'expand', up: (trx) => trx.raw(sql) },
      ],
    }));

  const faults = await faultsOf(
    of(
      ['a', 'alter table a drop column y'],
      ['b', 'alter table b rename column y to z'],
      ['c', 'alter table c add column z text not null'],
      ['d', 'create unique index one on d (x)'],
      ['e', "alter table e add column z text not null default ''"],
      ['f', 'create table g (x text not null)'],
    ),
  );

  expect(faults).toEqual([
    'a 2 takes away',
    'b 2 renames',
    'c 2 needs a value that others do not give',
    'd 2 refuses rows that others write',
  ]);
});

test('one that takes away names a version that exists', async () => {
  const takes = (oldestVersion: string): Migration => ({
    id: '2',
    kind: 'contract',
    oldestVersion,
    up: async () => undefined,
  });
  const first: Migration = { id: '1', kind: 'expand', up: async () => undefined };

  const of = (oldestVersion: string) => [{ name: 'x', migrations: [first, takes(oldestVersion)] }];

  expect(await faultsOf(of(version))).toEqual([]);
  expect(await faultsOf(of('99.0.0'))).toEqual([
    'x 2 names a version that does not exist yet: 99.0.0',
  ]);
});

test('a migration without its kind does not compile', () => {
  // @ts-expect-error: it says neither "expand" nor "contract".
  const none: Migration = { id: '2', up: async () => undefined };
  // @ts-expect-error: it does not say which versions may run beside it.
  const half: Migration = { id: '2', kind: 'contract', up: async () => undefined };

  expect([none.kind, half.kind]).toEqual([undefined, 'contract']);
});
