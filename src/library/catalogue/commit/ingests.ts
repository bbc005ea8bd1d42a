import {
  commitIngest,
  type IngestedFile,
  type IngestedItem,
  type IngestOutcome,
} from './ingest-commit.ts';
import { createRegroup, type Regroup, type RegroupParts } from './regroup.ts';
import { joinLivePhotos } from './live-photos.ts';
import { readSubjects, type IngestSubject } from './ingest-subjects.ts';
import { dropReportsIn, dropReportsOf, readLiveHalves } from '../tables/probe-report-store.ts';
import { readItemRows, readItemsById } from '../tables/item-store.ts';
import { findLibrary, readLibraries, rootsOf, type LibraryRow } from '../tables/library-store.ts';
import {
  countPending,
  markItems,
  markItemsToLookUp,
  markItemsToMerge,
  markLibrary,
  markLibraryToMerge,
  markUnavailable,
  filterPending,
  readPendingItems,
  settleWith,
} from '../tables/pending-store.ts';
import { schemeOf } from '../tables/root-uri.ts';

/** What an ingest that is queued does again. */
export interface HowToIngest {
  readonly reads: boolean;
  readonly asks: boolean;
}

/** What an ingest reads and writes of the libraries. */
export interface Ingests {
  /** Undefined when there is no such library. */
  readonly library: (libraryId: string) => Promise<LibraryRow | undefined>;
  /** The plugin that holds a library's files; empty when none does now. */
  readonly filesystemOf: (library: LibraryRow) => string;
  /** URIs of the roots of a library. */
  readonly rootsOf: (library: LibraryRow) => readonly string[];
  /** Ids of the libraries in which files wait: of all, or of this one. */
  readonly waiting: (libraryId?: string) => Promise<readonly string[]>;
  readonly count: (library: LibraryRow) => Promise<{
    readonly pending: number;
    readonly failed: number;
    readonly total: number;
  }>;
  /** Numbers of items with a file that waits, above `after`, ascending. */
  readonly pending: (
    library: LibraryRow,
    page: { readonly after: number; readonly limit: number },
  ) => Promise<readonly number[]>;
  /** The numbers of these items of the library that exist, ascending. */
  readonly numbersOf: (
    library: LibraryRow,
    itemIds: readonly string[],
  ) => Promise<readonly number[]>;
  readonly idsOf: (itemNumbers: readonly number[]) => Promise<readonly string[]>;
  /**
   * Marks items for a look-up that is about to read them: what was read of them before does not
   * count any longer. Those that wait for more than a merge are not marked.
   */
  readonly markToLookUp: (itemNumbers: readonly number[]) => Promise<void>;
  /** Those of these items that have a waiting file. */
  readonly filterPending: (itemNumbers: readonly number[]) => Promise<readonly number[]>;
  readonly read: (
    library: LibraryRow,
    itemNumbers: readonly number[],
  ) => Promise<readonly IngestSubject[]>;
  readonly commit: (items: readonly IngestedItem[]) => Promise<IngestOutcome>;
  /** Settles files with an error and without results. */
  readonly giveUp: (
    files: readonly Pick<IngestedFile, 'no' | 'ticket'>[],
    error: { readonly code: string; readonly message: string },
  ) => Promise<void>;
  /**
   * Queues these items for another ingest; gives the numbers of those that exist. With `reads`
   * their media is probed again too; else the stored reports are used. Without `asks`, sources on
   * the network are not asked: what they said before is merged again, unless the item waits for
   * more already.
   */
  readonly markItems: (
    library: LibraryRow,
    itemIds: readonly string[],
    how: HowToIngest,
  ) => Promise<readonly number[]>;
  /**
   * Groups the files of some items again, by number above `after`. Gives the last number; null when
   * there are none.
   */
  readonly regroup: Regroup;
  readonly markLibrary: (library: LibraryRow, how: HowToIngest) => Promise<void>;
  /** Queues files for which no plugin was available. */
  readonly markUnavailable: (codes: readonly string[]) => Promise<void>;
}

export function createIngests(
  parts: RegroupParts & {
    readonly filesystemFor: (scheme: string) => string | undefined;
  },
): Ingests {
  const { database, entities, newId, now } = parts;
  const { insertRows, read: db, write } = database;

  async function numbersOf(
    library: LibraryRow,
    itemIds: readonly string[],
  ): Promise<readonly number[]> {
    const rows = await readItemsById(db, itemIds);
    const own = rows.filter((row) => row.library_no === library.no);
    return own.map(({ no }) => no).sort((one, other) => one - other);
  }

  async function joinPhotos(fileNumbers: readonly number[]): Promise<void> {
    // Most files are none: they are looked for without a transaction.
    const halves = await readLiveHalves(db, fileNumbers);
    const [{ libraryId } = { libraryId: null }] = halves;
    if (libraryId === null) return;
    const joined = await write((trx) =>
      joinLivePhotos(trx, { ...parts, insertRows }, fileNumbers, now()),
    );
    if (joined === null) return;
    entities.learn(joined.entityNumbers);
    for (const { type, itemId, title } of joined.news)
      parts.emit(type, { itemId, libraryId, title });
  }

  return {
    library: (libraryId) => findLibrary(db, libraryId),
    filesystemOf: (library) =>
      library.plugin_id ?? parts.filesystemFor(schemeOf(rootsOf(library)[0] ?? '')) ?? '',
    rootsOf,
    waiting: async (libraryId) => {
      const all = await readLibraries(db);
      const libraries = libraryId === undefined ? all : all.filter(({ id }) => id === libraryId);
      const first = { after: 0, limit: 1 };
      const found = await Promise.all(
        libraries.map(({ no }) => readPendingItems(db, { libraryNo: no, ...first })),
      );
      return libraries.filter((_, index) => found[index]?.length).map(({ id }) => id);
    },
    count: ({ no }) => countPending(db, no),
    pending: ({ no }, page) => readPendingItems(db, { libraryNo: no, ...page }),
    numbersOf,
    idsOf: async (itemNumbers) => (await readItemRows(db, itemNumbers)).map(({ id }) => id),
    markToLookUp: async (itemNumbers) => write((trx) => markItemsToLookUp(trx, itemNumbers)),
    filterPending: (itemNumbers) => filterPending(db, itemNumbers),
    read: (library, itemNumbers) => readSubjects(database, library, itemNumbers),
    commit: async (items) => {
      const commitParts = { insertRows, entities, newId };
      const outcome = await write((trx) => commitIngest(trx, commitParts, items, now()));
      entities.learn(outcome.entityNumbers);
      await joinPhotos(items.flatMap(({ files }) => files.map(({ no }) => no)));
      return outcome;
    },
    giveUp: async (files, error) => write((trx) => settleWith(trx, files, error, now())),
    markItems: async (library, itemIds, { reads, asks }) => {
      const numbers = await numbersOf(library, itemIds);
      await write(async (trx) => {
        if (reads) await dropReportsOf(trx, numbers);
        await (asks ? markItems : markItemsToMerge)(trx, numbers);
      });
      return numbers;
    },
    regroup: createRegroup(parts),
    markLibrary: async ({ no }, { reads, asks }) =>
      write(async (trx) => {
        if (reads) await dropReportsIn(trx, no);
        await (asks ? markLibrary : markLibraryToMerge)(trx, no);
      }),
    markUnavailable: async (codes) => write((trx) => markUnavailable(trx, codes)),
  };
}
