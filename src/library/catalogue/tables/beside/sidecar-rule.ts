/**
 * Which auxiliary files concern which media file, and to which item they belong. One rule for all:
 * which files an ingest shows to the hooks, which are listed as files of an item, and which media is
 * ingested again when such a file arrives, changes or leaves.
 *
 * - In the folder of the media file: files whose name begins with its name, or is the name of its
 *   work (`Film (1999)` of `Film (1999) - 4k`); files with the customary names for a whole folder
 *   (`poster.jpg`, `album.nfo`, `season01-poster.jpg`); and all others where the folder has media of
 *   no other item (`English.srt`).
 * - A cue sheet of any name in that folder, since it names its media.
 * - The JSON that Google Takeout writes beside a photo, whose number stands at another place, and which
 *   an edited copy shares with its original.
 * - In the folders above, up to the root: files with the customary names.
 * - In the folders `subs`, `subtitles`, `artwork`, `extrafanart` and `scans` beside it: all files.
 * - In a folder with its name, or that of its work, in `subs` or `subtitles`: all files, as releases
 *   of series have them.
 *
 * A file that is not named after media concerns all media of its folder alike. Whether it belongs
 * to one item depends on what else the folder holds (`shared-folder-store.ts`).
 */
import { nameOfWork } from '../../../../../plugin-api/index.ts';
import { fileName, stemOf as stemIn } from '../file-uri.ts';

/** First words of the names that concern a whole folder. */
const folderWords = new Set(
  (
    'album albumart artist art author back backdrop background banner book booklet cd cdart chapters ' +
    'characterart clearart clearlogo comicinfo content cover default desc disc discart fanart folder ' +
    'front image inlay jacket keyart landscape logo medium metadata movie musicvideo poster reader ' +
    'season series show specials thumb thumbnail tvshow'
  ).split(' '),
);

/** Whole names that do so: of discs, whose media have names of their own. */
const folderNames = new Set(['index', 'video_ts']);

const subtitleFolders = new Set(['sub', 'subs', 'subtitle', 'subtitles', 'captions', 'untertitel']);
const extraFolders = new Set([...subtitleFolders, 'artwork', 'extrafanart', 'scans']);

