import type { BundleEntity, Identification } from '../../../plugin-api/index.ts';
import type { FilePath } from '../reading/file-path.ts';
import { readable } from '../reading/title-text.ts';
import { readTrackName } from '../reading/track-name.ts';
import { readAlbum } from './album-folders.ts';
import { compact, type IdentifyContext } from './identify-context.ts';
import { pendingEntity } from './pending-entity.ts';

const numbered =
  /^[[(]?(?:track[ _-]?|d(?=\d{1,2}t\d))?(?:(\d{1,2})(?:[-.](?=\d{2}\b)|t(?=\d)))?(\d{1,3})(?=[ ._)\]-]|$)/i;
const vinyl = /^([a-d])(\d{1,2})[ ._-]+(?=\S)/i;

/** A track, by its file and the folders of album and artist. */
export function identifyTrack(path: FilePath, { remember }: IdentifyContext): Identification {
  const folders = remember(readAlbum, path.folder);
  const stem = path.stem.trim();
  const number = trackNumber(stem, folders.album !== undefined);
  const rest = stem.slice(number.length);
  const context = { ...folders, hasNumber: number.track !== undefined };
  const names =
    rest.trim() === '' ? { title: readable(stem) || stem } : readTrackName(rest, context);
  const artist = names.artist ?? (folders.isCompilation ? undefined : folders.artist);
  const album = folders.album ?? names.album;
  const albumArtist = folders.isCompilation
    ? 'Various Artists'
    : (folders.artist ?? (names.album === undefined ? undefined : artist));
  const { year } = folders;
  return compact({
    title: names.title,
    metadata: compact({
      artist,
      albumArtist: album === undefined ? undefined : albumArtist,
      album,
      year,
      disc: number.disc ?? folders.disc,
      track: number.track ?? names.track,
    }),
    classification: 'primary' as const,
    entities: entitiesOf({ artist, albumArtist, album, year }),
    confidence: folders.album !== undefined && number.track !== undefined ? 0.8 : 0.5,
  });
}

function trackNumber(
  stem: string,
  hasAlbum: boolean,
): { track?: number; disc?: number; length: number } {
  const side = vinyl.exec(stem);
  if (side !== null) {
    const disc = (side[1] ?? 'a').toLowerCase().charCodeAt(0) - 96;
    return { track: Number(side[2]), disc: Math.ceil(disc / 2), length: side[0].length };
  }
  const match = numbered.exec(stem);
  if (match === null) return { length: 0 };
  const [whole, disc, digits = ''] = match;
  const rest = stem.slice(whole.length);
  const value = Number(digits);
  const mayBeDisc = hasAlbum && value > 100 && value < 1000 && value % 100 > 0 && value % 100 <= 40;
  const isSpaced = /^ [^\s\-–._]/.test(rest);
  const isTitle = isSpaced && !digits.startsWith('0') && digits.length !== 2 && !mayBeDisc;
  if (isTitle || (rest === '' && digits.length > 2)) return { length: 0 };
  const length = whole.length + (/^[\s._)\]–-]*/.exec(rest)?.[0].length ?? 0);
  if (disc !== undefined) return { track: value, disc: Number(disc), length };
  const isDiscAndTrack =
    digits.length === 3 && value >= 101 && !digits.startsWith('0') && value % 100 > 0;
  if (isDiscAndTrack) return { track: value % 100, disc: Math.floor(value / 100), length };
  return { track: value, length };
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
