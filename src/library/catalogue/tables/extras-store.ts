import type { Knex } from 'knex';
import type { Database } from '../../../../kernel/store/index.ts';
import type { BundleAsset } from '../../../../plugin-api/index.ts';
import type { NewId } from '../../../platform/uuid-v7.ts';
import { chunks, inChunks } from './rows.ts';
import { wantPictures } from './wanted-picture-store.ts';

/** A row of `chapters`. */
export interface ChapterRow {
  readonly id: string;
  readonly file_no: number;
  readonly title: string;
  readonly source: string;
  readonly start_time: number;
  readonly end_time: number | null;
  readonly role: string;
  readonly metadata: string | null;
  readonly assets: string | null;
  readonly created_at: number | string;
  readonly updated_at: number | string;
}

/** A row of `assets`. */
export interface AssetRow {
  readonly id: string;
  readonly item_no: number;
  readonly type: string;
  readonly uri: string;
  readonly mime_type: string | null;
  readonly aspect: string | null;
  readonly source: string;
}

/** A chapter as an ingest found it, in the file or through a plugin. */
export interface IngestedChapter {
  readonly fileNo: number;
  /** `embedded`, or `plugin`. */
  readonly source: string;
  readonly startTime: number;
  readonly endTime: number | null;
  readonly title: string;
  readonly role: string;
  readonly metadata: string | null;
}

/** Entries of this source were made by a person: an ingest does not change them. */
const manual = 'manual';
/** Pictures of this source are frames of the film. They stay until the item gets another picture. */
export const stillSource = 'server:stills';

/** Pictures of this source were uploaded by a person. An ingest does not change them. */
export const uploadedSource = 'server:uploads';

interface Parts {
  readonly insertRows: Database['insertRows'];
  readonly newId: NewId;
}

/**
 * Replaces the pictures of the last ingest by those of this one. Gives for each item all its
 * pictures, in the order in which they are shown. A picture that was there already keeps its id.
 */
export async function replaceAssets(
  trx: Knex.Transaction,
  { insertRows, newId }: Parts,
  items: readonly { readonly itemNo: number; readonly assets: readonly BundleAsset[] }[],
): Promise<ReadonlyMap<number, readonly AssetRow[]>> {
  const numbers = items.map(({ itemNo }) => itemNo);
  const known = await inChunks(numbers, (group) =>
    trx<AssetRow>('assets').whereIn('item_no', group).select('*'),
  );
  const knownOf = Map.groupBy(known, (row) => row.item_no);
  const shown = new Map<number, readonly AssetRow[]>();
  const added: AssetRow[] = [];
  const kept = new Set<string>();
  for (const { itemNo, assets } of items) {
    const before = knownOf.get(itemNo) ?? [];
    const byHand = before.filter(({ source }) => source === manual);
    // Shown where they are chosen, or nothing else is there.
    const uploads = before.filter(({ source }) => source === uploadedSource);
    const places = new Map(before.map((row) => [placeOf(row), row]));
    const rows = [...new Map(assets.map((asset) => [placeOf(asset), asset])).values()].map(
      (asset): AssetRow => {
        const there = places.get(placeOf(asset));
        const row = { ...assetRow(asset, itemNo), id: there?.id ?? newId() };
        if (there && isSameAsset(there, row)) kept.add(there.id);
        else added.push(row);
        return row;
      },
    );
    const stills = byHand.length + rows.length > 0 ? [] : before.filter(isStill);
    for (const { id } of [...byHand, ...stills, ...uploads]) kept.add(id);
    shown.set(itemNo, [...byHand, ...rows, ...stills, ...uploads]);
  }
  const gone = known.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
  for (const group of chunks(gone, 500)) await trx('assets').whereIn('id', group).delete();
  await insertRows(trx, 'assets', added);
  await wantPictures(insertRows, trx, added);
  return shown;
}

const isStill = ({ source }: AssetRow): boolean => source === stillSource;

function placeOf({ type, uri }: Pick<AssetRow, 'type' | 'uri'>): string {
  return `${type}\n${uri}`;
}

function assetRow(asset: BundleAsset, itemNo: number): Omit<AssetRow, 'id'> {
  return {
    item_no: itemNo,
    type: asset.type,
    uri: asset.uri,
    mime_type: asset.mimeType ?? null,
    aspect: asset.aspect ?? null,
    source: [manual, stillSource, uploadedSource].includes(asset.source) ? '' : asset.source,
  };
}

function isSameAsset(one: AssetRow, other: AssetRow): boolean {
  return (
    one.mime_type === other.mime_type && one.aspect === other.aspect && one.source === other.source
  );
}

/**
 * Replaces the chapters of the last ingest in these files by those of this one, where they differ.
 * Gives the files that have chapters now.
 */
export async function replaceChapters(
  trx: Knex.Transaction,
  { insertRows, newId }: Parts,
  found: {
    readonly fileNumbers: readonly number[];
    readonly chapters: readonly IngestedChapter[];
    readonly now: number;
  },
): Promise<ReadonlySet<number>> {
  const known = await inChunks(found.fileNumbers, (group) =>
    trx<ChapterRow>('chapters').whereIn('file_no', group).select('*'),
  );
  const knownOf = Map.groupBy(known, (row) => row.file_no);
  const foundIn = Map.groupBy(found.chapters, ({ fileNo }) => fileNo);
  const changed = found.fileNumbers.filter((no) => {
    const before = (knownOf.get(no) ?? []).filter(({ source }) => source !== manual);
    return printOfRows(before) !== printOfChapters(foundIn.get(no) ?? []);
  });
  for (const group of chunks(changed, 500))
    await trx('chapters').whereIn('file_no', group).whereNot('source', manual).delete();
  const rows = changed.flatMap((no) =>
    (foundIn.get(no) ?? []).map((chapter) => chapterRow(chapter, newId(), found.now)),
  );
  await insertRows(trx, 'chapters', rows);
  const byHand = known.filter(({ source }) => source === manual).map(({ file_no: no }) => no);
  return new Set([...foundIn.keys(), ...byHand]);
}

function chapterRow(chapter: IngestedChapter, id: string, now: number): ChapterRow {
  return {
    id,
    file_no: chapter.fileNo,
    title: chapter.title,
    source: chapter.source === manual ? 'plugin' : chapter.source,
    start_time: chapter.startTime,
    end_time: chapter.endTime,
    role: chapter.role,
    metadata: chapter.metadata,
    assets: null,
    created_at: now,
    updated_at: now,
  };
}

type Print = readonly [string, number, number | null, string, string, string | null];

function printOfRows(rows: readonly ChapterRow[]): string {
  return print(
    rows.map((row) => [
      row.source,
      row.start_time,
      row.end_time,
      row.title,
      row.role,
      row.metadata,
    ]),
  );
}

function printOfChapters(chapters: readonly IngestedChapter[]): string {
  return print(
    chapters.map(({ source, startTime, endTime, title, role, metadata }) => [
      source,
      startTime,
      endTime,
      title,
      role,
      metadata,
    ]),
  );
}

function print(chapters: readonly Print[]): string {
  return chapters.length === 0
    ? ''
    : JSON.stringify(chapters.map((one) => JSON.stringify(one)).sort());
}
