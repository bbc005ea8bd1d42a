/** How the databases plan the statements that must stay quick however large a library is. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Queries } from '../../../../kernel/store/index.ts';
import { openTestLibrary, type TestLibrary } from '../../../../test/support/library/library.ts';
import { testByNight } from '../../../../test/support/run/test-by-night.ts';
import { hasPostgres } from '../../../../test/support/storage/postgres.ts';
import { newDatabaseUrl, openTestStorage } from '../../../../test/support/storage/storage.ts';
import { serverViewer } from '../../../people/viewer/index.ts';
import { countEntityLetters, readEntityPage } from '../entities/entity-page-store.ts';
import { readItemPage, type ListedOrder } from '../items/item-list-store.ts';
import { lastFileOf, readAlbumSounds, readStudiedFiles } from '../studies/studied-file-store.ts';
import { readTiles } from '../items/tile-store.ts';
import { readChanges } from './change-store.ts';
import { parseMap } from './rows.ts';
import { libraryMigrations } from './schema.ts';

const isSqlite = process.env['VITRINE_TEST_DATABASE'] !== 'postgres';

/** The columns of what a profile played, of which there is nothing. */
const noState = {
  item_id: 'id',
  completed: '0',
  position: '0',
  duration: '0',
  play_count: '0',
  last_played_at: 'null',
  favourite_at: 'null',
  rating: 'null',
};

interface Asked {
  readonly sql: string;
  readonly bindings: readonly unknown[];
}

/** The statements that `work` runs. */
async function askedBy(db: Queries, work: () => Promise<unknown>): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  const note = (query: Asked): void => void asked.push(query);
  db.on('query', note);
  await work();
  db.removeListener('query', note);
  expect(asked).not.toHaveLength(0);
  return asked;
}

/** The steps of each statement that `work` runs. */
async function plansOf(library: TestLibrary, work: () => Promise<unknown>): Promise<string[]> {
  const db = library.storage.database.read;
  const asked = await askedBy(db, work);
  const steps: string[] = [];
  for (const { sql, bindings } of asked) {
    const plan = await db.raw<{ detail: string }[]>(`explain query plan ${sql}`, [
      ...bindings,
    ] as []);
    steps.push(...plan.map(({ detail }) => detail));
  }
  return steps;
}

describe.skipIf(!isSqlite)('a plan of SQLite (needs SQLite as the database)', () => {
  test('of tiles reads the entities of each tile, and not all entities of a type', async () => {
    const library = await openTestLibrary();
    onTestFinished(library.close);
    const selectPlayback = () => ({ columns: noState, from: "items where id = ''", bindings: [] });

    const steps = await plansOf(library, () =>
      readTiles(library.storage.database.read, ['a', 'b'], {
        scope: {
          libraries: [],
          showsHidden: false,
          findsHidden: false,
          showsPaths: false,
          readFree: parseMap,
          entityLanguages: [],
        },
        profileId: '',
        selectPlayback,
      }),
    );

    expect(steps).toContainEqual(expect.stringMatching(/^SEARCH link USING .*item_no=/));
    expect(steps).toContain('SEARCH entity USING INTEGER PRIMARY KEY (rowid=?)');
  });

  test.each([
    ['asc', '>'],
    ['desc', '<'],
  ] as const)(
    'of a page %s among many items of one year begins at its place',
    async (sortOrder, sign) => {
      const library = await openTestLibrary();
      onTestFinished(library.close);
      const { id } = await library.libraries.create({
        ...{ name: 'Films', type: 'movies', roots: ['file:///films'] },
      });
      const seen = {
        ...{
          no: 1,
          id,
          name: 'Films',
          type: 'movies',
          roots: [],
          links: [],
          hidden: false,
          languages: [],
        },
        ...{ certifications: null, share: null, textLanguages: [] },
      };
      const order: ListedOrder = { by: 'year' };
      const page = {
        selection: { libraries: [seen, { ...seen, no: 2 }], filters: [] },
        ...{ order, sortOrder, after: { value: 0, no: 900 }, limit: 60 },
      };

      const steps = await plansOf(library, () => readItemPage(library.storage.database.read, page));

      const walks = steps.filter((step) => step.includes('items_by_year'));
      const search = 'SEARCH items USING COVERING INDEX items_by_year';
      expect(walks).toEqual(
        [1, 2].flatMap(() => [
          `${search} (library_no=? AND year=? AND no${sign}?)`,
          `${search} (library_no=? AND year${sign}?)`,
        ]),
      );
      expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
    },
  );

  test('of a page of changes walks the items in the order of the feed', async () => {
    const library = await openTestLibrary();
    onTestFinished(library.close);

    const steps = await plansOf(library, () => readChanges(library.storage.database.read, 0, 100));

    expect(steps).toContain('SEARCH items USING INDEX items_seq_index (seq>?)');
    expect(steps).toContain('SEARCH libraries USING INTEGER PRIMARY KEY (rowid=?)');
  });

  test('of the files and albums that media jobs walk goes on where the last page ended', async () => {
    const library = await openTestLibrary();
    onTestFinished(library.close);
    const db = library.storage.database.read;

    const page = await plansOf(library, () => readStudiedFiles(db, 'x', { after: 7, limit: 100 }));
    const last = await plansOf(library, () => lastFileOf(db, 'x'));
    const albums = await plansOf(library, () => readAlbumSounds(db, 'x', { after: 7, albums: 20 }));

    const search = 'SEARCH files USING INDEX files_in_order (library_no=?';
    expect(page).toContain(`${search} AND no>?)`);
    expect(last[0]?.replace('COVERING ', '')).toBe(`${search})`);
    expect(albums[0]).toBe('SEARCH entity USING INTEGER PRIMARY KEY (rowid>?)');
    const sorted = [...page, ...last, ...albums].filter((step) => step.includes('FOR ORDER BY'));
    expect(sorted).toEqual([]);
  });

  test('of the letters of entities counts them in one index, in its order', async () => {
    const library = await openTestLibrary();
    onTestFinished(library.close);

    const steps = await plansOf(library, () =>
      library.entities.letters(serverViewer, { type: 'show' }),
    );

    expect(steps[0]).toBe('SEARCH entities USING INDEX entities_by_letter (type=? AND shown_by>?)');
    // Only those that wait for the upkeep are looked up one by one, and grouped.
    expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toHaveLength(1);
  });
});

