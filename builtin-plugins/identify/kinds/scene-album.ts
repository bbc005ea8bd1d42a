import type { AlbumFolders } from './album.ts';
import { readable } from '../reading/title-text.ts';

/** Words between the album and the year in a release folder. */
const notes =
  /^(?:web|cdr?|cds|cdm|cdep|\dcd|cd\d|dvda?|vinyl|vls|lp|\dlp|ep|single|tape|sat|dab|cable|flac|mp3|320|v0|24bit|16bit|\d{2}bit|advance|promo|retail|reissue|remastered|bootleg|deluxe|limited|proper|repack|read[_ ]?nfo|ost|bonus|split|\(.*\)|[a-z]{2})$/i;

/** `Artist-Album-(CAT01)-WEB-2019-GRP`, the form of scene folders; undefined for other names. */
export function readSceneAlbum(folder: string, thisYear: number): AlbumFolders | undefined {
  if (/\s/.test(folder) || folder.length > 300) return undefined;
  const parts = folder.split('-');
  const at = parts.findLastIndex((part, index) => index > 1 && isYear(part, thisYear));
  if (at < 2 || parts.length - at > 3) return undefined;
  let last = at;
  let disc: number | undefined;
  while (last > 2 && notes.test(parts[last - 1] ?? '')) last -= 1;
  const [artist = '', ...album] = parts.slice(0, last).map(readable);
  if (artist === '' || album.length === 0) return undefined;
  const discPart = parts.slice(last, at).find((part) => /^cd\d$/i.test(part));
  if (discPart !== undefined) disc = Number(discPart.slice(2));
  const isCompilation = /^(?:va|various(?: artists)?)$/i.test(artist);
  return {
    artist: isCompilation ? undefined : artist,
    album: album.join('-'),
    year: Number((parts[at] ?? '').replace(/\D/g, '')),
    disc,
    isCompilation,
    ...(parts.length - at === 2 && { group: parts[at + 1] ?? '' }),
  };
}

function isYear(part: string, thisYear: number): boolean {
  return /^\(?(?:19|20)\d\d\)?$/.test(part) && Number(part.replace(/\D/g, '')) <= thisYear + 2;
}
