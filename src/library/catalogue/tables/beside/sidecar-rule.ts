/**
 * Which auxiliary files concern which media file. One rule for both directions: which files an
 * ingest shows to the hooks, and which media is ingested again when such a file arrives, changes or
 * leaves.
 *
 * - In the folder of the media file: files whose name begins with its name, and files with the
 *   customary names for a whole folder (`poster.jpg`, `album.nfo`, `season01-poster.jpg`).
 * - A cue sheet of any name in that folder, since it names its media.
 * - The JSON that Google Takeout writes beside a photo, whose number stands at another place, and which
 *   an edited copy shares with its original.
 * - In the folders above, up to the root: files with the customary names.
 * - In the folders `subs`, `subtitles`, `artwork`, `extrafanart` and `scans` beside it: all files.
 * - In a folder with its name in `subs` or `subtitles`: all files, as releases of series have them.
 *
 * A file that is not named after media concerns all media of its folder alike. Whether it belongs
 * to one item depends on what else the folder holds (`shared-folder-store.ts`).
 */

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

const subtitleFolders = new Set(['subs', 'subtitles']);
const extraFolders = new Set([...subtitleFolders, 'artwork', 'extrafanart', 'scans']);

/** The spellings of these folder names on disks, for queries. */
export const extraFolderNames: readonly string[] = [...extraFolders].flatMap((name) => [
  name,
  `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
]);

/** Finds the auxiliary files that concern a media file. */
export interface SidecarLookup<Sidecar> {
  /** In the order of their URIs; `root` is the root of the media file, without a trailing slash. */
  readonly concerning: (mediaUri: string, root: string) => readonly Sidecar[];
}

interface Named<Sidecar> {
  readonly stem: string;
  readonly isOfFolder: boolean;
  readonly sidecar: Sidecar;
}

export function createSidecarLookup<Sidecar extends { readonly uri: string }>(
  sidecars: readonly Sidecar[],
): SidecarLookup<Sidecar> {
  const byFolder = new Map<string, Named<Sidecar>[]>();
  const byHome = new Map<string, Sidecar[]>();
  const byNamesake = new Map<string, Sidecar[]>();
  const byPhoto = new Map<string, Sidecar[]>();
  for (const sidecar of sidecars) {
    const folder = folderOf(sidecar.uri);
    const stem = stemOf(sidecar.uri);
    const photo = isJson(sidecar.uri) ? photoOf(stem) : undefined;
    if (photo !== undefined) listIn(byPhoto, placeOf(folder, photo)).push(sidecar);
    listIn(byFolder, folder).push({ stem, isOfFolder: isFolderName(stem), sidecar });
    if (isExtraFolder(folder)) listIn(byHome, folderOf(folder)).push(sidecar);
    else if (isInSubtitles(folder)) {
      const home = folderOf(folderOf(folder));
      listIn(byNamesake, placeOf(home, nameOf(folder).toLowerCase())).push(sidecar);
    }
  }

  return {
    concerning: (mediaUri, root) => {
      const home = folderOf(mediaUri);
      const stem = stemOf(mediaUri);
      const found = (byFolder.get(home) ?? []).flatMap((one) =>
        one.isOfFolder || isCue(one.sidecar.uri) || beginsWith(one.stem, stem) ? [one.sidecar] : [],
      );
      found.push(...(byHome.get(home) ?? []));
      found.push(...(byNamesake.get(placeOf(home, stem)) ?? []));
      if (byPhoto.size > 0) found.push(...(byPhoto.get(placeOf(home, photoOf(stem))) ?? []));
      for (const folder of foldersAbove(home, root))
        for (const one of byFolder.get(folder) ?? []) if (one.isOfFolder) found.push(one.sidecar);
      return found.length < 2 ? found : [...new Set(found)].sort(byUri);
    },
  };
}

/** Every folder that may hold a file that concerns the media file. */
export function foldersConcerning(mediaUri: string, root: string): readonly string[] {
  const home = folderOf(mediaUri);
  const [name = ''] = nameOf(mediaUri).split(/\.[^.]*$/);
  return [
    home,
    ...foldersAbove(home, root),
    ...extraFolderNames.map((folder) => `${home}/${folder}`),
    `${home}/Subs/${name}`,
    `${home}/subs/${name}`,
  ];
}

/** The folder whose media a file may concern, directly or in folders below. */
export function reachOf(sidecarUri: string): string {
  const folder = folderOf(sidecarUri);
  if (isExtraFolder(folder)) return folderOf(folder);
  return isInSubtitles(folder) ? folderOf(folderOf(folder)) : folder;
}

/** Whether an auxiliary file concerns a whole folder by its name or its place. */
export function speaksForFolder(sidecarUri: string): boolean {
  return (
    isFolderName(stemOf(sidecarUri)) || isCue(sidecarUri) || isExtraFolder(folderOf(sidecarUri))
  );
}

/** Whether it is named after one of these media files, or lies in a folder that is. */
export function isNamedAfter(sidecarUri: string, mediaUris: readonly string[]): boolean {
  const name = stemOf(sidecarUri);
  const folder = folderOf(sidecarUri);
  const folderName = isInSubtitles(folder) ? nameOf(folder).toLowerCase() : null;
  return mediaUris
    .map(stemOf)
    .some(
      (stem) =>
        beginsWith(name, stem) ||
        stem === folderName ||
        (isJson(sidecarUri) && photoOf(stem) === photoOf(name)),
    );
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

const isCue = (uri: string): boolean => uri.toLowerCase().endsWith('.cue');

const isJson = (uri: string): boolean => uri.toLowerCase().endsWith('.json');

/** Takeout cuts the name of a JSON at 46 characters. */
const cutAt = 40;
const editedName =
  /-(?:edited|bearbeitet|bewerkt|edit(?:ado|ada)|modifi(?:e|%c3%a9|e%cc%81)|modificat[oa]|redigeret|redigerad|redigert)$/;

/**
 * What the names of a photo, of its edited copy and of their JSON have in common. More names than
 * these may have it: the plugin that reads them decides.
 */
function photoOf(stem: string): string {
  const plain = stem.replace(/(?:\(\d+\)|%28\d+%29)$/, '');
  return (plain.split('.')[0] ?? '').replace(editedName, '').slice(0, cutAt);
}

function isFolderName(stem: string): boolean {
  return folderWords.has(/^[a-z]+/.exec(stem)?.[0] ?? '') || folderNames.has(stem);
}

/** Whether a name is the media file's name, alone or followed by a further word. */
function beginsWith(name: string, mediaName: string): boolean {
  return name.startsWith(mediaName) && !/[a-z0-9]/.test(name.charAt(mediaName.length));
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

const byUri = (one: { readonly uri: string }, other: { readonly uri: string }): number =>
  one.uri < other.uri ? -1 : Number(one.uri > other.uri);
