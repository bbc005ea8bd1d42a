import type { Knex } from 'knex';
import type { FileRow } from '../file-store.ts';
import { selectInRanges, type AskedRange } from '../range-store.ts';
import { whereIn } from '../where-in-store.ts';
import { chunks, inChunks } from '../rows.ts';
import { mediaNamed, namedAfter, stemOfUri, stemsBefore } from './basename-match.ts';

/** The columns that a scan sets on a new auxiliary file; the others have defaults. */
export type NewAuxiliaryRow = Pick<
  FileRow,
  | 'no'
  | 'id'
  | 'library_no'
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
  readonly no: number;
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
    .select('no', 'folder', 'uri', 'size');
  return rows
    .map(({ no, folder, uri, size }) => ({ no, folder: folder ?? '', uri, size: Number(size) }))
    .sort((a, b) => (a.uri < b.uri ? -1 : 1));
}

/** The media after which an auxiliary file is named. */
export interface Namesake {
  /** The URI of the media file without its extension. */
  readonly stem: string;
  /** Of several with this name, the first. */
  readonly itemNo: number;
}

/** By URI: the media with the longest name after which the auxiliary file is named. */
export async function findNamesakes(
  db: Knex,
  libraryNo: number,
  uris: readonly string[],
): Promise<ReadonlyMap<string, Namesake>> {
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
      where: `files.type = 'media' and files.item_no is not null and files.status <> 'missing'`,
    },
  );
  const found = new Map<string, Namesake>();
  for (const { tag, uri, item_no: itemNo } of rows.toSorted((a, b) => a.item_no - b.item_no)) {
    const name = names[tag];
    if (!name || stemOfUri(uri) !== name.stem) continue;
    if (name.stem.length > (found.get(name.uri)?.stem.length ?? 0))
      found.set(name.uri, { stem: name.stem, itemNo });
  }
  return found;
}

/** The items that have auxiliary files that are named after one of these media files. */
export async function findItemsBeside(
  db: Knex,
  libraryNo: number,
  mediaUris: readonly string[],
): Promise<readonly number[]> {
  const asked = mediaUris.map((uri, tag) => ({ tag, ...namedAfter(stemOfUri(uri)) }));
  const rows = await selectInRanges<{ item_no: number }>(db, libraryNo, asked, {
    columns: 'distinct files.item_no',
    where: `files.type = 'auxiliary' and files.item_no is not null`,
  });
  return rows.map(({ item_no: itemNo }) => itemNo);
}

/** Gives items these auxiliary files, by number, and takes from them all others. */
export async function replaceBeside(
  trx: Knex.Transaction,
  items: readonly { readonly no: number; readonly beside: readonly number[] }[],
): Promise<void> {
  const before = await inChunks(
    items.map(({ no }) => no),
    (group) =>
      trx<FileRow>('files')
        .whereIn('item_no', group)
        .whereRaw(`type = 'auxiliary'`)
        .select('no', 'item_no'),
  );
  const owners = new Map<number, number | null>(before.map(({ no }) => [no, null]));
  for (const { no: itemNo, beside } of items) for (const no of beside) owners.set(no, itemNo);
  for (const { no, item_no: itemNo } of before) if (owners.get(no) === itemNo) owners.delete(no);
  for (const group of chunks([...owners], 250)) {
    const places = group.map(() => '(cast(? as integer), cast(? as integer))').join(', ');
    await trx.raw(
      `with owned (file_no, owner_no) as (values ${places})
       update files set item_no = (select owner_no from owned where file_no = files.no)
       where no in (select file_no from owned) and type = 'auxiliary'`,
      group.flat(),
    );
  }
}
