/**
 * The certifications that occur in each library. A list that is limited by rating names those that
 * it admits, so a certification that is missing here is hidden from every limited viewer: nothing
 * leaks when this is stale. It is not stale: every change of an item takes a number of the change
 * feed, and each read first adds the changes after the last number seen, if anything was written
 * since.
 */
import type { Database } from '../../../../kernel/store/index.ts';
import { lastNumber } from '../tables/counter-store.ts';
import {
  readCertifications,
  readCertificationsAfter,
  readItemCounts,
  type CertificationRow,
} from './certification-store.ts';

export interface LibraryCertifications {
  /** About how many active items have each. For choosing a query plan, never for an answer. */
  readonly items: ReadonlyMap<string, number>;
  /** About how many active items there are in total. */
  readonly total: number;
}

/** The certifications of the libraries, by library number. It includes everything committed. */
export type ReadCertifications = () => Promise<ReadonlyMap<number, LibraryCertifications>>;

interface CertificationIndex {
  /** The last number of the feed that is included. */
  seq: number;
  /** The write version of the database up to which this is complete; 0 where it is unknown. */
  writes: number;
  readonly libraries: Map<number, { items: Map<string, number>; total: number }>;
  /** How many changes were added since the last full count, and how many items there were then. */
  changes: number;
  readonly counted: number;
}

/** Count again after this many changes, if they are also this share of all items. */
const manyChanges = 1000;
const largeShare = 0.1;

/** Creates the reader. Its first call counts everything. */
export function createReadCertifications(
  database: Pick<Database, 'read' | 'writes'>,
): ReadCertifications {
  const db = database.read;
  let index: CertificationIndex | null = null;

  async function count(): Promise<CertificationIndex> {
    const writes = database.writes() ?? 0;
    const seq = await lastNumber(db);
    const [rows, totals] = await Promise.all([readCertifications(db), readItemCounts(db)]);
    const libraries: CertificationIndex['libraries'] = new Map(
      [...totals].map(([no, total]) => [no, { items: new Map<string, number>(), total }]),
    );
    const counted = [...totals.values()].reduce((sum, total) => sum + total, 0);
    const counting = { seq, writes, libraries, changes: 0, counted };
    add(counting, rows);
    return counting;
  }

  return async () => {
    const known = index;
    if (known === null) return (index = await count()).libraries;
    const version = database.writes();
    if (version === known.writes) return known.libraries;
    const writes = version ?? 0;
    const seq = await lastNumber(db);
    // A lower number means that another database replaced this one.
    if (seq < known.seq) return (index = await count()).libraries;
    if (seq === known.seq) {
      known.writes = Math.max(known.writes, writes);
      return known.libraries;
    }
    const rows = await readCertificationsAfter(db, known.seq);
    known.changes += add(known, rows);
    known.seq = Math.max(known.seq, seq);
    known.writes = Math.max(known.writes, writes);
    const isStale = known.changes > Math.max(manyChanges, known.counted * largeShare);
    if (isStale) index = withKnown(await count(), known);
    return index?.libraries ?? known.libraries;
  };
}

/** Adds rows and returns how many items they cover. */
function add(
  { libraries }: Pick<CertificationIndex, 'libraries'>,
  rows: readonly CertificationRow[],
): number {
  let added = 0;
  for (const { library_no, certification, items } of rows) {
    const library = libraries.get(library_no) ?? { items: new Map<string, number>(), total: 0 };
    libraries.set(library_no, library);
    library.items.set(certification, (library.items.get(certification) ?? 0) + Number(items));
    added += Number(items);
  }
  return added;
}

/**
 * Keeps certifications without items: a search index that is behind may still use their partitions.
 */
function withKnown(
  fresh: CertificationIndex,
  { libraries }: CertificationIndex,
): CertificationIndex {
  for (const [no, { items }] of libraries)
    for (const certification of items.keys()) {
      const library = fresh.libraries.get(no);
      if (library !== undefined && !library.items.has(certification))
        library.items.set(certification, 0);
    }
  return fresh;
}
