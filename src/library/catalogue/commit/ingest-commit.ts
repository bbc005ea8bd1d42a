/**
 * Writes the results of an ingest for some items, in the transaction it is given. It holds:
 *
 * - an item is written only if all its files, and the kept answers of its sources, are unchanged
 *   since they were read; else it keeps waiting;
 * - only differences are written, and only what an index would show moves the item in the change
 *   feed;
 * - edits of a person stay on top, and entries with the source `manual` are not changed.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../../../../kernel/store/index.ts';
import type {
  BundleAsset,
  BundleAuxiliaryFile,
  BundleEntity,
  BundleSubtitle,
} from '../../../../plugin-api/index.ts';
import type { NewId } from '../../../platform/uuid-v7.ts';
import { replaceBeside } from '../tables/beside/auxiliary-store.ts';
import { openAlbumOf, regroupAlbums } from '../tables/beside/open-album-store.ts';
import { takeNumbers } from '../tables/counter-store.ts';
import { touchLinked } from '../tables/entity-link-store.ts';
import { withEditedGenres } from '../entities/edited-genres.ts';
import { linkItems, type LinkParts } from '../entities/entity-links.ts';
import { mentionsOf, ofExtra } from '../entities/entity-mention.ts';
import type { EntityNumbers } from '../entities/entity-registry.ts';
import {
  replaceAssets,
  replaceChapters,
  type AssetRow,
  type IngestedChapter,
} from '../tables/extras-store.ts';
import { saveReports, type NewReport } from '../tables/probe-report-store.ts';
import { readFileRows, type FileRow } from '../tables/file-store.ts';
import {
  fileFacts,
  languagesOf,
  namedResolution,
  type FileFacts,
  type ItemLanguage,
} from '../tables/item-facts.ts';
import { replaceLanguages } from '../tables/item-language-store.ts';
import {
  readKeptAnswers,
  saveAnswers,
  type AnswerChanges,
  type KeptAnswer,
} from '../tables/kept-answer-store.ts';
import { readItemRows, saveEnriched, type ItemRow } from '../tables/item-store.ts';
import {
  attachmentColumn,
  columnsOf,
  givenTextsOf,
  pictureColumns,
  parseEdits,
} from '../items/item-values.ts';
import { replaceGivenTexts } from '../tables/given-text-store.ts';
import { replaceTexts } from '../texts/item-text-store.ts';
import { withoutTexts, type TextsByLanguage } from '../texts/item-texts.ts';
import { parseMap } from '../tables/rows.ts';

/** The result of an ingest for one file. */
export interface IngestedFile {
  readonly no: number;
  readonly ticket: number;
  readonly classification: string;
  readonly partNumber: number | null;
  /** Null = no plugin could read it, and none failed. */
  readonly fileInfo: Readonly<Record<string, unknown>> | null;
  /** Seconds. */
  readonly duration: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Null = not known yet. */
  readonly fingerprint: string | null;
  /** A new probe report to store; null = the file was not probed. */
  readonly report: NewReport | null;
}

/** The result of an ingest for one item. */
export interface IngestedItem {
  readonly no: number;
  readonly title: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Titles and summaries in the further languages of the library. */
  readonly texts: TextsByLanguage;
  /** Null = no source named entities: the item keeps those that it has. */
  readonly entities: Readonly<Record<string, readonly BundleEntity[]>> | null;
  /** The first of each type is shown. */
  readonly assets: readonly BundleAsset[];
  readonly subtitles: readonly BundleSubtitle[];
  readonly auxiliary: readonly BundleAuxiliaryFile[];
  /** Numbers of the files beside its media that belong to it. */
  readonly beside: readonly number[];
  readonly chapters: readonly IngestedChapter[];
  readonly provenance: readonly { readonly pluginId: string; readonly path: string }[];
  readonly match: string | null;
  /** What changed of the answers of its sources, by plugin; `null` = no answer now. */
  readonly answers: AnswerChanges['answers'];
  /** The answers that were kept when the item was read: others that came meanwhile are not undone. */
  readonly knownAnswers: ReadonlyMap<string, KeptAnswer>;
  /** A person should say what it is. */
  readonly needsLook: boolean;
  /** Only the data of its files is written; the item's values stay. */
  readonly keepsValues: boolean;
  readonly files: readonly IngestedFile[];
}

