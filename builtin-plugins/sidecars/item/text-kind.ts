/** Which texts beside the media are read, and their kind by name and place. */
import { isAtHome, mediaOf, type Neighbour } from './neighbours.ts';
import { keyOf } from './folder-path.ts';
import type { Scene, SceneMedia } from './scene.ts';
import { isTakeoutOf } from './takeout-name.ts';

/** The kind of a text by its name. Its content may turn out to be another one. */
export type TextKind =
  | 'item-nfo'
  | 'folder-nfo'
  | 'show-nfo'
  | 'season-nfo'
  | 'album-nfo'
  | 'artist-nfo'
  | 'opf'
  | 'metadata-json'
  | 'comic-info'
  | 'description'
  | 'narrator'
  | 'lyrics'
  | 'cue'
  | 'chapters'
  | 'vobsub'
  | 'sami'
  | 'xmp'
  | 'takeout';

/** A text that is to be read. */
export interface Text {
  readonly kind: TextKind;
  readonly neighbour: Neighbour;
  /** The media that it is named after. */
  readonly media: SceneMedia | undefined;
  /** The rest of its name after that of the media. */
  readonly rest: string;
}

/** The text in a file; null when it does not concern the item. */
export function textOf(scene: Scene, neighbour: Neighbour): Text | null {
  if (isOfPhoto(scene, neighbour)) {
    const kind = neighbour.extension === 'xmp' ? 'xmp' : 'takeout';
    return { kind, neighbour, media: undefined, rest: '' };
  }
  if (scene.kind === 'photo') return null;
  const readKind = readers[neighbour.extension];
  if (readKind === undefined) return null;
  const isHome = isAtHome(scene, neighbour);
  const named = isHome ? mediaOf(scene, neighbour) : null;
  const rest = named?.rest.toLowerCase();
  const kind = readKind({ scene, neighbour, isHome, rest });
  return kind === null ? null : { kind, neighbour, media: named?.media, rest: named?.rest ?? '' };
}

/**
 * `IMG.jpg.xmp`, `IMG.xmp`, and the JSON of Takeout: the whole name counts, since `IMG_1.jpg(1).json`
 * is that of `IMG_1(1).jpg`. Films of phones have them too.
 */
function isOfPhoto({ kind, media }: Scene, { stem, folder, extension }: Neighbour): boolean {
  if (kind !== 'photo' && kind !== 'film') return false;
  const own = media.filter((one) => one.folder === folder);
  if (extension === 'xmp')
    return own.some((one) => stem === one.stem || stem === keyOf(one.file.filename));
  return extension === 'json' && own.some(({ file }) => isTakeoutOf(stem, keyOf(file.filename)));
}

interface Place {
  readonly scene: Scene;
  readonly neighbour: Neighbour;
  readonly isHome: boolean;
  /** The rest of the name after that of its media, in lower case; undefined when it is not named after one. */
  readonly rest: string | undefined;
}

const readers: Readonly<Record<string, ((place: Place) => TextKind | null) | undefined>> = {
  nfo: nfoKind,
  opf: ({ scene, neighbour, isHome, rest }) =>
    isBook(scene) && (rest === '' || (isHome && isOwnFolder(neighbour))) ? 'opf' : null,
  json: ({ scene, neighbour, isHome }) =>
    isBook(scene) && isHome && isOwnFolder(neighbour) && neighbour.stem === 'metadata'
      ? 'metadata-json'
      : null,
  xml: xmlKind,
  txt: txtKind,
  lrc: lyricsKind,
  elrc: lyricsKind,
  cue: ({ scene, isHome }) => (isSound(scene) && isHome ? 'cue' : null),
  idx: ({ rest }) => (rest === undefined ? null : 'vobsub'),
  smi: () => 'sami',
  sami: () => 'sami',
};

const isBook = ({ kind }: Scene): boolean => kind === 'audiobook' || kind === 'book';
const isSound = ({ kind }: Scene): boolean => kind === 'audiobook' || kind === 'track';

/** The root holds many works: a text there must be named after one of them. */
const isOwnFolder = ({ folder }: Neighbour): boolean => folder !== '';

const filmNames: ReadonlySet<string> = new Set(['movie', 'video_ts', 'index', 'musicvideo']);

function nfoKind({ scene, neighbour, isHome, rest }: Place): TextKind | null {
  const { kind, parent } = scene;
  const { stem, folder } = neighbour;
  if (rest === '') return 'item-nfo';
  switch (kind) {
    case 'film':
      return isHome && isOwnFolder(neighbour) && filmNames.has(stem) ? 'folder-nfo' : null;
    case 'episode':
      if (stem === 'tvshow') return folder === parent ? 'show-nfo' : null;
      return stem === 'season' && isHome ? 'season-nfo' : null;
    case 'track':
      if (stem === 'album' && isHome) return 'album-nfo';
      return stem === 'artist' && (isHome || folder === parent) ? 'artist-nfo' : null;
    case 'audiobook':
    case 'book':
    case 'photo':
      return null;
  }
}

const chapterNames: ReadonlySet<string> = new Set([
  '.chapters',
  '_chapters',
  '-chapters',
  ' - chapters',
]);

function xmlKind({ scene, neighbour, isHome, rest }: Place): TextKind | null {
  if (scene.kind === 'book') {
    const isComic = neighbour.stem === 'comicinfo' && isHome && isOwnFolder(neighbour);
    return isComic || rest === '' || rest === '.comicinfo' ? 'comic-info' : null;
  }
  if (rest !== undefined && (rest === '' || chapterNames.has(rest))) return 'chapters';
  return isLoneChapters(scene, neighbour, isHome) ? 'chapters' : null;
}

function txtKind({ scene, neighbour, isHome, rest }: Place): TextKind | null {
  const { stem } = neighbour;
  if (rest !== undefined && chapterNames.has(rest)) return 'chapters';
  if (isLoneChapters(scene, neighbour, isHome)) return 'chapters';
  if (scene.kind === 'audiobook' && isHome && isOwnFolder(neighbour)) {
    if (stem === 'desc') return 'description';
    if (stem === 'reader') return 'narrator';
  }
  if (rest === undefined) return null;
  if (scene.kind === 'track') return rest === '' || rest === '.lyrics' ? 'lyrics' : null;
  return rest === '' && scene.kind !== 'book' ? 'chapters' : null;
}

/** `chapters.txt` belongs to the only file of a folder. */
function isLoneChapters({ media }: Scene, neighbour: Neighbour, isHome: boolean): boolean {
  return neighbour.stem === 'chapters' && isHome && isOwnFolder(neighbour) && media.length === 1;
}

/** `Song.lrc`, `Song.en.lrc`. */
function lyricsKind({ scene, rest }: Place): TextKind | null {
  return isSound(scene) && rest !== undefined ? 'lyrics' : null;
}
