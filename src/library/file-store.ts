import type { Knex } from 'knex';
import type { Database } from '../../kernel/index.ts';
import { fileName } from './file-uri.ts';
import { chunks, inChunks, toColumns, type BigNumber } from './rows.ts';

export type FileStatus = 'active' | 'missing' | 'error';

/** A row of `files`. */
export interface FileRow {
  readonly no: number;
  readonly id: string;
  readonly library_no: number;
  item_no: number | null;
  uri: string;
  classification: string;
  edition: string | null;
  part_number: number | null;
  readonly type: string;
  status: FileStatus;
  size: BigNumber;
  modified_at: BigNumber;
  duration: number | null;
  file_info: string | null;
  assets: string | null;
  asset_aspects: string | null;
  has_chapters: boolean | number;
  readonly created_at: BigNumber;
  updated_at: BigNumber;
}

/** The columns that a scan gives to a new file; the others have defaults. */
export type NewFileRow = Pick<
  FileRow,
  | 'no'
  | 'id'
  | 'library_no'
  | 'item_no'
  | 'uri'
  | 'classification'
  | 'edition'
  | 'part_number'
  | 'status'
  | 'size'
  | 'modified_at'
  | 'created_at'
  | 'updated_at'
>;

/** What a scan compares with. */
export interface KnownFile {
  readonly no: number;
  readonly uri: string;
  readonly size: number;
  readonly modifiedAt: number;
  readonly status: FileStatus;
  /** Its item was deleted: it stays out until it changes. */
  readonly isForgotten: boolean;
}

/** What tells a moved file from others: its size and the moment of its last change. */
export interface FileTrace {
  readonly size: number;
  readonly modifiedAt: number;
}

/** A file that may be one side of a move. */
export interface TracedFile extends FileTrace {
  readonly no: number;
  readonly name: string;
  /** When its row was last written: for a missing file, when it was missed. */
  readonly updatedAt: number;
}

/** Known media files above `after` and not above `through`, in the order of their URI. */
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
    .where('type', 'media')
    .orderBy('uri')
    .limit(range.limit)
    .select('no', 'item_no', 'uri', 'size', 'modified_at', 'status');
  return rows.map((row) => ({
    no: row.no,
    uri: row.uri,
    size: Number(row.size),
    modifiedAt: Number(row.modified_at),
    status: row.status,
    isForgotten: row.item_no === null,
  }));
}

/** Whole rows by number, in no order. */
export async function readFileRows(db: Knex, numbers: readonly number[]): Promise<FileRow[]> {
  return inChunks(numbers, (group) => db<FileRow>('files').whereIn('no', group).select('*'));
}

/** Files with one of these traces: missing ones, or active ones made after the number `madeAfter`. */
export async function findByTrace(
  db: Knex,
  libraryNo: number,
  traces: readonly FileTrace[],
  which: { readonly madeAfter: number } | 'missing',
): Promise<TracedFile[]> {
  const pairs = [...new Map(traces.map((t) => [traceKey(t), [t.size, t.modifiedAt]])).values()];
  const rows = await inChunks(
    pairs,
    (group) =>
      db<FileRow>('files')
        .where('library_no', libraryNo)
        .whereIn(['size', 'modified_at'], group)
        .whereNotNull('item_no')
        .where('status', which === 'missing' ? 'missing' : 'active')
        .where('no', '>', which === 'missing' ? 0 : which.madeAfter)
        .orderBy('no')
        .select('no', 'uri', 'size', 'modified_at', 'updated_at'),
    250,
  );
  return rows.map((row) => ({
    no: row.no,
    name: fileName(row.uri),
    size: Number(row.size),
    modifiedAt: Number(row.modified_at),
    updatedAt: Number(row.updated_at),
  }));
}

/** Size and moment of change as one text. */
export function traceKey(trace: FileTrace): string {
  return `${trace.size}:${trace.modifiedAt}`;
}

/** Marks files as missing. */
export async function markMissing(
  trx: Knex.Transaction,
  numbers: readonly number[],
  now: number,
): Promise<void> {
  for (const group of chunks(numbers, 500)) {
    await trx<FileRow>('files').whereIn('no', group).update({ status: 'missing', updated_at: now });
  }
}

/** Deletes rows; the files themselves stay on the disk. */
export async function deleteFileRows(
  trx: Knex.Transaction,
  numbers: readonly number[],
): Promise<void> {
  for (const group of chunks(numbers, 500)) {
    await trx('chapters').whereIn('file_no', group).delete();
    await trx('files').whereIn('no', group).delete();
  }
}

/** Writes changed rows back, by number. */
export async function saveFileRows(
  insertRows: Database['insertRows'],
  trx: Knex.Transaction,
  rows: readonly FileRow[],
): Promise<void> {
  const update = [
    'item_no',
    'uri',
    'classification',
    'edition',
    'part_number',
    'status',
    'size',
  ].concat('modified_at', 'duration', 'file_info', 'updated_at');
  await insertRows(trx, 'files', rows.map(toColumns), { columns: ['no'], update });
}

/** How many active files each of these items has; an item that is not in the answer has none. */
export async function countActive(
  db: Knex,
  itemNumbers: readonly number[],
): Promise<Map<number, number>> {
  const rows = await inChunks(itemNumbers, (group) =>
    db('files')
      .whereIn('item_no', group)
      .where('status', 'active')
      .groupBy('item_no')
      .select<{ item_no: number; total: BigNumber }[]>('item_no', db.raw('count(*) as total')),
  );
  return new Map(rows.map((row) => [row.item_no, Number(row.total)]));
}

/** Gives all files of one item to another. */
export async function reassignFiles(
  trx: Knex.Transaction,
  from: number,
  to: number,
): Promise<void> {
  await trx<FileRow>('files').where('item_no', from).update({ item_no: to });
}