/** The plan of the first statement that `work` runs. */
async function postgresPlanOf(db: Queries, work: () => Promise<unknown>): Promise<string> {
  const [asked] = await askedBy(db, work);
  const rows = await db.raw<readonly Record<string, string>[]>(
    `explain ${asked?.sql.replaceAll(/\$\d+/g, '?') ?? ''}`,
    [...(asked?.bindings ?? [])] as [],
  );
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

describe.skipIf(!hasPostgres())('a plan of PostgreSQL (needs PostgreSQL)', () => {
  /** 4000 shows, each with 20 items of library 1. */
  async function openShows(): Promise<Queries> {
    const { database } = await openTestStorage({
      ...{ driver: 'pg', url: await newDatabaseUrl('pg') },
      migrations: [libraryMigrations],
    });
    await database.write(async (trx) => {
      // Vacuum marks pages as visible to all only when the commit is on the disk.
      await trx.raw('set local synchronous_commit = on');
      await trx.raw(
        `insert into entities
         (no, id, key, type, name, sort_name, status, metadata, shown_by, created_at, updated_at)
         select n, n, n, 'show', n, n, 'active', repeat('x', 1000), '[[1,null]]', 1, 1
         from generate_series(1, 4000) as n`,
      );
      await trx.raw(
        `insert into items (no, id, library_no, group_key, title, sort_title, year, metadata, status,
           is_named, seq, added_at, updated_at)
         select n, n, 1, n, n, n, 0, '{}', 'active', 0, n, 1, 1 from generate_series(1, 80000) as n`,
      );
      await trx.raw(
        `insert into item_entities (item_no, entity_no, role, sort_order)
         select n, 1 + n / 20, 'show', 0 from generate_series(1, 79999) as n`,
      );
    });
    await database.read.raw('vacuum analyze entities, items, item_entities');
    return database.read;
  }

  const selection = {
    scope: {
      ...{
        showsHidden: false,
        findsHidden: false,
        showsPaths: false,
        readFree: parseMap,
        entityLanguages: [],
      },
      libraries: [
        {
          ...{
            no: 1,
            id: 'one',
            name: 'One',
            type: 'tv',
            roots: [],
            links: [],
            hidden: false,
            languages: [],
          },
          ...{ certifications: null, share: null, textLanguages: [] },
        },
      ],
    },
    ...{ type: 'show', status: undefined, withEntityNo: undefined, years: undefined },
    isFavourite: undefined,
  };

  testByNight('of the letters of entities reads the index, and no row of an entity', async () => {
    const db = await openShows();

    const plan = await postgresPlanOf(db, () => countEntityLetters(db, selection));

    expect(plan).toContain('Index Only Scan using entities_by_letter on entities');
    expect(plan).not.toContain('Seq Scan on entities');
  });

  test('of entities by name looks for one item of each, and does not read all items', async () => {
    const db = await openShows();
    const order = { sortBy: 'name', sortOrder: 'asc', seed: '', offset: 0, limit: 60 } as const;
    const plays = { sql: '', bindings: [] };

    const plan = await postgresPlanOf(db, () =>
      readEntityPage(db, { ...selection, ...order, plays, after: null }),
    );

    expect(plan).toContain('Index Scan using entities_type_sort_name_no_index on entities');
    expect(plan).not.toContain('Seq Scan');
    expect(plan).not.toContain('Hash');
  });
});
