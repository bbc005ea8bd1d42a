/**
 * Tracks whose tags name an album and not whose it is. Of such a track alone nobody knows whether its
 * album is that of its artist or a sampler: the other tracks in its folder tell. They are read one by
 * one, so tracks of an album that has two album artists are merged again from what is kept.
 */
import type { Knex } from 'knex';
import { folderOf } from '../file-uri.ts';
import { normalizeName } from '../normalize-name.ts';
import { markItemsToMerge } from '../pending-store.ts';
import { isMap, parseMap } from '../rows.ts';

type Tags = Readonly<Record<string, unknown>>;

/** A track that was read. */
export interface OpenTrack {
  readonly itemNo: number;
  readonly folder: string;
  /** The album, as it is compared. */
  readonly album: string;
  readonly tags: Tags;
  /** What the item says of the artist of its album. */
  readonly albumArtist: unknown;
}

/** Of a folder with more files, only so many are looked at. */
const mostTracks = 300;

/** The album of a track that does not say whose album it is, as it is compared; else `null`. */
export function openAlbumOf(tags: unknown): string | null {
  if (!isMap(tags) || typeof tags['album'] !== 'string') return null;
  const { albumArtist, albumArtists, isCompilation } = tags;
  const isSaid = albumArtist !== undefined || albumArtists !== undefined || isCompilation === true;
  return isSaid ? null : normalizeName(tags['album']);
}

interface Row {
  readonly item_no: number;
  readonly uri: string;
  readonly rest: string | null;
  readonly metadata: string | null;
}

/** The tracks directly in these folders that were read and do not say whose their album is. */
export async function readOpenTracks(
  db: Knex,
  libraryNo: number,
  folders: readonly string[],
): Promise<readonly OpenTrack[]> {
  const found: OpenTrack[] = [];
  for (const folder of new Set(folders)) {
    const rows = await db('files')
      .join('kept_reports', 'kept_reports.file_no', 'files.no')
      .join('items', 'items.no', 'files.item_no')
      .where('files.library_no', libraryNo)
      .where('files.uri', '>', `${folder}/`)
      // 0 is the character after the slash.
      .where('files.uri', '<', `${folder}0`)
      .whereRaw(`files.type = 'media' and files.status <> 'missing'`)
      .whereNull('files.ingest_error')
      .orderBy('files.uri')
      .limit(mostTracks)
      .select<Row[]>('files.item_no', 'files.uri', 'kept_reports.rest', 'items.metadata');
    for (const { item_no: itemNo, uri, rest, metadata } of rows) {
      const tags = parseMap(rest)['tags'];
      const album = openAlbumOf(tags);
      if (album === null || !isMap(tags) || folderOf(uri) !== folder) continue;
      const { albumArtist } = parseMap(metadata);
      found.push({ itemNo, folder, album, tags, albumArtist });
    }
  }
  return found;
}

/** Marks the tracks of albums that have several album artists now, because these files were read. */
export async function regroupAlbums(
  trx: Knex.Transaction,
  libraryNo: number,
  read: readonly { readonly uri: string; readonly album: string }[],
): Promise<void> {
  const placeOf = (folder: string, album: string): string => `${folder}\n${album}`;
  const places = new Set(read.map(({ uri, album }) => placeOf(folderOf(uri), album)));
  const tracks = await readOpenTracks(
    trx,
    libraryNo,
    read.map(({ uri }) => folderOf(uri)),
  );
  const albums = Map.groupBy(tracks, ({ folder, album }) => placeOf(folder, album));
  const apart = [...albums].flatMap(([place, own]) => {
    const isOne = new Set(own.map(({ albumArtist }) => albumArtist)).size === 1;
    return isOne || !places.has(place) ? [] : own;
  });
  await markItemsToMerge(
    trx,
    apart.map(({ itemNo }) => itemNo),
  );
}
