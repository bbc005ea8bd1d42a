import { mostIndexedBytes, type Database, type Transaction } from '../../kernel/index.ts';
import { chunks, toColumns } from './rows.ts';

/** A page of a scan that the library agrees with. Bounds are texts in the order of URIs. */
export interface SealedPage {
  /** Exclusive. */
  readonly after: string;
  /** Inclusive. */
  readonly through: string;
  /** Tells the listing, and what was looked for in it, from any other. */
  readonly digest: string;
  /** How many media files it holds. */
  readonly files: number;
}

/**
 * What a scan need not bring in again. A page is sealed when its files are in the library as the
 * listing had them, and the seal is broken in the same transaction that changes anything in its
 * range; so a listing with the digest of a seal has nothing new. A seal that is lost costs time only.
 */
export interface SealedPages {
  /** Those of a library that begin at `after` or above it and end up to `through`, in their order. */
  readonly list: (
    libraryNo: number,
    range: { readonly after: string; readonly through: string },
  ) => Promise<readonly SealedPage[]>;
  /** Seals a page. It is written down with later ones. */
  readonly seal: (libraryNo: number, page: SealedPage) => Promise<void>;
  /** Breaks every seal that overlaps the range. */
  readonly breakIn: (
    trx: Transaction,
    libraryNo: number,
    range: { readonly after: string; readonly through: string },
  ) => Promise<void>;
}

interface Row extends SealedPage {
  readonly library_no: number;
}

/** The seals of one library, by where they begin; those of `unwritten` are not in the database yet. */
interface Seals {
  readonly byStart: Map<string, SealedPage>;
  readonly unwritten: Set<SealedPage>;
  /** Whether the database may hold any. */
  isWritten: boolean;
}

const mostUnwritten = 100;

/** Where other servers scan too, seals are not kept in memory: each look is at the database. */
export function createSealedPages(database: Database): SealedPages {
  return database.dialect === 'sqlite' ? createKept(database) : createShared(database);
}

function createShared({ read, write, insertRows }: Database): SealedPages {
  const within = (db: Database['read'], libraryNo: number) =>
    db<Row>('sealed_pages').where({ library_no: libraryNo });
  return {
    list: async (libraryNo, { after, through }) =>
      (
        await within(read, libraryNo)
          .where('after', '>=', after)
          .where('through', '<=', through)
          .orderBy('after')
      ).map(toPage),
    seal: async (libraryNo, page) => {
      // Such a page is compared anew in each scan.
      if (Math.max(page.after.length, page.through.length) > mostIndexedBytes.postgres) return;
      const there = await within(read, libraryNo).where({ after: page.after }).first();
      if (there?.digest === page.digest && there.through === page.through) return;
      await write(async (trx) => {
        await within(trx, libraryNo).where({ after: page.after }).delete();
        await insertRows(trx, 'sealed_pages', [toColumns({ library_no: libraryNo, ...page })]);
      });
    },
    breakIn: async (trx, libraryNo, range) => {
      await within(trx, libraryNo)
        .where('after', '<', range.through)
        .where('through', '>', range.after)
        .delete();
    },
  };
}

const toPage = ({ after, through, digest, files }: Row): SealedPage => ({
  after,
  through,
  digest,
  files,
});

function createKept({ read, write, insertRows }: Database): SealedPages {
  const known = new Map<number, Promise<Seals>>();

  function sealsOf(libraryNo: number): Promise<Seals> {
    const seals = known.get(libraryNo) ?? load(libraryNo);
    known.set(libraryNo, seals);
    seals.catch(() => known.delete(libraryNo));
    return seals;
  }

  async function load(libraryNo: number): Promise<Seals> {
    const rows = await read<Row>('sealed_pages').where({ library_no: libraryNo });
    const pages = rows.map(toPage);
    const byStart = new Map(pages.map((page) => [page.after, page]));
    return { byStart, unwritten: new Set(), isWritten: pages.length > 0 };
  }

  async function writeDown(libraryNo: number, seals: Seals): Promise<void> {
    if (seals.unwritten.size === 0) return;
    const waiting = [...seals.unwritten];
    seals.unwritten.clear();
    seals.isWritten = true;
    await write(async (trx) => {
      // One that was broken while it waited for the writer stays broken.
      const pages = waiting.filter((page) => seals.byStart.get(page.after) === page);
      for (const group of chunks(pages, 500)) {
        const starts = group.map(({ after }) => after);
        await trx('sealed_pages').where('library_no', libraryNo).whereIn('after', starts).delete();
      }
      const rows = pages.map((page) => toColumns({ library_no: libraryNo, ...page }));
      await insertRows(trx, 'sealed_pages', rows);
    });
  }

  return {
    list: async (libraryNo, { after, through }) => {
      const seals = await sealsOf(libraryNo);
      await writeDown(libraryNo, seals);
      return [...seals.byStart.values()]
        .filter((page) => page.after >= after && page.through <= through)
        .sort((a, b) => (a.after < b.after ? -1 : 1));
    },
    seal: async (libraryNo, page) => {
      const seals = await sealsOf(libraryNo);
      const there = seals.byStart.get(page.after);
      if (there?.digest === page.digest && there.through === page.through) return;
      if (there !== undefined) seals.unwritten.delete(there);
      seals.byStart.set(page.after, page);
      seals.unwritten.add(page);
      if (seals.unwritten.size >= mostUnwritten) await writeDown(libraryNo, seals);
    },
    breakIn: async (trx, libraryNo, range) => {
      const seals = await sealsOf(libraryNo);
      const broken = [...seals.byStart.values()].filter(
        (page) => page.after < range.through && page.through > range.after,
      );
      for (const page of broken) {
        seals.byStart.delete(page.after);
        seals.unwritten.delete(page);
      }
      // A transaction that is tried again finds nothing here, and must break what is written still.
      if (!seals.isWritten) return;
      await trx('sealed_pages')
        .where('library_no', libraryNo)
        .where('after', '<', range.through)
        .where('through', '>', range.after)
        .delete();
    },
  };
}