const spellings = (names: Iterable<string>): readonly string[] =>
  [...names].flatMap((name) => [
    name,
    `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    name.toUpperCase(),
  ]);

/** The spellings of these folder names on disks, for queries. */
export const extraFolderNames: readonly string[] = spellings(extraFolders);
const subtitleFolderNames: readonly string[] = spellings(subtitleFolders);

/** A file beside media that concerns it. */
export interface Concerning<Sidecar> {
  readonly sidecar: Sidecar;
  /** It is named after the media or its work, or lies in a folder that is. */
  readonly isNamed: boolean;
}

/** Finds the auxiliary files that concern a media file. */
export interface SidecarLookup<Sidecar> {
  /** In the order of their URIs; `root` is the root of the media file, without a trailing slash. */
  readonly concerning: (mediaUri: string, root: string) => readonly Concerning<Sidecar>[];
}

interface Named<Sidecar> {
  readonly stem: string;
  readonly isOfFolder: boolean;
  readonly sidecar: Sidecar;
}

/** `shared` are the folders in or below which there is media of several items. */
export function createSidecarLookup<Sidecar extends { readonly uri: string }>(
  sidecars: readonly Sidecar[],
  shared: ReadonlySet<string>,
): SidecarLookup<Sidecar> {
  const byFolder = new Map<string, Named<Sidecar>[]>();
  const byHome = new Map<string, Named<Sidecar>[]>();
  const byNamesake = new Map<string, Named<Sidecar>[]>();
  const byPhoto = new Map<string, Named<Sidecar>[]>();
  for (const sidecar of sidecars) {
    const folder = folderOf(sidecar.uri);
    const named = {
      stem: stemOf(sidecar.uri),
      isOfFolder: isFolderName(stemOf(sidecar.uri)),
      sidecar,
    };
    listIn(byFolder, folder).push(named);
    const photo = isJson(sidecar.uri) ? photoOfJson(named.stem) : undefined;
    if (photo !== undefined) listIn(byPhoto, placeOf(folder, photo)).push(named);
    if (isExtraFolder(folder)) listIn(byHome, folderOf(folder)).push(named);
    else if (isInSubtitles(folder)) {
      const home = folderOf(folderOf(folder));
      listIn(byNamesake, placeOf(home, nameOf(folder).toLowerCase())).push(named);
    }
  }

  return {
    concerning: (mediaUri, root) => {
      const home = folderOf(mediaUri);
      const names = namesOf(mediaUri);
      const isLone = !shared.has(home);
      const found = new Map<Sidecar, boolean>();
      for (const { stem, isOfFolder, sidecar } of byFolder.get(home) ?? []) {
        const isNamed = isNamedAfter(stem, names);
        if (isNamed || isOfFolder || isLone || isCue(sidecar.uri)) found.set(sidecar, isNamed);
      }
      for (const { stem, sidecar } of byHome.get(home) ?? [])
        found.set(sidecar, isNamedAfter(stem, names));
      for (const name of [names.own, names.work])
        for (const { sidecar } of byNamesake.get(placeOf(home, name)) ?? [])
          found.set(sidecar, true);
      if (byPhoto.size > 0)
        for (const { sidecar } of byPhoto.get(placeOf(home, photoOf(names.own))) ?? [])
          found.set(sidecar, true);
      for (const folder of foldersAbove(home, root))
        for (const { isOfFolder, sidecar } of byFolder.get(folder) ?? [])
          if (isOfFolder) found.set(sidecar, false);
      return [...found]
        .map(([sidecar, isNamed]) => ({ sidecar, isNamed }))
        .sort((a, b) => (a.sidecar.uri < b.sidecar.uri ? -1 : 1));
    },
  };
}

/** Every folder that may hold a file that concerns the media file. */
export function foldersConcerning(mediaUri: string, root: string): readonly string[] {
  const home = folderOf(mediaUri);
  const [name = ''] = nameOf(mediaUri).split(/\.[^.]*$/);
  const names = new Set([name, name.slice(0, namesOf(mediaUri).work.length)]);
  return [
    home,
    ...foldersAbove(home, root),
    ...extraFolderNames.map((folder) => `${home}/${folder}`),
    ...[...names].flatMap((own) => subtitleFolderNames.map((folder) => `${home}/${folder}/${own}`)),
  ];
}

/** The folder and those in it in which files lie that concern its media. */
export const foldersReaching = (home: string): readonly string[] => [
  home,
  ...extraFolderNames.map((folder) => `${home}/${folder}`),
];

/** The folder whose media a file may concern, directly or in folders below. */
export function reachOf(sidecarUri: string): string {
  const folder = folderOf(sidecarUri);
  if (isExtraFolder(folder)) return folderOf(folder);
  return isInSubtitles(folder) ? folderOf(folderOf(folder)) : folder;
}

interface MediaNames {
  /** Without the extension, percent-encoded, in lower case. */
  readonly own: string;
  /** That of its work: the beginning of its own. */
  readonly work: string;
}

function namesOf(mediaUri: string): MediaNames {
  const own = stemOf(mediaUri);
  const work = nameOfWork(stemIn(fileName(mediaUri)));
  return { own, work: own.slice(0, encodedLength(own, Buffer.byteLength(work))) };
}

/** How many characters of a percent-encoded text stand for so many bytes. */
function encodedLength(encoded: string, bytes: number): number {
  let at = 0;
  for (let left = bytes; left > 0; left--) at += encoded.charAt(at) === '%' ? 3 : 1;
  return at;
}

/**
 * Whether a name is the media file's, alone or followed by a further word, or that of its work, with
 * nothing but words behind it: a number is that of another file.
 */
function isNamedAfter(stem: string, { own, work }: MediaNames): boolean {
  if (stem.startsWith(own) && !/[a-z0-9]/.test(stem.charAt(own.length))) return true;
  if (work === own || !stem.startsWith(work)) return false;
  const rest = stem.slice(work.length);
  return rest === '' || (/^[.-]/.test(rest) && !/\d\d/.test(fileName(rest).replace('419', '')));
}

/** The URI of the folder of a file or folder, without a trailing slash. */
function folderOf(uri: string): string {
  return uri.slice(0, uri.lastIndexOf('/'));
}

function* foldersAbove(folder: string, root: string): Generator<string> {
  let above = folder;
  while (above.length > root.length) {
    above = folderOf(above);
    yield above;
  }
}

/** The last name of a URI without its extension, percent-encoded, in lower case. */
function stemOf(uri: string): string {
  const name = nameOf(uri);
  const dot = name.lastIndexOf('.');
  return (dot > 0 ? name.slice(0, dot) : name).toLowerCase();
}

/** Of Google Takeout, perhaps. */
export const isJson = (uri: string): boolean => uri.toLowerCase().endsWith('.json');

/** Takeout cuts the name of a JSON at 46 characters, a character more or less. */
const [cutFrom, cutTo] = [45, 47];
/** What of a longer name is compared. */
const longestKey = 40;
const editedName =
  /-(?:edited|bearbeitet|bewerkt|edit(?:ado|ada)|modifi(?:e|%c3%a9|e%cc%81)|modificat[oa]|redigeret|redigerad|redigert)$/;
const photoName =
  /^(.+?)\.(?:jpe?g|jpe|png|hei[cf]|hif|webp|gif|avif|tiff?|bmp|dng|mp4|mov|m4v|3gp)(?:\.|$)/;

const withoutNumber = (stem: string): string => stem.replace(/(?:\(\d+\)|%28\d+%29)$/, '');

/** What the names of a photo and of its edited copy have in common with that of their JSON. */
const photoOf = (stem: string): string =>
  withoutNumber(stem).replace(editedName, '').slice(0, longestKey);

/**
 * The same of a JSON: its name has that of the photo in it, unless it was cut. More photos may have
 * this key: the plugin that reads them decides.
 */
function photoOfJson(stem: string): string | undefined {
  const plain = withoutNumber(stem);
  const length = plain.replace(/(?:%[0-9a-f]{2})+/g, characters).length;
  const isCut = length >= cutFrom && length <= cutTo;
  return (photoName.exec(plain)?.[1] ?? (isCut ? plain : undefined))?.slice(0, longestKey);
}

function characters(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

const isCue = (uri: string): boolean => uri.toLowerCase().endsWith('.cue');

function isFolderName(stem: string): boolean {
  return folderWords.has(/^[a-z]+/.exec(stem)?.[0] ?? '') || folderNames.has(stem);
}

function isExtraFolder(folder: string): boolean {
  return extraFolders.has(nameOf(folder).toLowerCase());
}

function isInSubtitles(folder: string): boolean {
  return subtitleFolders.has(nameOf(folderOf(folder)).toLowerCase());
}

const nameOf = (uri: string): string => uri.slice(uri.lastIndexOf('/') + 1);

/** Names have no line feed. */
const placeOf = (home: string, stem: string): string => `${home}\n${stem}`;

function listIn<Entry>(map: Map<string, Entry[]>, key: string): Entry[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}
