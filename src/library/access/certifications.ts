/**
 * Which certifications there are in each library. A list that is limited by rating names those that it
 * admits, so one that is not known here shows to nobody who has a limit: nothing leaks when this is
 * behind. It is never behind: every change of an item takes a number of the change feed, and whoever
 * asks here first reads what came after the last number that was seen, if anything was written since.
 */
import type { Database } from '../../../kernel/index.ts';
import { lastNumber } from '../counter-store.ts';
import {
  readCertifications,
  readCertificationsAfter,
  readItemCounts,
  type CertificationRow,
} from './certification-store.ts';

/** The certifications of one library. */
export interface LibraryCertifications {
  /** About how many active items have each: to choose a way to read by, never an answer. */
  readonly items: ReadonlyMap<string, number>;
  /** About how many active items there are in all. */
  readonly total: number;
}

/** The certifications of the libraries by number, as of now: what is committed is in it. */
export type ReadCertifications = () => Promise<ReadonlyMap<number, LibraryCertifications>>;

interface Book {
  /** The last number of the feed that is in it. */
  seq: number;
  /** How many writes of the database it has seen the end of. */
  writes: number;
  readonly libraries: Map<number, { items: Map<string, number>; total: number }>;
  /** How many changes were added since everything was counted, and how many items there were then. */
  changes: number;
  readonly counted: number;
}

/** So many changes make the counts wrong enough to count again, and this share of all items. */
const manyChanges = 1000;
const largeShare = 0.1;

/** Creates the reading; the first one counts everything. */
export function createReadCertifications(
  database: Pick<Database, 'read' | 'writes'>,
): ReadCertifications {
  const db = database.read;
  let book: Book | null = null;

  async function count(): Promise<Book> {
    const writes = database.writes();
    const seq = await lastNumber(db);
    const [rows, totals] = await Promise.all([readCertifications(db), readItemCounts(db)]);
    const libraries: Book['libraries'] = new Map(
      [...totals].map(([no, total]) => [no, { items: new Map<string, number>(), total }]),
    );
    const counted = [...totals.values()].reduce((sum, total) => sum + total, 0);
    const counting = { seq, writes, libraries, changes: 0, counted };
    add(counting, rows);
    return counting;
  }

  return async () => {
    const known = book;
    if (known === null) return (book = await count()).libraries;
    const writes = database.writes();
    if (writes === known.writes) return known.libraries;
    const seq = await lastNumber(db);
    // A number that went back is another database in the old one's place.
    if (seq < known.seq) return (book = await count()).libraries;
    if (seq === known.seq) {
      known.writes = Math.max(known.writes, writes);
      return known.libraries;
    }
    const rows = await readCertificationsAfter(db, known.seq);
    known.changes += add(known, rows);
    known.seq = Math.max(known.seq, seq);
    known.writes = Math.max(known.writes, writes);
    const isStale = known.changes > Math.max(manyChanges, known.counted * largeShare);
    if (isStale) book = withKnown(await count(), known);
    return book?.libraries ?? known.libraries;
  };
}

/** Adds what was read, and tells of how many items. */
function add({ libraries }: Pick<Book, 'libraries'>, rows: readonly CertificationRow[]): number {
  let added = 0;
  for (const { library_no, certification, items } of rows) {
    const library = libraries.get(library_no) ?? { items: new Map<string, number>(), total: 0 };
    libraries.set(library_no, library);
    library.items.set(certification, (library.items.get(certification) ?? 0) + Number(items));
    added += Number(items);
  }
  return added;
}

/** A search index that is behind may still have items under what they were: nothing is forgotten. */
function withKnown(fresh: Book, { libraries }: Book): Book {
  for (const [no, { items }] of libraries)
    for (const certification of items.keys()) {
      const library = fresh.libraries.get(no);
      if (library !== undefined && !library.items.has(certification))
        library.items.set(certification, 0);
    }
  return fresh;
}
