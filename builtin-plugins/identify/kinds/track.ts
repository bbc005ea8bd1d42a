import type { BundleEntity, Identification } from '../../../plugin-api/index.ts';
import { foldTitle } from '../reading/characters.ts';
import type { FilePath } from '../reading/file-path.ts';
import { readable } from '../reading/title-text.ts';
import { readAlbum, type AlbumFolders } from './album-folders.ts';
import { compact, type IdentifyContext } from './identify-context.ts';
import { pendingEntity } from './pending-entity.ts';

const numbered =
  /^[[(]?(?:track[ _-]?|d(?=\d{1,2}t\d))?(?:(\d{1,2})(?:[-.](?=\d{2}\b)|t(?=\d)))?(\d{1,3})(?=[ ._)\]-]|$)/i;
const vinyl = /^([a-d])(\d{1,2})[ ._-]+(?=\S)/i;

/** A track, by its file and the folders of album and artist. */
export function identifyTrack(path: FilePath, context: IdentifyContext): Identification {
  const folders = context.remember(readAlbum, path.folder);
  const stem = path.stem.trim();
  const number = trackNumber(stem, folders.album !== undefined);
  const names = nameTrack(stem.slice(number.length), stem, number.track !== undefined, folders);
  const artist = names.artist ?? (folders.isCompilation ? undefined : folders.artist);
  const albumArtist = folders.isCompilation ? 'Various Artists' : folders.artist;
  const disc = number.disc ?? folders.disc;
  return compact({
    title: names.title,
    metadata: compact({
      artist,
      albumArtist: folders.album === undefined ? undefined : albumArtist,
      album: folders.album,
      year: folders.year,
      disc,
      track: number.track ?? names.track,
    }),
    classification: 'primary' as const,
    entities: entitiesOf(artist, albumArtist, folders),
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

/** What is left of a name behind the number in front. */
interface TrackName {
  readonly title: string;
  readonly artist?: string;
  readonly track?: number;
}

function nameTrack(
  rest: string,
  stem: string,
  hasNumber: boolean,
  folders: AlbumFolders,
): TrackName {
  const text = readable(rest);
  if (text === '') return { title: readable(stem) || stem };
  const parts = text.split(isDashed(rest, hasNumber, folders) ? '-' : / [-–—] /);
  const [first = '', ...others] = parts;
  if (others.length === 0) return splitBy(text, hasNumber, folders);
  const tail = others.join(isDashed(rest, hasNumber, folders) ? '-' : ' - ').trim();
  if (folders.artist !== undefined && foldTitle(first) === foldTitle(folders.artist)) {
    return withoutAlbum(tail, first.trim(), folders);
  }
  const isUnknown = folders.artist === undefined || folders.isCompilation;
  if (isUnknown && first.trim() !== '' && tail !== '') {
    if (/^\d{1,3}$/.test(others[0]?.trim() ?? '') && others.length > 1) {
      return {
        title: others.slice(1).join(' - ').trim(),
        artist: first.trim(),
        track: Number(others[0]),
      };
    }
    return { title: tail, artist: first.trim() };
  }
  return { title: text };
}

/** `01-artist-title` without spaces, where the artist is this album's or nobody knows better. */
function isDashed(rest: string, hasNumber: boolean, folders: AlbumFolders): boolean {
  if (/\s/.test(rest) || !rest.includes('-')) return false;
  if (!hasNumber && folders.artist === undefined)
    return rest.includes('_') && /^[^-]+-[^-]+$/.test(rest);
  if (folders.artist === undefined) return folders.isCompilation || /^[^-]+-[^-]+$/.test(rest);
  return foldTitle(rest.slice(0, rest.indexOf('-'))) === foldTitle(folders.artist);
}

/** `Artist - Album - 01 - Title`. */
function withoutAlbum(tail: string, artist: string, folders: AlbumFolders): TrackName {
  const parts = tail.split(' - ');
  const isAlbum = foldTitle(parts[0] ?? '') === foldTitle(folders.album ?? '');
  if (parts.length > 1 && folders.album !== undefined && isAlbum) parts.shift();
  const isNumber = parts.length > 1 && /^\d{1,3}$/.test(parts[0]?.trim() ?? '');
  const track = isNumber ? { track: Number(parts.shift()) } : {};
  const spelled = foldTitle(artist) === foldTitle(folders.artist ?? '') ? folders.artist : artist;
  return { title: parts.join(' - ').trim(), artist: spelled ?? artist, ...track };
}

/** `Song One by The Artist`, where no folder says more. */
function splitBy(
  text: string,
  hasNumber: boolean,
  folders: AlbumFolders,
): { title: string; artist?: string } {
  const at = text.lastIndexOf(' by ');
  if (at < 0 || hasNumber || folders.artist !== undefined) return { title: text };
  const [title, artist] = [text.slice(0, at).trim(), text.slice(at + 4).trim()];
  return title.includes(' ') && artist.includes(' ') ? { title, artist } : { title: text };
}

function entitiesOf(
  artist: string | undefined,
  albumArtist: string | undefined,
  folders: AlbumFolders,
): Readonly<Record<string, readonly BundleEntity[]>> | undefined {
  const entities: Record<string, readonly BundleEntity[]> = {};
  if (artist !== undefined) entities['artist'] = [pendingEntity('artist', artist)];
  if (folders.album !== undefined) {
    if (albumArtist !== undefined) entities['albumArtist'] = [pendingEntity('artist', albumArtist)];
    entities['album'] = [
      pendingEntity('album', folders.album, { artist: albumArtist, year: folders.year }),
    ];
  }
  return Object.keys(entities).length === 0 ? undefined : entities;
}