/** What was written. */
export interface IngestOutcome {
  /** Numbers of the items that are settled; the others changed meanwhile and wait again. */
  readonly settled: readonly number[];
  /** Items whose values changed. */
  readonly enriched: readonly { readonly itemId: string; readonly title: string }[];
  readonly entityNumbers: EntityNumbers;
}

export interface IngestCommitParts extends LinkParts {
  readonly newId: NewId;
}

export async function commitIngest(
  trx: Transaction,
  parts: IngestCommitParts,
  items: readonly IngestedItem[],
  now: number,
): Promise<IngestOutcome> {
  const rows = await readRows(trx, items);
  const current = items.filter((item) => isCurrent(item, rows));
  const chaptered = await replaceChapters(trx, parts, {
    fileNumbers: current.flatMap(({ files }) => files.map(({ no }) => no)),
    chapters: current.flatMap(({ chapters }) => chapters),
    now,
  });
  await saveFiles(trx, parts, current, { files: rows.files, chaptered, now });
  await replaceBeside(trx, current);
  await saveReports(parts.insertRows, trx, readReports(current));
  await saveAnswers(
    parts.insertRows,
    trx,
    current.map(({ no, answers }) => ({ itemNo: no, answers })),
  );
  const pictures = await replaceAssets(
    trx,
    parts,
    current.filter(isRewritten).map(({ no, assets }) => ({ itemNo: no, assets })),
  );
  await replaceGivenTexts(parts.insertRows, trx, current.filter(isRewritten).map(givenTextsOf));
  const links = await relink(trx, parts, current, { rows, now });
  const retold = await replaceTexts(parts.insertRows, trx, textsAfter(current, rows));
  const enriched: ItemRow[] = [];
  const indexed: ItemRow[] = [];
  const changed: ItemRow[] = [];
  const languages = new Map<number, readonly ItemLanguage[]>();
  for (const item of current) {
    const row = rows.items.get(item.no);
    if (row === undefined) continue;
    const facts = factsAfter(item, rows.files);
    const after = { ...rowAfter(row, item, pictures.get(item.no) ?? []), ...facts };
    after.resolution ??= namedResolution(parseMap(after.metadata));
    languages.set(item.no, languagesAfter(item, after));
    const isIndexed =
      links.changed.has(item.no) || retold.has(item.no) || isIndexedOtherwise(row, after);
    const isShown = isIndexed || isShownOtherwise(row, after);
    if (isIndexed) indexed.push(after);
    if (isShown) enriched.push(after);
    if (!isIndexed && (isShown || isStoredOtherwise(row, after))) changed.push(after);
  }
  await touchLinked(trx, countedOtherwise(current, rows, [...indexed, ...changed]));
  const firstSeq = await takeNumbers(trx, indexed.length);
  for (const [index, row] of indexed.entries()) row.seq = firstSeq + index;
  for (const row of enriched) row.updated_at = now;
  await saveEnriched(parts.insertRows, trx, indexed, 'new');
  // Their entities may have been renamed just now, which gave the items a new place in the feed.
  await saveEnriched(parts.insertRows, trx, changed, 'kept');
  await replaceLanguages(parts.insertRows, trx, languages);
  await regroup(trx, current, rows);
  return {
    settled: current.map(({ no }) => no),
    enriched: enriched
      .filter(({ status }) => status === 'active')
      .map(({ id, title }) => ({ itemId: id, title })),
    entityNumbers: links.numbers,
  };
}

function readReports(items: readonly IngestedItem[]): ReadonlyMap<number, NewReport> {
  const files = items.flatMap((item) => item.files);
  return new Map(files.flatMap(({ no, report }) => (report === null ? [] : [[no, report]])));
}

/**
 * Numbers of the items of which something changed that entities count: certification, year, whether
 * there is a picture, or the length of a file.
 */
function countedOtherwise(
  items: readonly IngestedItem[],
  before: Rows,
  after: readonly ItemRow[],
): readonly number[] {
  const measured = items.filter(({ files }) =>
    files.some(({ no, duration }) => before.files.get(no)?.duration !== duration),
  );
  const summed = after.filter((row) => {
    const known = before.items.get(row.no);
    return (
      known?.certification !== row.certification ||
      known.year !== row.year ||
      (known.assets === null) !== (row.assets === null)
    );
  });
  return [...new Set([...measured, ...summed].map(({ no }) => no))];
}

