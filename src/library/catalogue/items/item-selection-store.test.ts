import { beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../../kernel/store/index.ts';
import { openTestStorage } from '../../../../test/support/storage/storage.ts';
import type { ScopedLibrary } from '../access/index.ts';
import { libraryMigrations } from '../index.ts';
import { numbersIn, type Fragment, type ItemFilter } from './item-filters.ts';
import { readItemPage, type ItemPage } from './item-list-store.ts';
import { findLibrarySources } from './item-selection-store.ts';

let database: Database;

const at = { created_at: 1, updated_at: 1 };

/** Library 1 has no years, 2 has a few, and all items of 3 have one. */
const yearsOf: Readonly<Record<number, readonly number[]>> = {
  1: Array.from({ length: 40 }, () => 0),
  2: [...Array.from({ length: 40 }, () => 0), 1999, 1998],
  3: Array.from({ length: 40 }, (_, at) => 1980 + at),
};

const libraries = Object.keys(yearsOf).map((no) => ({
  ...{ no: Number(no), id: `library-${no}`, type: 'movies' as const, hidden: false },
  ...{ certifications: null, share: null },
})) as unknown as readonly ScopedLibrary[];

const condition: Fragment = { sql: 'year >= ?', bindings: [1960] };
const byYear: ItemFilter = {
  row: { sql: '(items.year + 0) >= ?', bindings: [1960] },
  numbers: numbersIn([1, 2, 3], condition),
  indexed: condition,
};

beforeEach(async () => {
  ({ database } = await openTestStorage({ migrations: [libraryMigrations] }));
  await database.write(async (trx) => {
    let no = 0;
    for (const [library, years] of Object.entries(yearsOf)) {
      await trx('libraries').insert({
        ...{ no: Number(library), id: `library-${library}`, name: library, name_key: library },
        ...{ type: 'movies', roots: '[]', hidden: false, ...at },
      });
      for (const year of years) {
        no += 1;
        await trx('items').insert({
          ...{ no, id: `item-${no}`, library_no: Number(library), group_key: `${no}`, title: '' },
          ...{ sort_title: `title ${no % 7} ${no}`, year, metadata: '{}', status: 'active' },
          ...{ is_named: true, seq: no, added_at: no, updated_at: 1 },
        });
      }
      await trx('libraries').where('no', Number(library)).update({ item_count: years.length });
    }
  });
});

describe('a filter by a column that each library has an index of', () => {
  test('leaves out a library without such items, and reads few instead of walking', async () => {
    const sources = await findLibrarySources(database.read, { libraries, filters: [byYear] }, 4);

    expect(sources.get(1)).toBeUndefined();
    expect(sources.get(2)).toEqual(numbersIn([2], condition));
    expect(sources.get(3)).toBeNull();
  });

  test('gives the same pages as one look at all items', async () => {
    const ask = (after: ItemPage['after']): ReturnType<typeof readItemPage> =>
      readItemPage(database.read, {
        ...{ selection: { libraries, filters: [byYear] }, order: { by: 'title' as const } },
        ...{ sortOrder: 'asc' as const, after, limit: 4 },
      });
    const ids: string[] = [];
    for (let page = await ask(null); page.length > 0;) {
      ids.push(...page.map(({ id }) => id));
      page = await ask(page.at(-1) ?? null);
    }

    const wanted = await database
      .read('items')
      .where('year', '>=', 1960)
      .orderBy(['sort_title', 'no'])
      .select<{ id: string }[]>('id');
    expect(wanted).toHaveLength(42);
    expect(ids).toEqual(wanted.map(({ id }) => id));
  });

  test('gives an empty page where no library has such items', async () => {
    const none: Fragment = { sql: 'year >= ?', bindings: [3000] };
    const filter = { ...byYear, numbers: null, indexed: none };
    const page = await readItemPage(database.read, {
      ...{ selection: { libraries, filters: [filter] }, order: { by: 'title' as const } },
      ...{ sortOrder: 'asc' as const, after: null, limit: 4 },
    });

    expect(page).toEqual([]);
  });
});
