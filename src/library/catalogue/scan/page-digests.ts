import {
  mostIndexedBytes,
  type Database,
  type Transaction,
} from '../../../../kernel/store/index.ts';
import type { PageRange } from './page-diff.ts';
import { chunks } from '../tables/rows.ts';

/** A page of a scan that equals the library. Bounds are texts in the order of URIs. */
export interface PageDigest {
  /** Exclusive. */
  readonly after: string;
  /** Inclusive. */
  readonly through: string;
  /** Digest of the listing and of what was looked for in it. */
  readonly digest: string;
  /** How many media files it holds. */
  readonly files: number;
}

/** A page with the part digests of its filesystem, if it came with them. */
export interface PageDigestWithParts extends PageDigest {
  readonly parts?: string;
}

/**
 * The digests of pages that a scan need not bring in again. A digest is stored when the files of
 * the page are in the library as listed, and removed in the same transaction that changes anything
 * in its range. So a listing with a stored digest has no changes. A lost digest only costs time.
 */
export interface PageDigests {
  /** The pages that cover the range without a gap; empty when they do not. */
  readonly find: (libraryNo: number, range: PageRange) => Promise<readonly PageDigest[]>;
  /** The pages within the range, in their order. */
  readonly list: (libraryNo: number, range: PageRange) => Promise<readonly PageDigest[]>;
  /** The first pages of `list`, with their parts. */
  readonly listWithParts: (
    libraryNo: number,
    range: PageRange,
    limit: number,
  ) => Promise<readonly PageDigestWithParts[]>;
  /** Stores the digest of a page. It is written to the database with later ones. */
  readonly add: (libraryNo: number, page: PageDigestWithParts) => Promise<void>;
  /** Removes the digest of every page that overlaps the range. */
  readonly invalidateRange: (
    trx: Transaction,
    libraryNo: number,
    range: PageRange,
  ) => Promise<void>;
}

interface Row extends PageDigest {
  readonly library_no: number;
  readonly parts: string | null;
}

/**
 * The digests of one library, by where they begin; those of `unwritten` are not in the database
 * yet. Only these have their parts in memory.
 */
interface LibraryDigests {
  readonly byStart: Map<string, PageDigest>;
  readonly unwritten: Map<PageDigest, PageDigestWithParts>;
  /** Whether the database may hold some. */
  isWritten: boolean;
}

const mostUnwritten = 100;

/**
 * With other servers on the database, digests are not cached in memory: each read uses the
 * database.
 */
export function createPageDigests(database: Database): PageDigests {
  return database.dialect === 'sqlite' ? createCachedDigests(database) : createShared(database);
}

function createShared({ read, write, insertRows }: Database): PageDigests {
  const within = (db: Database['read'], libraryNo: number) =>
    db<Row>('sealed_pages').where({ library_no: libraryNo });
  return {
    find: async (libraryNo, range) => {
      const pages = await selectIn(read, libraryNo, range).select(...shownColumns);
      return chain(new Map(pages.map((page) => [page.after, page])), range);
    },
    list: async (libraryNo, range) => selectIn(read, libraryNo, range).select(...shownColumns),
    listWithParts: (libraryNo, range, limit) => readWithParts(read, libraryNo, range, limit),
    add: async (libraryNo, page) => {
      // Such a page is compared again in each scan.
      if (Math.max(page.after.length, page.through.length) > mostIndexedBytes.postgres) return;
      const there = await within(read, libraryNo).where({ after: page.after }).first();
      if (there?.digest === page.digest && there.through === page.through) return;
      await write(async (trx) => {
        await within(trx, libraryNo).where({ after: page.after }).delete();
        await insertRows(trx, 'sealed_pages', [toRow(libraryNo, page)]);
      });
    },
    invalidateRange: async (trx, libraryNo, range) => {
      await within(trx, libraryNo)
        .where('after', '<', range.through)
        .where('through', '>', range.after)
        .delete();
    },
  };
}

const shownColumns = ['after', 'through', 'digest', 'files'] as const;

const selectIn = (db: Database['read'], libraryNo: number, { after, through }: PageRange) =>
  db<Row>('sealed_pages')
    .where('library_no', libraryNo)
    .where('after', '>=', after)
    .where('through', '<=', through)
    .orderBy('after');

