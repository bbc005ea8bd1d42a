import type { Knex } from 'knex';
import type { Database } from '../../../../kernel/store/index.ts';
import { fileName } from './file-uri.ts';
import { chunks, inChunks, type BigNumber } from './rows.ts';

export type FileStatus = 'active' | 'missing' | 'error';
export type FileType = 'media' | 'auxiliary';

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
  readonly type: FileType;
  status: FileStatus;
  size: BigNumber;
  modified_at: BigNumber;
  duration: number | null;
  file_info: string | null;
  assets: string | null;
  asset_aspects: string | null;
  has_chapters: boolean | number;
  /** Only of an auxiliary file: the URI of its folder. */
  readonly folder: string | null;
  /** Hex of 32 digits over size and samples of the content; null = not known. */
  fingerprint: string | null;
  /** When it went missing, in Unix milliseconds; null = it is not missing. */
  missed_at: BigNumber | null;
  /**
   * 0 = settled; else it waits for the ingest, and each mark adds 2. Odd = it was never ingested.
   */
  ingest_state: number;
  /** The error code of its last ingest. */
  ingest_error: string | null;
  /** What a job measured of its sound, as JSON; null = not measured. */
  readonly loudness: string | null;
  readonly created_at: BigNumber;
  updated_at: BigNumber;
}

/** The columns that are read to show files. */
export const shownFileColumns = [
  'no',
  'id',
  'item_no',
  'uri',
  'classification',
  'edition',
  'part_number',
  'type',
  'status',
  'size',
  'duration',
  'file_info',
  'assets',
  'asset_aspects',
  'has_chapters',
  'loudness',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof FileRow)[];

/** A file as it is read to be shown. */
export type ShownFileRow = Pick<FileRow, (typeof shownFileColumns)[number]>;

/** The columns that a scan sets on a new file; the others have defaults. */
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
  | 'fingerprint'
  | 'created_at'
  | 'updated_at'
>;

/** Distinguishes a moved file from others: its size and modification time. */
export interface FileTrace {
  readonly size: number;
  readonly modifiedAt: number;
}

/** Distinguishes a file from others once its content was sampled. */
export interface FileSample extends FileTrace {
  readonly fingerprint: string | null;
}

/** A file that may be one side of a move. */
export interface TracedFile extends FileSample {
  readonly no: number;
  readonly uri: string;
  readonly name: string;
  /** When it went missing; null = it is present. */
  readonly missedAt: number | null;
}

/** Whole rows by number, in no order. */
export async function readFileRows(db: Knex, numbers: readonly number[]): Promise<FileRow[]> {
  return inChunks(numbers, (group) => db<FileRow>('files').whereIn('no', group).select('*'));
}

const nameColumns = [
  'no',
  'item_no',
  'uri',
  'size',
  'classification',
  'edition',
  'part_number',
] as const satisfies readonly (keyof FileRow)[];

/** A media file by its name, what that says, and the key of its item. */
export interface FileName extends Pick<FileRow, (typeof nameColumns)[number]> {
  readonly group_key: string;
}

/** The media files of these items, also missing ones, in the order of their URIs. */
export async function readNamesOfItems(
  db: Knex,
  itemNumbers: readonly number[],
): Promise<readonly FileName[]> {
  const rows = await inChunks(itemNumbers, (group) =>
    db('files')
      .join('items', 'items.no', 'files.item_no')
      .whereIn('files.item_no', group)
      .where('files.type', 'media')
      .select<FileName[]>('items.group_key', ...nameColumns.map((name) => `files.${name}`)),
  );
  return rows.toSorted((one, other) => (one.uri < other.uri ? -1 : 1));
}

/** Size, modification time and fingerprint of files, by number, in no order. */
export async function readSamples(
  db: Knex,
  numbers: readonly number[],
): Promise<Pick<FileSample, 'size' | 'fingerprint'>[]> {
  const rows = await inChunks(numbers, (group) =>
    db<FileRow>('files').whereIn('no', group).select('size', 'fingerprint'),
  );
  return rows.map(({ size, fingerprint }) => ({ size: Number(size), fingerprint }));
}

/** Which media files to read: missing ones, or present ones whose number is above `madeAfter`. */
export type Candidates = 'missing' | { readonly madeAfter: number };

/** Media files with the trace of one of these, or with its size and fingerprint. */
export async function findAlike(
  db: Knex,
  libraryNo: number,
  samples: readonly FileSample[],
  which: Candidates,
): Promise<TracedFile[]> {
  const traces = samples.map(({ size, modifiedAt }) => [size, modifiedAt] as const);
  const contents = samples.flatMap(({ size, fingerprint }) =>
    fingerprint === null ? [] : [[size, fingerprint] as const],
  );
  const found = [
    ...(await findCandidates(db, libraryNo, ['size', 'modified_at'], traces, which)),
    ...(await findCandidates(db, libraryNo, ['size', 'fingerprint'], contents, which)),
  ];
  return [...new Map(found.map((file) => [file.no, file])).values()];
}

