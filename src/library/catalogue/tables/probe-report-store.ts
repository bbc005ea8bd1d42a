/**
 * The probe reports of files, stored so that a new sidecar or another match does not probe media
 * again. Most of a report is in the file's own row (`file_info`, `duration`); this table has the
 * rest. A report is valid only while the row has its `file_info` and no error: a change of content
 * removes it.
 */
import type { Knex } from 'knex';
import type { Database } from '../../../../kernel/store/index.ts';
import type { FileRow } from './file-store.ts';
import { chunks, inChunks, isMap, parseMap } from './rows.ts';

/** A report by its parts; each is validated again before it is used. */
export interface StoredReport {
  readonly pluginId: string;
  /** The version of the answers of the plugin that made it. */
  readonly answersVersion: number;
  readonly report: Readonly<Record<string, unknown>>;
}

export interface NewReport {
  readonly pluginId: string;
  readonly answersVersion: number;
  readonly rest: Readonly<Record<string, unknown>>;
}

interface ReportRow {
  readonly file_no: number;
  readonly plugin_id: string;
  readonly answers_version: number;
  readonly rest: string | null;
  readonly live_photo: string | null;
}

/** A file with a longer report is probed again each time. Such reports are rare. */
const longestRest = 16 * 1024;

/** The stored reports of these files. */
export async function readStoredReports(
  db: Knex,
  files: readonly FileRow[],
): Promise<ReadonlyMap<number, StoredReport>> {
  const read = files.filter((file) => file.file_info !== null && file.ingest_error === null);
  const numbers = read.map(({ no }) => no);
  const rows = await inChunks(numbers, (group) =>
    db<ReportRow>('kept_reports').whereIn('file_no', group).select('*'),
  );
  const kept = new Map(rows.map((row) => [row.file_no, row]));
  return new Map(
    read.flatMap((file): [number, StoredReport][] => {
      const row = kept.get(file.no);
      if (row === undefined) return [];
      const { duration } = file;
      const report = {
        ...parseMap(file.file_info),
        ...(duration !== null && { duration }),
        ...parseMap(row.rest),
      };
      const { plugin_id: pluginId, answers_version: answersVersion } = row;
      return [[file.no, { pluginId, answersVersion, report }]];
    }),
  );
}

/** Those of these files of which a report says what they are on their disc. */
export async function readFilesOnDiscs(
  db: Knex,
  fileNumbers: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await inChunks(fileNumbers, (group) =>
    db<ReportRow>('kept_reports')
      .whereIn('file_no', group)
      .where('rest', 'like', '%"disc":%')
      .select('file_no'),
  );
  return new Set(rows.map(({ file_no }) => file_no));
}

/** Those of these files that are half of a live photo whose other half is in the same item. */
export async function readLivePhotosAmong(
  db: Knex,
  fileNumbers: readonly number[],
): Promise<ReadonlySet<number>> {
  const numbers = await inChunks(fileNumbers, (group) =>
    withOtherHalf(db)
      .whereIn('own.file_no', group)
      .whereRaw('other_file.item_no = own_file.item_no')
      .pluck<number[]>('own.file_no'),
  );
  return new Set(numbers);
}

/** A half of a live photo, with the item of the other one. */
export interface LiveHalf {
  readonly libraryId: string;
  readonly fileNo: number;
  readonly uri: string;
  readonly itemNo: number;
  readonly otherNo: number;
  readonly otherUri: string;
  readonly otherItemNo: number;
}

/** The halves of live photos among these files of which the other half is another item. */
export async function readLiveHalves(
  db: Knex,
  fileNumbers: readonly number[],
): Promise<readonly LiveHalf[]> {
  return inChunks(fileNumbers, (group) =>
    withOtherHalf(db)
      .whereIn('own.file_no', group)
      .whereRaw('other_file.item_no <> own_file.item_no')
      .whereRaw("own_file.status <> 'missing' and other_file.status <> 'missing'")
      .select<LiveHalf[]>(
        'libraries.id as libraryId',
        'own.file_no as fileNo',
        'own_file.uri as uri',
        'own_file.item_no as itemNo',
        'other_file.no as otherNo',
        'other_file.uri as otherUri',
        'other_file.item_no as otherItemNo',
      ),
  );
}

/** Pairs of files of a library of photos that have the same id. */
const withOtherHalf = (db: Knex): Knex.QueryBuilder =>
  db('kept_reports as own')
    .join('files as own_file', 'own_file.no', 'own.file_no')
    .join('libraries', 'libraries.no', 'own_file.library_no')
    .join('kept_reports as other', 'other.live_photo', 'own.live_photo')
    .join('files as other_file', 'other_file.no', 'other.file_no')
    .where('libraries.type', 'photos')
    .whereRaw('other.file_no <> own.file_no and other_file.library_no = own_file.library_no');

/** Stores new reports, except those that are too long. */
export async function saveReports(
  insertRows: Database['insertRows'],
  trx: Knex.Transaction,
  reports: ReadonlyMap<number, NewReport>,
): Promise<void> {
  if (reports.size === 0) return;
  const kept = [...reports].flatMap(([no, report]) => toRow(no, report) ?? []);
  const update = ['plugin_id', 'answers_version', 'rest', 'live_photo'] as const;
  await insertRows(trx, 'kept_reports', kept, { columns: ['file_no'], update });
  const isKept = new Set(kept.map((row) => row.file_no));
  await dropReports(
    trx,
    [...reports.keys()].filter((no) => !isKept.has(no)),
  );
}

function toRow(fileNo: number, { pluginId, answersVersion, rest }: NewReport): ReportRow | null {
  const known = Object.entries(rest).filter(([, part]) => !isEmpty(part));
  const text = known.length === 0 ? null : JSON.stringify(Object.fromEntries(known));
  if (text !== null && text.length > longestRest) return null;
  return {
    file_no: fileNo,
    plugin_id: pluginId,
    answers_version: answersVersion,
    rest: text,
    live_photo: livePhotoOf(rest),
  };
}

/** The id that the probe gives a photo and the film that its camera took with it. */
const livePhotoKey = 'apple-live-photo';

function livePhotoOf({ tags }: NewReport['rest']): string | null {
  const ids = isMap(tags) ? tags['ids'] : undefined;
  const id = isMap(ids) ? ids[livePhotoKey] : undefined;
  return typeof id === 'string' && id.length <= 64 ? id : null;
}

function isEmpty(part: unknown): boolean {
  if (part === undefined) return true;
  if (Array.isArray(part)) return part.length === 0;
  return isMap(part) && Object.keys(part).length === 0;
}

/** Removes the reports of files, by number, so that they are probed again. */
export async function dropReports(
  trx: Knex.Transaction,
  fileNumbers: readonly number[],
): Promise<void> {
  for (const group of chunks(fileNumbers, 500))
    await trx('kept_reports').whereIn('file_no', group).delete();
}

/** Removes the reports of all files of these items. */
export async function dropReportsOf(
  trx: Knex.Transaction,
  itemNumbers: readonly number[],
): Promise<void> {
  for (const group of chunks(itemNumbers, 500)) {
    const files = trx('files').whereIn('item_no', group).select('no');
    await trx('kept_reports').whereIn('file_no', files).delete();
  }
}

/** Removes the reports of all files of a library; also needed before the file rows are deleted. */
export async function dropReportsIn(trx: Knex.Transaction, libraryNo: number): Promise<void> {
  const files = trx('files').where('library_no', libraryNo).select('no');
  await trx('kept_reports').whereIn('file_no', files).delete();
}