async function readWithParts(
  db: Database['read'],
  libraryNo: number,
  range: PageRange,
  limit: number,
): Promise<readonly PageDigestWithParts[]> {
  const rows = await selectIn(db, libraryNo, range)
    .limit(limit)
    .select(...shownColumns, 'parts');
  return rows.map(({ parts, ...page }) => ({ ...page, ...(parts !== null && { parts }) }));
}

/** A page that does not end above its begin cannot be continued. */
function chain(
  byStart: ReadonlyMap<string, PageDigest>,
  { after, through }: PageRange,
): readonly PageDigest[] {
  const pages: PageDigest[] = [];
  for (let at = after; at < through;) {
    const page = byStart.get(at);
    if (page === undefined || page.through <= at) return [];
    pages.push(page);
    at = page.through;
  }
  return pages.at(-1)?.through === through ? pages : [];
}

const toRow = (libraryNo: number, { parts, ...page }: PageDigestWithParts) => ({
  library_no: libraryNo,
  ...page,
  parts: parts ?? null,
});

function createCachedDigests({ read, write, insertRows }: Database): PageDigests {
  const known = new Map<number, Promise<LibraryDigests>>();

  function digestsOf(libraryNo: number): Promise<LibraryDigests> {
    const digests = known.get(libraryNo) ?? load(libraryNo);
    known.set(libraryNo, digests);
    digests.catch(() => known.delete(libraryNo));
    return digests;
  }

  async function load(libraryNo: number): Promise<LibraryDigests> {
    const pages = await read<Row>('sealed_pages')
      .where({ library_no: libraryNo })
      .select(...shownColumns);
    const byStart = new Map(pages.map((page) => [page.after, page]));
    return { byStart, unwritten: new Map(), isWritten: pages.length > 0 };
  }

  async function writeDown(libraryNo: number, digests: LibraryDigests): Promise<void> {
    if (digests.unwritten.size === 0) return;
    const waiting = [...digests.unwritten];
    digests.unwritten.clear();
    digests.isWritten = true;
    await write(async (trx) => {
      // A digest that was removed while it waited for the writer is not written.
      const pages = waiting.flatMap(([page, parted]) =>
        digests.byStart.get(page.after) === page ? parted : [],
      );
      for (const group of chunks(pages, 500)) {
        const starts = group.map(({ after }) => after);
        await trx('sealed_pages').where('library_no', libraryNo).whereIn('after', starts).delete();
      }
      const rows = pages.map((page) => toRow(libraryNo, page));
      await insertRows(trx, 'sealed_pages', rows);
    });
  }

  return {
    find: async (libraryNo, range) => chain((await digestsOf(libraryNo)).byStart, range),
    listWithParts: async (libraryNo, range, limit) => {
      await writeDown(libraryNo, await digestsOf(libraryNo));
      return readWithParts(read, libraryNo, range, limit);
    },
    list: async (libraryNo, { after, through }) => {
      const digests = await digestsOf(libraryNo);
      await writeDown(libraryNo, digests);
      return [...digests.byStart.values()]
        .filter((page) => page.after >= after && page.through <= through)
        .sort((a, b) => (a.after < b.after ? -1 : 1));
    },
    add: async (libraryNo, parted) => {
      const { after, through, digest, files } = parted;
      const page = { after, through, digest, files };
      const digests = await digestsOf(libraryNo);
      const there = digests.byStart.get(page.after);
      if (there?.digest === page.digest && there.through === page.through) return;
      if (there !== undefined) digests.unwritten.delete(there);
      digests.byStart.set(page.after, page);
      digests.unwritten.set(page, parted);
      if (digests.unwritten.size >= mostUnwritten) await writeDown(libraryNo, digests);
    },
    invalidateRange: async (trx, libraryNo, range) => {
      const digests = await digestsOf(libraryNo);
      const broken = [...digests.byStart.values()].filter(
        (page) => page.after < range.through && page.through > range.after,
      );
      for (const page of broken) {
        digests.byStart.delete(page.after);
        digests.unwritten.delete(page);
      }
      // A transaction that is retried finds nothing here, and must still delete the written rows.
      if (!digests.isWritten) return;
      await trx('sealed_pages')
        .where('library_no', libraryNo)
        .where('after', '<', range.through)
        .where('through', '>', range.after)
        .delete();
    },
  };
}