/** Media files of one of these sizes. */
export function findBySize(
  db: Knex,
  libraryNo: number,
  sizes: readonly number[],
  which: Candidates,
): Promise<TracedFile[]> {
  const keys = sizes.map((size) => [size] as const);
  return findCandidates(db, libraryNo, ['size'], keys, which);
}

async function findCandidates(
  db: Knex,
  libraryNo: number,
  columns: readonly string[],
  keys: readonly (readonly (string | number)[])[],
  which: Candidates,
): Promise<TracedFile[]> {
  const distinct = [...new Map(keys.map((key) => [key.join(':'), key])).values()];
  const rows = await inChunks(
    distinct,
    (group) =>
      db<FileRow>('files')
        .where('library_no', libraryNo)
        .whereIn(
          columns,
          group.map((key) => [...key]),
        )
        .where('type', 'media')
        .whereNotNull('item_no')
        .where('status', which === 'missing' ? '=' : '<>', 'missing')
        .where('no', '>', which === 'missing' ? 0 : which.madeAfter)
        .orderBy('no')
        .select('no', 'uri', 'size', 'modified_at', 'fingerprint', 'missed_at'),
    250,
  );
  return rows.map((row) => ({
    no: row.no,
    uri: row.uri,
    name: fileName(row.uri),
    size: Number(row.size),
    modifiedAt: Number(row.modified_at),
    fingerprint: row.fingerprint,
    missedAt: row.missed_at === null ? null : Number(row.missed_at),
  }));
}

/** Size and modification time as one text. */
export function traceKey(trace: FileTrace): string {
  return `${trace.size}:${trace.modifiedAt}`;
}

export async function markMissing(
  trx: Knex.Transaction,
  numbers: readonly number[],
  now: number,
): Promise<void> {
  for (const group of chunks(numbers, 500)) {
    await trx<FileRow>('files')
      .whereIn('no', group)
      .update({ status: 'missing', missed_at: now, updated_at: now });
  }
}

/** Deletes rows; the files on the disk stay. */
export async function deleteFileRows(
  trx: Knex.Transaction,
  numbers: readonly number[],
): Promise<void> {
  for (const group of chunks(numbers, 500)) {
    await trx('chapters').whereIn('file_no', group).delete();
    await trx('kept_reports').whereIn('file_no', group).delete();
    await trx('files').whereIn('no', group).delete();
  }
}

/** The columns that never change, and those that other statements write. */
type UnsavedColumn =
  | ('no' | 'id' | 'library_no' | 'type' | 'folder' | 'created_at')
  | ('assets' | 'asset_aspects' | 'has_chapters' | 'loudness');
/** All other columns, so that none is lost at an update. */
const isSaved: Readonly<Record<Exclude<keyof FileRow, UnsavedColumn>, true>> = {
  item_no: true,
  uri: true,
  classification: true,
  edition: true,
  part_number: true,
  status: true,
  size: true,
  modified_at: true,
  duration: true,
  file_info: true,
  fingerprint: true,
  missed_at: true,
  updated_at: true,
  ingest_state: true,
  ingest_error: true,
};
const savedColumns = Object.keys(isSaved) as (keyof typeof isSaved)[];

/** Updates changed rows, by number. */
export async function saveFileRows(
  insertRows: Database['insertRows'],
  trx: Knex.Transaction,
  rows: readonly FileRow[],
): Promise<void> {
  await insertRows(trx, 'files', rows, { columns: ['no'], update: savedColumns });
}

/** How many media files each of these items has that are not missing; no entry = none. */
export async function countActive(
  db: Knex,
  itemNumbers: readonly number[],
): Promise<Map<number, number>> {
  const rows = await inChunks(itemNumbers, (group) =>
    db('files')
      .whereIn('item_no', group)
      .where('type', 'media')
      .whereNot('status', 'missing')
      .groupBy('item_no')
      .select<{ item_no: number; total: BigNumber }[]>('item_no', db.raw('count(*) as total')),
  );
  return new Map(rows.map((row) => [row.item_no, Number(row.total)]));
}

/** How many media files of a library below a folder are not missing. */
export async function countMediaIn(db: Knex, libraryNo: number, folder: string): Promise<number> {
  const row = await db('files')
    .where({ library_no: libraryNo, type: 'media' })
    .where('uri', '>', `${folder}/`)
    .where('uri', '<', `${folder}0`)
    .whereNot('status', 'missing')
    .first<{ total: BigNumber }>(db.raw('count(*) as total'));
  return Number(row.total);
}