/** Tracks that were read just now may show that their album is a sampler. */
async function regroup(
  trx: Transaction,
  items: readonly IngestedItem[],
  { files }: Pick<Rows, 'files'>,
): Promise<void> {
  const read = items.flatMap((item) =>
    item.files.flatMap(({ no, report }) => {
      const album = openAlbumOf(report?.rest['tags']);
      const row = files.get(no);
      return album === null || row === undefined ? [] : [{ ...row, album }];
    }),
  );
  if (read.length === 0) return;
  const music = await trx('libraries').where('type', 'music').select<{ no: number }[]>('no');
  for (const [libraryNo, own] of Map.groupBy(read, (file) => file.library_no))
    if (music.some(({ no }) => no === libraryNo)) await regroupAlbums(trx, libraryNo, own);
}

const isRewritten = ({ keepsValues }: IngestedItem): boolean => !keepsValues;

interface Rows {
  readonly items: ReadonlyMap<number, ItemRow>;
  readonly files: ReadonlyMap<number, FileRow>;
  readonly answers: ReadonlyMap<number, ReadonlyMap<string, KeptAnswer>>;
}

async function readRows(trx: Transaction, items: readonly IngestedItem[]): Promise<Rows> {
  const files = await readFileRows(
    trx,
    items.flatMap((item) => item.files.map(({ no }) => no)),
  );
  const rows = await readItemRows(
    trx,
    items.map(({ no }) => no),
  );
  const answers = await readKeptAnswers(
    trx,
    items.map(({ no }) => no),
  );
  return {
    items: new Map(rows.map((row) => [row.no, row])),
    files: new Map(files.map((row) => [row.no, row])),
    answers,
  };
}

function isCurrent(item: IngestedItem, rows: Rows): boolean {
  if (!rows.items.has(item.no)) return false;
  if (!isSameAnswers(item.knownAnswers, rows.answers.get(item.no) ?? new Map())) return false;
  return item.files.every(({ no, ticket }) => {
    const row = rows.files.get(no);
    return row?.item_no === item.no && row.ingest_state === ticket && row.status !== 'missing';
  });
}

function isSameAnswers(
  one: ReadonlyMap<string, KeptAnswer>,
  other: ReadonlyMap<string, KeptAnswer>,
): boolean {
  if (one.size !== other.size) return false;
  return [...one].every(([pluginId, { answer, chosen }]) => {
    const now = other.get(pluginId);
    return now?.answer === answer && now.chosen === chosen;
  });
}

/** Links items to their new mentions. */
function relink(
  trx: Transaction,
  parts: IngestCommitParts,
  items: readonly IngestedItem[],
  known: { readonly rows: Rows; readonly now: number },
): ReturnType<typeof linkItems> {
  const { rows } = known;
  const mentioning = items.filter(isRewritten).flatMap((item) => {
    const { no: itemNo, entities, metadata, files } = item;
    if (entities === null) return [];
    const row = rows.items.get(itemNo);
    const edited = parseEdits(row?.edits ?? null).metadata;
    const named = mentionsOf(entities, metadata, null);
    const isExtra = !files.some(({ no }) => rows.files.get(no)?.classification === 'primary');
    const mentions = withEditedGenres(isExtra ? ofExtra(named) : named, edited);
    return [{ itemNo, libraryNo: row?.library_no ?? 0, mentions }];
  });
  return linkItems(trx, parts, mentioning, known.now);
}

async function saveFiles(
  trx: Transaction,
  { insertRows }: IngestCommitParts,
  items: readonly IngestedItem[],
  known: {
    readonly files: ReadonlyMap<number, FileRow>;
    readonly chaptered: ReadonlySet<number>;
    readonly now: number;
  },
): Promise<void> {
  const rows = items.flatMap((item) =>
    item.files.flatMap((file) => {
      const row = known.files.get(file.no);
      return row === undefined ? [] : [fileAfter(row, file, known)];
    }),
  );
  const update = [
    'status',
    'classification',
    'part_number',
    'duration',
    'file_info',
    'fingerprint',
    'has_chapters',
  ] as const;
  await insertRows(trx, 'files', rows, {
    columns: ['no'],
    update: [...update, 'ingest_state', 'ingest_error', 'updated_at'],
  });
}

