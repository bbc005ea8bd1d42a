import type { Knex } from 'knex';
import type { FileRow, FileStatus, FileType } from '../tables/file-store.ts';
import { selectInRanges } from '../tables/range-store.ts';

/** What a scan compares a file with. */
export interface KnownFile {
  readonly no: number;
  readonly uri: string;
  readonly size: number;
  readonly modifiedAt: number;
  readonly status: FileStatus;
  readonly type: FileType;
  readonly itemNo: number | null;
}

const knownColumns = ['no', 'item_no', 'uri', 'size', 'modified_at', 'status', 'type'] as const;

/** Known files above `after` and not above `through`, in the order of their URI. */
export async function readRange(
  db: Knex,
  range: {
    readonly libraryNo: number;
    readonly after: string;
    readonly through: string;
    readonly limit: number;
  },
): Promise<KnownFile[]> {
  const rows = await db<FileRow>('files')
    .where('library_no', range.libraryNo)
    .where('uri', '>', range.after)
    .where('uri', '<=', range.through)
    .orderBy('uri')
    .limit(range.limit)
    .select(...knownColumns);
  return rows.map(toKnown);
}

/** The same in several ranges, which ascend and do not overlap. */
export async function readRanges(
  db: Knex,
  asked: {
    readonly libraryNo: number;
    readonly after: string;
    readonly ranges: readonly { readonly after: string; readonly through: string }[];
    readonly limit: number;
  },
): Promise<KnownFile[]> {
  const { libraryNo, limit } = asked;
  const left = asked.ranges.filter(({ through }) => through > asked.after);
  const places = left.map(({ after, through }, tag) => {
    // The next text after a given one is that text followed by the lowest character of URIs.
    return { tag, low: after > asked.after ? after : asked.after, high: `${through}!` };
  });
  const rows = await selectInRanges<KnownRow>(db, libraryNo, places, {
    columns: knownColumns.map((name) => `files.${name}`).join(', '),
    where: 'true',
    first: limit,
  });
  return rows.map(toKnown);
}

type KnownRow = Pick<FileRow, (typeof knownColumns)[number]>;

const toKnown = (row: KnownRow): KnownFile => ({
  no: row.no,
  uri: row.uri,
  size: Number(row.size),
  modifiedAt: Number(row.modified_at),
  status: row.status,
  type: row.type,
  itemNo: row.item_no,
});
