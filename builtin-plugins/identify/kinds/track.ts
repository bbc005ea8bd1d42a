import type { BundleEntity, Identification } from '../../../plugin-api/index.ts';
import { foldTitle } from '../reading/characters.ts';
import { isYear } from '../reading/dates.ts';
import type { FilePath } from '../reading/file-path.ts';
import { readable } from '../reading/title-text.ts';
import { tokenize } from '../reading/tokens.ts';
import { shelfWords } from '../words/series-words.ts';
import { compact, type IdentifyContext } from './identify-context.ts';
import { pendingEntity } from './pending-entity.ts';

/** The folders of a track. */
interface AlbumFolders {
  readonly artist: string | undefined;
  readonly album: string | undefined;
  readonly year: number | undefined;
  readonly disc: number | undefined;
  readonly isCompilation: boolean;
}

const various =
  /^(?:various(?: artists?)?|va|v\.a\.|compilations?|soundtracks?|ost|diverse|divers|verschiedene(?: interpreten)?|varios(?: artistas)?|artistes variés|sampler|samplers|mixes)$/i;
/** What people put behind a folder's name when there is one of that name already. */
const twins = / \[\d{1,2}\]$/;
const discFolder =
  /^(?:cd|disc|disk|disque|vinyl|lp|side|tape|dvd)[ _.#-]{0,3}(\d{1,2}|[a-d])(?:\b|_)/i;
const discBehind = /[ _.,([-]{1,3}(?:cd|disc|disk|disque)[ _.#-]{0,2}(\d{1,2})[)\]]?$/i;
const numbered = /^(?:track[ _-]?)?(?:(\d{1,2})[-.](?=\d{2}\b))?(\d{1,3})(?=[ ._)\]-]|$)/i;
const vinyl = /^([a-d])(\d{1,2})[ ._-]+(?=\S)/i;

/** A track, by its file and the folders of album and artist. */
export function identifyTrack(path: FilePath, context: IdentifyContext): Identification {
  const folders = context.remember(`album ${path.folders.join('/')}`, () =>
    readAlbum(path.folders, context),
  );
  const stem = path.stem.trim();
  const number = trackNumber(stem);
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

function trackNumber(stem: string): { track?: number; disc?: number; length: number } {
  const side = vinyl.exec(stem);
  if (side !== null) {
    const disc = (side[1] ?? 'a').toLowerCase().charCodeAt(0) - 96;
    return { track: Number(side[2]), disc: Math.ceil(disc / 2), length: side[0].length };
  }
  const match = numbered.exec(stem);
  if (match === null) return { length: 0 };
  const [whole, disc, digits = ''] = match;
  const rest = stem.slice(whole.length);
  const isTitle = /^ [^\s\-–._]/.test(rest) && !/^0/.test(digits) && digits.length !== 2;
  if (isTitle) return { length: 0 };
  const length = whole.length + (/^[\s._)\]–-]*/.exec(rest)?.[0].length ?? 0);
  const value = Number(digits);
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
  const text = asWritten(rest);
  if (text === '') return { title: asWritten(stem) || stem };
  const isDashed =
    !/\s/.test(rest) && hasNumber && /^[^-]+-[^-]+$/.test(rest) && folders.album === undefined;
  const parts = text.split(isDashed ? '-' : / [-–—] /);
  const [first = '', ...others] = parts;
  if (others.length === 0) return splitBy(text, hasNumber, folders);
  const tail = others.join(' - ').trim();
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

/** `Artist - Album - 01 - Title`. */
function withoutAlbum(tail: string, artist: string, folders: AlbumFolders): TrackName {
  const parts = tail.split(' - ');
  const isAlbum = foldTitle(parts[0] ?? '') === foldTitle(folders.album ?? '');
  if (parts.length > 1 && folders.album !== undefined && isAlbum) parts.shift();
  const isNumber = parts.length > 1 && /^\d{1,3}$/.test(parts[0]?.trim() ?? '');
  const track = isNumber ? { track: Number(parts.shift()) } : {};
  return { title: parts.join(' - ').trim(), artist, ...track };
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

/** A name with spaces for underscores, and for dots where nothing else separates its words. */
function asWritten(text: string): string {
  return readable(text);
}

function readAlbum(folders: readonly string[], context: IdentifyContext): AlbumFolders {
  const rest = [...folders];
  while (rest.length > 0 && shelfWords.has((rest[0] ?? '').toLowerCase())) rest.shift();
  let disc: number | undefined;
  const deepest = rest.at(-1) ?? '';
  const match = discFolder.exec(deepest);
  if (match !== null && rest.length > 1) {
    const digits = match[1] ?? '1';
    disc = /\d/.test(digits) ? Number(digits) : digits.toLowerCase().charCodeAt(0) - 96;
    rest.pop();
  }
  const folder = rest.pop()?.replace(twins, '');
  if (folder === undefined)
    return { artist: undefined, album: undefined, year: undefined, disc, isCompilation: false };
  const artistFolder = rest.at(-1);
  const read = readAlbumName(folder, artistFolder === undefined, context.thisYear);
  const artist =
    artistFolder === undefined ? read.artist : readable(artistFolder.replace(twins, ''));
  const isCompilation = various.test((artistFolder ?? read.artist ?? folder).trim());
  const album = dropArtist(read.album, artist);
  return {
    artist: isCompilation ? undefined : artist,
    album:
      artistFolder === undefined && isCompilation && read.artist === undefined ? undefined : album,
    year: read.year,
    disc: disc ?? read.disc,
    isCompilation,
  };
}

/** `Artist - Album` inside the artist's folder. */
function dropArtist(album: string, artist: string | undefined): string {
  const at = album.indexOf(' - ');
  if (artist === undefined || at < 0 || foldTitle(album.slice(0, at)) !== foldTitle(artist))
    return album;
  return album.slice(at + 3).trim();
}

/** `Album (1999)`, `1999 - Album`, `[1999] Album`, `Artist - Album (1999) [FLAC]`. */
function readAlbumName(
  folder: string,
  mayHaveArtist: boolean,
  thisYear: number,
): { album: string; artist?: string; year?: number; disc?: number } {
  const discMatch = discBehind.exec(folder);
  let text = discMatch === null ? folder : folder.slice(0, discMatch.index);
  let year: number | undefined;
  const name = tokenize(text);
  const at = name.tokens.findIndex((token) => isYear(token, thisYear) && token.bracket >= 0);
  const bracket = name.brackets[name.tokens[at]?.bracket ?? -1];
  const [head] = name.tokens;
  if (bracket !== undefined && bracket.last - bracket.first <= 3) {
    year = name.tokens[at]?.value;
    text = bracket.start <= 1 ? text.slice(bracket.end) : text.slice(0, bracket.start);
  } else if (isYear(head, thisYear) && /^[ .]*[-–][ ]*|^\. /.test(text.slice(head?.end))) {
    year = head?.value;
    text = text.slice(head?.end);
  }
  text = readable(withoutTag(text));
  const parts = text.split(' - ');
  const middle = parts.findIndex((part, index) => index > 0 && /^(?:19|20)\d\d$/.test(part.trim()));
  if (middle > 0 && year === undefined && parts.length > 2) {
    year = Number(parts[middle]);
    parts.splice(middle, 1);
  }
  const disc = discMatch === null ? {} : { disc: Number(discMatch[1]) };
  const dated = year === undefined ? {} : { year };
  if (mayHaveArtist && parts.length > 1) {
    const [artist = '', ...rest] = parts;
    return { album: rest.join(' - ').trim() || folder, artist: artist.trim(), ...dated, ...disc };
  }
  return { album: parts.join(' - ') || folder, ...dated, ...disc };
}

/** Takes away `[FLAC]` and the like at the end. */
function withoutTag(text: string): string {
  const trimmed = text.trimEnd();
  const open = trimmed.lastIndexOf(trimmed.endsWith('}') ? '{' : '[');
  const isTag = /[\]}]$/.test(trimmed) && open > 0 && trimmed.length - open <= 62;
  return isTag ? trimmed.slice(0, open) : text;
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
