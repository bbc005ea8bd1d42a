/** What a picture shows, by the names that Kodi, Jellyfin, Emby and Plex know. */

/** A kind of picture and its usual form. */
export interface ArtworkKind {
  readonly type: string;
  readonly aspect?: 'square' | 'portrait' | 'landscape';
}

const portrait = (type: string): ArtworkKind => ({ type, aspect: 'portrait' });
const landscape = (type: string): ArtworkKind => ({ type, aspect: 'landscape' });
const square = (type: string): ArtworkKind => ({ type, aspect: 'square' });

/** Words at the end of a name, or whole names. */
const kinds: ReadonlyMap<string, ArtworkKind> = new Map([
  ['poster', portrait('poster')],
  ['movie', portrait('poster')],
  ['show', portrait('poster')],
  ['keyart', portrait('keyart')],
  ['fanart', landscape('backdrop')],
  ['backdrop', landscape('backdrop')],
  ['background', landscape('backdrop')],
  ['art', landscape('backdrop')],
  ['banner', landscape('banner')],
  ['logo', landscape('logo')],
  ['clearlogo', landscape('logo')],
  ['clearart', landscape('clearart')],
  ['thumb', landscape('thumbnail')],
  ['thumbnail', landscape('thumbnail')],
  ['landscape', landscape('thumbnail')],
  ['disc', square('disc')],
  ['discart', square('disc')],
  ['cdart', square('disc')],
  ['cd', square('disc')],
  ['medium', square('disc')],
  ['back', square('back')],
  ['booklet', { type: 'booklet' }],
  ['inlay', { type: 'booklet' }],
  ['characterart', portrait('character')],
]);

/** Names of the main picture, whose kind depends on what it belongs to. */
const mains: ReadonlySet<string> = new Set([
  'folder',
  'cover',
  'default',
  'front',
  'album',
  'albumart',
]);

export const pictureExtensions: ReadonlySet<string> = new Set(
  'jpg jpeg jpe png webp avif gif bmp tbn svg'.split(' '),
);

/** The default kind of picture for a thing. */
export type MainKind = 'poster' | 'cover' | 'book' | 'artist' | 'still';

const mainKinds: Readonly<Record<MainKind, ArtworkKind>> = {
  poster: portrait('poster'),
  cover: square('cover'),
  book: portrait('cover'),
  artist: square('artist'),
  still: landscape('thumbnail'),
};

/** The picture that stands for the thing itself. */
export function mainArtwork(main: MainKind): ArtworkKind {
  return mainKinds[main];
}

const numbered = /^(.{1,40}?)(?:[ ._-]?\(?\d{1,3}\)?)?$/;

/** The kind of a name in lower case, such as `poster`, `fanart2`, `folder`; null when it is unknown. */
export function readArtworkName(name: string, main: MainKind): ArtworkKind | null {
  const word = numbered.exec(name.trim())?.[1]?.trim() ?? '';
  if (mains.has(word)) return mainKinds[main];
  if (main === 'artist' && word === 'artist') return mainKinds.artist;
  if (main === 'artist' && (word === 'poster' || word === 'thumb')) return mainKinds.artist;
  if (main === 'cover' && (word === 'poster' || word === 'thumb')) return mainKinds.cover;
  if (main === 'book' && word === 'poster') return mainKinds.book;
  return kinds.get(word) ?? null;
}

/** A picture of a season: which one, and what it shows. */
export interface SeasonArtwork {
  readonly season: number | 'all';
  readonly kind: ArtworkKind;
}

const seasonName =
  /^season[ ._-]?(\d{1,4}|specials?|all)(?:[ ._-]?(?:[a-z][ ._-]?)?(poster|banner|fanart|backdrop|landscape|thumb|clearart|clearlogo|logo|keyart)[ ._-]?\d{0,2})?$/;

/** `season01-poster`, `season-specials-poster`, `season-all-banner`, `Season01` of Plex. */
export function readSeasonArtwork(name: string): SeasonArtwork | null {
  const parts = seasonName.exec(name);
  if (parts === null) return null;
  const [, which = '', word] = parts;
  const kind = word === undefined ? mainKinds.poster : kinds.get(word);
  if (kind === undefined) return null;
  if (which === 'all') return { season: 'all', kind };
  return { season: which.startsWith('special') ? 0 : Number(which), kind };
}
