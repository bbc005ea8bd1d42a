import { foldTitle } from '../reading/characters.ts';
import { musicRoots, musicShelves, placeholders } from '../words/music-words.ts';
import { shelfWords } from '../words/series-words.ts';
import { isVarious } from './album-brackets.ts';
import { readAlbumName, readArtistName } from './album-name.ts';
import type { AlbumFolders } from './album.ts';
import { isBonusDisc, readDiscFolder } from './disc-folder.ts';
import type { IdentifyContext } from './identify-context.ts';
import { readSceneAlbum } from './scene-album.ts';

/** Suffixes of a folder whose name existed already. */
const twins = / \[\d{1,2}\]$/;

/** It says nothing of who made the album below it. */
const unknownArtist = /^\[?unknown(?: artist)?\]?$/i;

const onlyVolume = /^vol(?:ume)?[ ._]{0,2}(\d{1,2})$/i;

/** Folders that group the albums of an artist and are not names. */
const sections: ReadonlySet<string> = new Set(
  (
    'albums, album, studio albums, studio, singles, single, eps, ep, singles & eps, eps & singles, live, live albums, compilations, compilation, bootlegs, ' +
    'discography, remixes, demos, collaborations, alben, álbumes, discografia, discografía, discographie, albumes, альбомы, синглы, soundtracks, other, misc'
  ).split(', '),
);

/** Reads the folders of disc, album and artist. */
export function readAlbum(path: string, { thisYear }: IdentifyContext): AlbumFolders {
  const rest = withoutRoots(path);
  const disc = takeDisc(rest, thisYear);
  const folder = rest.pop()?.replace(twins, '') ?? '';
  while (rest.length > 1 && isSection(rest.at(-1) ?? '')) rest.pop();
  const shelfYear = takeYear(rest, folder);
  const above = rest.at(-1);
  const isOfNobody = unknownArtist.test(above ?? '') && !isPlaceholder(folder);
  if (!isOfNobody && (isPlaceholder(folder) || folder === '' || isPlaceholder(above ?? ''))) {
    const named = isPlaceholder(folder) || folder === '' ? above : folder;
    const artist = named === undefined || isPlaceholder(named) ? undefined : named;
    return { artist, album: undefined, year: undefined, disc, isCompilation: false };
  }
  const isAlone = above === undefined || isOfNobody || isShelf(above, folder);
  const artistFolder = isAlone ? undefined : above;
  if (artistFolder === undefined) {
    const scene = readSceneAlbum(folder, thisYear);
    if (scene !== undefined) return { ...scene, disc: disc ?? scene.disc };
  }
  const read = readAlbumName(folder, { mayHaveArtist: artistFolder === undefined, thisYear });
  const artist =
    artistFolder === undefined
      ? read.artist
      : readArtistName(artistFolder.replace(twins, ''), thisYear);
  const isCompilation = isVarious(artist ?? folder);
  const isUnnamed = artistFolder === undefined && isCompilation && read.artist === undefined;
  return {
    artist: isCompilation ? undefined : artist,
    album: isUnnamed ? undefined : dropArtist(read.album, artist),
    year: read.year ?? shelfYear,
    disc: disc ?? read.disc,
    isCompilation,
  };
}

/** The folders below that of the library, which may be far down: `people/kim/Music`. */
function withoutRoots(path: string): string[] {
  const folders = path === '' ? [] : path.split('/');
  const root = folders.findLastIndex((folder) => musicRoots.has(folder.toLowerCase()));
  const rest = folders.slice(root + 1);
  const isAbove = (folder: string): boolean => {
    const key = folder.toLowerCase();
    return shelfWords.has(key) || (rest.length > 1 && musicShelves.has(key));
  };
  while (rest.length > 0 && isAbove(rest[0] ?? '')) rest.shift();
  return rest;
}

/** Removes a folder of a year around the album: `Artist/1998/Album`, `1998/Artist - Album`. */
function takeYear(rest: string[], album: string): number | undefined {
  const year = /^(?:19|20)\d\d$/.exec(rest.at(-1) ?? '');
  if (year === null || (rest.length === 1 && !album.includes(' - '))) return undefined;
  rest.pop();
  return Number(year[0]);
}

function isPlaceholder(folder: string): boolean {
  return placeholders.has(folder.toLowerCase());
}

const bonus = /^bonus(?:es)?$/i;

/** Removes the folder of a disc: `CD1`, or the name of its album with the disc behind. */
function takeDisc(rest: string[], thisYear: number): number | undefined {
  const [around, deepest] = rest.slice(-2);
  if (around === undefined || deepest === undefined) return undefined;
  if (isBonusDisc(deepest) || (rest.length > 2 && bonus.test(deepest))) {
    rest.pop();
    return undefined;
  }
  const volume = rest.length > 2 ? onlyVolume.exec(deepest) : null;
  const found = volume === null ? readDiscFolder(deepest) : { disc: Number(volume[1]), before: '' };
  if (found === undefined) return undefined;
  if (found.before !== '') {
    const [inner, outer] = [found.before, around].map((name) =>
      foldTitle(readAlbumName(name, { mayHaveArtist: false, thisYear }).album),
    );
    if (inner === undefined || outer === undefined || inner === '' || !outer.endsWith(inner))
      return undefined;
  }
  rest.pop();
  return found.disc;
}

/** `Albums`, `01 Singles`. */
function isSection(folder: string): boolean {
  return sections.has(folder.toLowerCase().replace(/^\d{1,2}[ ._-]+/, ''));
}

/** `80s`, `1990s`, `90er`. */
const decade = /^(?:19|20)?\d0'?(?:s|er|-е)$/i;

/** `FLAC`, `Rock`, a decade, and a letter around `Artist - Album`. */
function isShelf(folder: string, album: string): boolean {
  const isLetter = folder.length === 1 && album.includes(' - ') && !/^\(?\d{4}\)? - /.test(album);
  return isLetter || musicShelves.has(folder.toLowerCase()) || decade.test(folder);
}

/** `Artist - Album` inside the artist's folder. */
function dropArtist(album: string, artist: string | undefined): string {
  const at = album.indexOf(' - ');
  if (artist === undefined || at < 0 || foldTitle(album.slice(0, at)) !== foldTitle(artist))
    return album;
  return album.slice(at + 3).trim();
}
