import type { BundleEntity, Identification } from '../../../plugin-api/index.ts';
import type { FilePath } from '../reading/file-path.ts';
import { foldTitle } from '../reading/characters.ts';
import { readable } from '../reading/title-text.ts';
import { readTrackName } from '../reading/track-name.ts';
import type { AlbumFolders } from './album.ts';
import { readAlbum } from './album-folders.ts';
import { compact, type IdentifyContext } from './identify-context.ts';
import { pendingEntity } from './pending-entity.ts';
import { readTrackNumber } from './track-number.ts';

/** A track, by its file and the folders of album and artist. */
export function identifyTrack(path: FilePath, { remember }: IdentifyContext): Identification {
  const read = remember(readAlbum, path.folder);
  const stem = withoutGroup(path.stem.trim(), read.group);
  const folders = isOfArtist(stem, read) ? { ...read, artist: read.album, album: undefined } : read;
  const number = startsWithArtist(stem, folders.artist)
    ? { length: 0 }
    : readTrackNumber(stem, folders.album !== undefined);
  const rest = stem.slice(number.length);
  const context = { ...folders, hasNumber: number.track !== undefined };
  const names =
    rest.trim() === '' ? { title: readable(stem) || stem } : readTrackName(rest, context);
  const artist = names.artist ?? (folders.isCompilation ? undefined : folders.artist);
  const album = folders.album ?? names.album;
  const albumArtist = folders.isCompilation
    ? 'Various Artists'
    : (folders.artist ?? (names.album === undefined ? undefined : artist));
  const year = folders.year ?? names.year;
  return compact({
    title: names.title,
    metadata: compact({
      artist,
      albumArtist: album === undefined ? undefined : albumArtist,
      album,
      year,
      disc: number.disc ?? names.disc ?? folders.disc,
      track: number.track ?? names.track,
    }),
    classification: 'primary' as const,
    entities: entitiesOf({ artist, albumArtist, album, year }),
    confidence: folders.album !== undefined && number.track !== undefined ? 0.8 : 0.5,
  });
}

/** `808 Piers - 04 - Ebb`: the number in front is that of the artist. */
function startsWithArtist(stem: string, artist = ''): boolean {
  return /^\d/.test(artist) && stem.toLowerCase().startsWith(`${artist.toLowerCase()} - `);
}

/** `Artist/Artist - Title`, `Artist/Title`: the only folder around a file without a number is an artist. */
function isOfArtist(
  stem: string,
  { artist, album, year, disc, isCompilation }: AlbumFolders,
): boolean {
  const isBare = artist === undefined && year === undefined && disc === undefined;
  if (album === undefined || !isBare || isCompilation) return false;
  const [first = '', ...rest] = stem.split(' - ');
  if (rest.length > 0 && foldTitle(first) === foldTitle(album)) return true;
  return rest.length === 0 && readTrackNumber(stem, true).track === undefined;
}

/** `01-artist-title-grp` in the folder of a scene release. */
function withoutGroup(stem: string, group = ''): string {
  const end = `-${group.toLowerCase()}`;
  return group !== '' && stem.toLowerCase().endsWith(end) ? stem.slice(0, -end.length) : stem;
}

function entitiesOf(track: {
  readonly artist: string | undefined;
  readonly albumArtist: string | undefined;
  readonly album: string | undefined;
  readonly year: number | undefined;
}): Readonly<Record<string, readonly BundleEntity[]>> | undefined {
  const { artist, albumArtist, album, year } = track;
  const entities: Record<string, readonly BundleEntity[]> = {};
  if (artist !== undefined) entities['artist'] = [pendingEntity('artist', artist)];
  if (album !== undefined) {
    if (albumArtist !== undefined) entities['albumArtist'] = [pendingEntity('artist', albumArtist)];
    entities['album'] = [pendingEntity('album', album, { artist: albumArtist, year })];
  }
  return artist === undefined && album === undefined ? undefined : entities;
}
