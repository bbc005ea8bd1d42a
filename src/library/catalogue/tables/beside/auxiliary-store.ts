import type { Knex } from 'knex';
import type { FileRow } from '../file-store.ts';
import { selectInRanges, type AskedRange } from '../range-store.ts';
import { whereIn } from '../where-in-store.ts';
import { chunks } from '../rows.ts';
import { mediaNamed, namedAfter, stemOfUri, stemsBefore } from './basename-match.ts';

/** The columns that a scan sets on a new auxiliary file; the others have defaults. */
export type NewAuxiliaryRow = Pick<
  FileRow,
  | 'no'
  | 'id'
  | 'library_no'
  | 'item_no'
  | 'uri'
  | 'classification'
  | 'type'
  | 'status'
  | 'size'
  | 'modified_at'
  | 'folder'
  | 'created_at'
  | 'updated_at'
>;

/** An auxiliary file. `folder` is the URI of its folder. */
export interface AuxiliaryFile {
  readonly folder: string;
  readonly uri: string;
  readonly size: number;
}

/** The auxiliary files directly in these folders, in the order of their URIs. */
export async function readAuxiliaryIn(
  db: Knex,
  libraryNo: number,
  folders: readonly string[],
): Promise<AuxiliaryFile[]> {
  const distinct = [...new Set(folders)];
  if (distinct.length === 0) return [];
  // Sorted here: with an `order by`, a database may walk the whole library in that order.
  const rows = await db<FileRow>('files')
    .where('library_no', libraryNo)
    .whereRaw(`type = 'auxiliary'`)
    .where(whereIn(db, 'folder', distinct))
    .select('folder', 'uri', 'size');
  return rows
    .map(({ folder, uri, size }) => ({ folder: folder ?? '', uri, size: Number(size) }))
    .sort((a, b) => (a.uri < b.uri ? -1 : 1));
}

/** By URI: the item of the media file after which the auxiliary file is named. */
export async function findNamesakes(
  db: Knex,
  libraryNo: number,
  uris: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const asked: AskedRange[] = [];
  const names: { readonly uri: string; readonly stem: string }[] = [];
  for (const uri of uris)
    for (const stem of stemsBefore(uri)) {
      asked.push({ tag: names.length, ...mediaNamed(stem) });
      names.push({ uri, stem });
    }
  const rows = await selectInRanges<{ tag: number; uri: string; item_no: number }>(
    db,
    libraryNo,
    asked,
    {
      columns: 'asked.column1 as tag, files.uri, files.item_no',
      where: `files.type = 'media' and files.item_no is not null`,
    },
  );
  const found = new Map<string, { readonly stem: string; readonly itemNo: number }>();
  for (const { tag, uri, item_no: itemNo } of rows) {
    const name = names[tag];
    if (!name || stemOfUri(uri) !== name.stem) continue;
    if (name.stem.length > (found.get(name.uri)?.stem.length ?? 0))
      found.set(name.uri, { stem: name.stem, itemNo });
  }
  return new Map([...found].map(([uri, { itemNo }]) => [uri, itemNo]));
}

/** Auxiliary files without an item that are named after one of these media files. */
export async function findOrphansOf(
  db: Knex,
  libraryNo: number,
  mediaUris: readonly string[],
): Promise<{ readonly no: number; readonly uri: string }[]> {
  const asked = mediaUris.map((uri, tag) => ({ tag, ...namedAfter(stemOfUri(uri)) }));
  return selectInRanges(db, libraryNo, asked, {
    columns: 'distinct files.no, files.uri',
    where: `files.type = 'auxiliary' and files.item_no is null`,
  });
}

/** Detaches auxiliary files from items whose media is no longer at these URIs. */
export async function orphan(
  trx: Knex.Transaction,
  libraryNo: number,
  mediaUris: readonly string[],
): Promise<void> {
  const asked = mediaUris.map((uri, tag) => ({ tag, ...namedAfter(stemOfUri(uri)) }));
  const rows = await selectInRanges<{ no: number }>(trx, libraryNo, asked, {
    columns: 'distinct files.no',
    where: `files.type = 'auxiliary' and files.item_no is not null`,
  });
  await adopt(
    trx,
    null,
    rows.map(({ no }) => no),
  );
}

/** Assigns auxiliary files to an item, or to none. */
export async function adopt(
  trx: Knex.Transaction,
  itemNo: number | null,
  numbers: readonly number[],
): Promise<void> {
  for (const group of chunks(numbers, 500))
    await trx<FileRow>('files').whereIn('no', group).update({ item_no: itemNo });
}
