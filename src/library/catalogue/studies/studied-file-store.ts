import type { Knex } from 'knex';
import { parseLoudness, type StoredLoudness } from '../items/loudness.ts';
import type { FileRow } from '../tables/file-store.ts';
import type { ItemRow } from '../tables/item-store.ts';
import { isMap, parseMap } from '../tables/rows.ts';

/** A media file that is there, with what the media jobs know of it. */
export interface StudiedFile {
  /** Its place in the order of the job. */
  readonly no: number;
  readonly id: string;
  readonly itemId: string;
  readonly uri: string;
  readonly size: number;
  /** Unix milliseconds. */
  readonly modifiedAt: number;
  readonly isPrimary: boolean;
  /** What was found in it; `null` = neither pictures nor sound, or it was not read. */
  readonly kind: 'video' | 'audio' | null;
  readonly loudness: StoredLoudness | null;
  /** Whether its item has a picture of its own. */
  readonly hasPicture: boolean;
}

type Row = Pick<
  FileRow,
  'no' | 'id' | 'uri' | 'size' | 'modified_at' | 'classification' | 'file_info' | 'loudness'
> & { readonly item_id: string; readonly assets: string | null };

/** This text must stand in the statement for the partial index of these files to be used. */
const isThere = "files.type = 'media' and files.status = 'active'";

const numberOf = (db: Knex, libraryId: string): Knex.QueryBuilder =>
  db('libraries').where('id', libraryId).select('no');

/** The next files of a library, by number. */
export async function readStudiedFiles(
  db: Knex,
  libraryId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly StudiedFile[]> {
  const rows = await db<Row>('files')
    .join('items', 'items.no', 'files.item_no')
    .where('files.library_no', numberOf(db, libraryId))
    .whereRaw(isThere)
    .where('files.no', '>', after)
    .orderBy('files.no')
    .limit(limit)
    .select<Row[]>(
      'files.no',
      'files.id',
      'files.uri',
      'files.size',
      'files.modified_at',
      'files.classification',
      'files.file_info',
      'files.loudness',
      'items.id as item_id',
      'items.assets',
    );
  return rows.map((row) => ({
    no: row.no,
    id: row.id,
    itemId: row.item_id,
    uri: row.uri,
    size: Number(row.size),
    modifiedAt: Number(row.modified_at),
    isPrimary: row.classification === 'primary',
    kind: kindOf(row.file_info),
    loudness: parseLoudness(row.loudness),
    hasPicture: row.assets !== null,
  }));
}

function kindOf(fileInfo: string | null): StudiedFile['kind'] {
  const { streams } = parseMap(fileInfo);
  const list: readonly unknown[] = Array.isArray(streams) ? streams : [];
  const kinds = new Set(list.filter(isMap).map(({ kind }) => kind));
  return kinds.has('video') ? 'video' : kinds.has('audio') ? 'audio' : null;
}

/** The highest number of such a file of the library; 0 = it has none. */
export async function lastFileOf(db: Knex, libraryId: string): Promise<number> {
  const row = await db<FileRow>('files')
    .where('library_no', numberOf(db, libraryId))
    .whereRaw(isThere)
    .orderBy('no', 'desc')
    .first('no');
  return row?.no ?? 0;
}

/** Stores what was measured of a file. */
export async function saveLoudness(
  trx: Knex.Transaction,
  no: number,
  loudness: StoredLoudness,
): Promise<void> {
  await trx<FileRow>('files')
    .where({ no })
    .update({ loudness: JSON.stringify(loudness) });
}

export interface AlbumSound {
  readonly no: number;
  readonly albumNo: number;
  readonly duration: number | null;
  readonly loudness: StoredLoudness | null;
}

/**
 * The sounds of some albums of a library, by the number of the album. The columns that would lead to an
 * index are wrapped: each index has another order, so that each page would read all albums.
 */
export async function readAlbumSounds(
  db: Knex,
  libraryId: string,
  { after, albums }: { readonly after: number; readonly albums: number },
): Promise<readonly AlbumSound[]> {
  const links = db('item_entities as link')
    .join('items', 'items.no', 'link.item_no')
    .whereRaw('(items.library_no + 0) = (?)', [numberOf(db, libraryId)]);
  const numbers = await db('entities as entity')
    .whereRaw("(entity.type || '') = 'album'")
    .where('entity.no', '>', after)
    .whereExists(links.clone().whereRaw('link.entity_no = entity.no'))
    .orderBy('entity.no')
    .limit(albums)
    .pluck<number[]>('entity.no');
  const rows = await links
    .join('files', 'files.item_no', 'items.no')
    .whereIn('link.entity_no', numbers)
    .whereRaw(isThere)
    .where('files.classification', 'primary')
    .distinct<(Pick<FileRow, 'no' | 'duration' | 'loudness'> & { readonly album: number })[]>(
      'files.no',
      'files.duration',
      'files.loudness',
      'link.entity_no as album',
    );
  return rows.map(({ no, album, duration, loudness }) => ({
    no,
    albumNo: album,
    duration,
    loudness: parseLoudness(loudness),
  }));
}

/** The row of an item by its id, to give it a picture. */
export async function findItemRow(trx: Knex.Transaction, id: string): Promise<ItemRow | undefined> {
  return trx<ItemRow>('items').where({ id }).first();
}