function fileAfter(
  row: FileRow,
  { classification, partNumber, fileInfo, duration, error, fingerprint }: IngestedFile,
  { chaptered, now }: { readonly chaptered: ReadonlySet<number>; readonly now: number },
): FileRow {
  const storedInfo = error === null ? fileInfo : { ...fileInfo, error };
  const file_info = storedInfo === null ? null : JSON.stringify(storedInfo);
  const has_chapters = chaptered.has(row.no);
  const isOther =
    row.file_info !== file_info ||
    row.classification !== classification ||
    row.part_number !== partNumber ||
    row.duration !== duration ||
    Boolean(row.has_chapters) !== has_chapters;
  return {
    ...row,
    classification,
    part_number: partNumber,
    file_info,
    duration,
    has_chapters,
    fingerprint,
    status: error === null ? 'active' : 'error',
    ingest_state: 0,
    ingest_error: error?.code ?? null,
    updated_at: isOther ? now : row.updated_at,
  };
}

function rowAfter(row: ItemRow, item: IngestedItem, pictures: readonly AssetRow[]): ItemRow {
  const matched = { match: item.match, needs_look: Number(item.needsLook) };
  if (item.keepsValues) return { ...row, ...matched };
  const edits = parseEdits(row.edits);
  return {
    ...row,
    ...matched,
    ...columnsOf(item, edits),
    ...pictureColumns(pictures, edits.assets),
    attachments: attachmentColumn(item),
    provenance: item.provenance.length === 0 ? null : JSON.stringify(item.provenance),
  };
}

/** What lists filter and sort by, of the files as they were read. */
function factsAfter({ files }: IngestedItem, known: Rows['files']): FileFacts {
  return fileFacts(
    files.flatMap(({ no, classification, partNumber, duration, fileInfo }) => {
      const row = known.get(no);
      if (row === undefined) return [];
      const placed = { classification, part_number: partNumber };
      return [{ ...row, ...placed, duration, info: fileInfo ?? {} }];
    }),
  );
}

function languagesAfter(
  { files }: IngestedItem,
  { metadata, attachments }: ItemRow,
): readonly ItemLanguage[] {
  const read = files.map(({ fileInfo }) => ({ info: fileInfo ?? {} }));
  return languagesOf(read, { metadata: parseMap(metadata), attachments });
}

/** The texts of items whose values are written, without those that a person edited. */
function textsAfter(
  items: readonly IngestedItem[],
  known: Rows,
): ReadonlyMap<number, TextsByLanguage> {
  return new Map(
    items.filter(isRewritten).map(({ no, texts }) => {
      const edits = parseEdits(known.items.get(no)?.edits ?? null);
      const isEdited = {
        title: edits.title !== undefined,
        overview: Object.hasOwn(edits.metadata ?? {}, 'overview'),
      };
      return [no, withoutTexts(texts, isEdited)] as const;
    }),
  );
}

const shown = ['assets', 'asset_aspects', 'attachments'] as const;
const stored = ['provenance', 'match'] as const;

/** Whether an index would show it differently, or to other viewers. */
function isIndexedOtherwise(before: ItemRow, after: ItemRow): boolean {
  return (
    before.title !== after.title ||
    before.certification !== after.certification ||
    !isSameJson(before.metadata, after.metadata)
  );
}

function isShownOtherwise(before: ItemRow, after: ItemRow): boolean {
  return (
    before.sort_title !== after.sort_title ||
    shown.some((column) => !isSameJson(before[column], after[column]))
  );
}

function isStoredOtherwise(before: ItemRow, after: ItemRow): boolean {
  return (
    stored.some((column) => !isSameJson(before[column], after[column])) ||
    before.duration !== after.duration ||
    before.resolution !== after.resolution ||
    Boolean(before.hdr) !== Boolean(after.hdr)
  );
}

/** Whether two JSON columns are equal, apart from the order of keys. */
function isSameJson(one: string | null, other: string | null): boolean {
  if (one === other) return true;
  if (one === null || other === null) return false;
  return isDeepStrictEqual(JSON.parse(one), JSON.parse(other));
}
