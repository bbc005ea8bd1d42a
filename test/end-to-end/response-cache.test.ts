/**
 * Cached responses outlive writes to tables on which they do not depend. This test compares the lists of
 * these tables with the statements that really run, and with the triggers of the database.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fullVisibility, type Visibility } from '../../src/people/accounts/index.ts';
import { migrations } from '../../src/compose/migrations.ts';
import { ignoredByItems, ignoredBySearch } from '../../src/library/catalogue/index.ts';
import { member, openHousehold, type Household } from '../support/household.ts';
import { bearer } from '../support/http.ts';
import { isOverPostgres } from '../support/postgres.ts';
import { openTestStorage } from '../support/storage.ts';

let house: Household;
const statements: string[] = [];

beforeAll(async () => {
  house = await openHousehold(
    { Films: { hidden: false }, Vault: { hidden: true } },
    {
      Mildred: { library: 'Films', certification: 'PG', genres: ['Common'], episode: 1 },
      Slasher: { library: 'Films', certification: 'R', genres: ['Gore'] },
      Veilchen: { library: 'Vault', certification: 'PG' },
    },
  );
  const upToPg = [[{ system: 'MPAA', label: 'PG' }]];
  const visibilities: Record<string, Visibility> = {
    everything: { ...fullVisibility, showsHidden: true },
    limited: {
      libraries: new Map([[house.libraryIds['Films'] ?? '', upToPg]]),
      showsHidden: false,
    },
  };
  for (const [name, visibility] of Object.entries(visibilities))
    house.viewers.set(name, member('admin', visibility));
  house.storage.database.read.on('query', ({ sql }: { readonly sql: string }) =>
    statements.push(sql),
  );
});

afterAll(() => house.close());

async function ask<Reply>(url: string, who: string): Promise<Reply> {
  const reply = await house.app.inject({ url, headers: bearer(who) });
  expect(reply.statusCode).toBe(200);
  return reply.json<Reply>();
}

async function searchFor(...texts: readonly string[]): Promise<void> {
  for (const who of ['everything', 'limited'])
    for (const text of texts) await ask(`/api/search?q=${text}`, who);
}

/** The table names in the statements of these requests; those of text indexes as one. */
async function namesReadBy(
  work: () => Promise<void>,
  isMeant: (sql: string) => boolean = () => true,
): Promise<ReadonlySet<string>> {
  statements.length = 0;
  await work();
  const names = statements.filter(isMeant).flatMap((sql) => sql.match(/\w+/g) ?? []);
  return new Set(names.map((name) => (name.startsWith('text_index') ? 'text_indexes' : name)));
}

describe('a cached response that outlives writes to some tables', () => {
  test('does not read them for a list of items, for any viewer and query', async () => {
    const names = await namesReadBy(async () => {
      for (const who of ['everything', 'limited'])
        for (const sortBy of ['title', 'addedAt', 'year'])
          for (const sortOrder of ['asc', 'desc']) {
            const list = `/api/items?limit=1&sortBy=${sortBy}&sortOrder=${sortOrder}`;
            await ask(`${list}&type=movies`, who);
            await ask(`${list}&libraryId=${house.libraryIds['Films'] ?? ''}`, who);
            const { nextCursor } = await ask<{ nextCursor: string | null }>(list, 'everything');
            if (nextCursor !== null) await ask(`${list}&cursor=${nextCursor}`, 'everything');
          }
    });

    expect([...names]).toEqual(
      expect.arrayContaining([
        'items',
        'files',
        'item_entities',
        'entities',
        'chapters',
        'playback',
      ]),
    );
    expect([...ignoredByItems].filter((table) => names.has(table))).toEqual([]);
  });

  test('does not read them for a search', async () => {
    const names = await namesReadBy(() => searchFor('lantern', 'mildred', 'slashr', 'nothing'));

    expect([...names]).toEqual(expect.arrayContaining(['items', 'entities', 'text_indexes']));
    expect([...ignoredBySearch].filter((table) => names.has(table))).toEqual([]);
  });

  test('does not read them for the items and entities of the hits, which are cached like lists', async () => {
    const isOfThings = (sql: string) => !sql.includes('text_index');
    const names = await namesReadBy(() => searchFor('lan', 'person', 'veilchen'), isOfThings);

    expect([...names]).toEqual(expect.arrayContaining(['items', 'entities', 'files', 'playback']));
    expect([...ignoredByItems].filter((table) => names.has(table))).toEqual([]);
  });

  test.skipIf(isOverPostgres)('is nothing after a write to any other table', async () => {
    const { database } = await openTestStorage({ migrations });
    const tables = await database
      .read('sqlite_master')
      .where('type', 'table')
      .whereRaw("name not like 'sqlite_%'")
      .pluck<string[]>('name');
    const outlived: Record<'items' | 'search', string[]> = { items: [], search: [] };
    for (const table of tables) {
      const before = [database.writes(ignoredByItems), database.writes(ignoredBySearch)];
      await database.write((trx) => trx(table).whereRaw('1 = 0').delete());
      if (database.writes(ignoredByItems) === before[0]) outlived.items.push(table);
      if (database.writes(ignoredBySearch) === before[1]) outlived.search.push(table);
    }

    const namesOf = (apart: ReadonlySet<string>) =>
      [...apart].flatMap((name) =>
        name === 'text_indexes' ? ['text_index_labels', 'text_indexes'] : [name],
      );
    expect(outlived.items.sort()).toEqual(namesOf(ignoredByItems).sort());
    expect(outlived.search.sort()).toEqual(namesOf(ignoredBySearch).sort());
  });

  test.skipIf(isOverPostgres)('is changed by no trigger and no cascade of theirs', async () => {
    const { database } = await openTestStorage({ migrations });
    const schema = await database
      .read('sqlite_master')
      .select<{ tbl_name: string; sql: string }[]>();
    const triggers = schema.filter(({ sql }) => /^create trigger/i.test(sql));
    const cascades = schema.flatMap(({ sql }) =>
      [...(sql ?? '').matchAll(/references\s+["`]?(\w+)["`]?[^,]*\bon (?:delete|update)\b/gi)].map(
        ([, table]) => table,
      ),
    );

    const begun = [...triggers.map(({ tbl_name: table }) => table), ...cascades];
    expect(triggers.length).toBeGreaterThan(0);
    expect(begun.filter((table) => ignoredByItems.has(table ?? ''))).toEqual([]);
  });
});
