import { foldTitle } from '../reading/characters.ts';
import { isYear } from '../reading/dates.ts';
import { readable } from '../reading/title-text.ts';
import { tokenize } from '../reading/tokens.ts';
import type { IdentifyContext } from './identify-context.ts';
import type { AlbumFolders } from './album.ts';
import { readSceneAlbum } from './scene-album.ts';
import { shelfWords } from '../words/series-words.ts';

const various =
  /^(?:various(?: artists?)?|va|v\.a\.|compilations?|soundtracks?|ost|diverse|divers|verschiedene(?: interpreten)?|varios(?: artistas)?|artistes variés|sampler|samplers|mixes)$/i;
/** Suffixes of a folder whose name existed already. */
const twins = / \[\d{1,2}\]$/;
const discFolder =
  /^(?:cd|disc|disk|disque|vinyl|lp|side|tape|dvd)[ _.#-]{0,3}(\d{1,2}|[a-d])(?:\b|_)/i;
const discBehind = /[ _.,([-]{1,3}(?:cd|disc|disk|disque)[ _.#-]{0,2}(\d{1,2})[)\]]?$/i;

/** Folders that group the albums of an artist and are not names. */
const sections: ReadonlySet<string> = new Set(
  (
    'albums, album, studio albums, singles, single, eps, ep, singles & eps, live, live albums, compilations, bootlegs, ' +
    'discography, remixes, demos, collaborations, alben, álbumes, discografia, discografía, discographie, альбомы, синглы'
  ).split(', '),
);

/** Reads the folders of disc, album and artist. */
export function readAlbum(path: string, { thisYear }: IdentifyContext): AlbumFolders {
  const rest = path === '' ? [] : path.split('/');
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
  while (rest.length > 1 && sections.has((rest.at(-1) ?? '').toLowerCase())) rest.pop();
  const artistFolder = rest.at(-1);
  if (artistFolder === undefined) {
    const scene = readSceneAlbum(folder, thisYear);
    if (scene !== undefined) return { ...scene, disc: disc ?? scene.disc };
  }
  const read = readAlbumName(folder, artistFolder === undefined, thisYear);
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
  if (isYear(head, thisYear) && /^[ .]*[-–][ ]*|^\. /.test(text.slice(head?.end))) {
    year = head?.value;
    text = text.slice(head?.end);
  } else if (bracket !== undefined && bracket.last - bracket.first <= 3) {
    year = name.tokens[at]?.value;
    text = bracket.start <= 1 ? text.slice(bracket.end) : text.slice(0, bracket.start);
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

/** Removes `[FLAC]` and similar suffixes. */
function withoutTag(text: string): string {
  const trimmed = text.trimEnd();
  const open = trimmed.lastIndexOf(trimmed.endsWith('}') ? '{' : '[');
  const isTag = /[\]}]$/.test(trimmed) && open > 0 && trimmed.length - open <= 62;
  return isTag ? trimmed.slice(0, open) : text;
}
