/** Finds what a picture belongs to: the item, or the season, show, album or artist above. */
import type { BundleAsset, BundleAuxiliaryFile } from '../../../plugin-api/index.ts';
import { source } from '../findings/finding.ts';
import { folderOf, isWithin, keyOf } from '../item/folder-path.ts';
import { folderBelow, isAtHome, mediaOf, type Neighbour } from '../item/neighbours.ts';
import type { ItemKind, Scene } from '../item/scene.ts';
import {
  mainArtwork,
  readArtworkName,
  readSeasonArtwork,
  type ArtworkKind,
  type MainKind,
} from './artwork-name.ts';

/** What the picture belongs to; the nearest comes first. */
export type ArtworkOwner = 'item' | 'album' | 'season' | 'show' | 'artist';

/** A picture and what it belongs to. */
export interface Artwork {
  readonly owner: ArtworkOwner;
  readonly asset: BundleAsset;
}

const mimeTypes: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  jpe: 'image/jpeg',
  tbn: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
  bmp: 'image/bmp',
  svg: 'image/svg+xml',
};

const mainOf: Readonly<Record<ItemKind, MainKind>> = {
  film: 'poster',
  episode: 'poster',
  track: 'cover',
  audiobook: 'cover',
  book: 'book',
  photo: 'poster',
};

/** The picture in a file; null when it does not concern the item. */
export function artworkOf(scene: Scene, neighbour: Neighbour): Artwork | null {
  const found = fromMediaName(scene, neighbour) ?? fromFolder(scene, neighbour);
  if (found === null) return null;
  const [owner, kind, mediaFileId] = found;
  const mimeType = mimeTypes[neighbour.extension];
  return {
    owner,
    asset: {
      type: kind.type,
      uri: neighbour.file.uri,
      source,
      ...(mimeType !== undefined && { mimeType }),
      ...(mediaFileId !== undefined && { mediaFileId }),
      ...(kind.aspect !== undefined && { aspect: kind.aspect }),
    },
  };
}

/** The picture that a document names as the cover of its book. */
export function bookCover({ uri, extension }: BundleAuxiliaryFile): BundleAsset {
  const mimeType = mimeTypes[extension.toLowerCase()];
  return { ...mainArtwork('book'), uri, source, ...(mimeType !== undefined && { mimeType }) };
}

type Found = readonly [owner: ArtworkOwner, kind: ArtworkKind, mediaFileId?: string];

/** `<name of the media>.jpg`, `<name of the media>-poster.jpg`. */
function fromMediaName(scene: Scene, neighbour: Neighbour): Found | null {
  const named = isAtHome(scene, neighbour) ? mediaOf(scene, neighbour) : null;
  if (named === null) return null;
  const main = scene.kind === 'episode' ? 'still' : mainOf[scene.kind];
  const rest = keyOf(named.rest.replace(/^[\s._-]+/, ''));
  const kind = rest === '' ? mainArtwork(main) : readArtworkName(rest, main);
  if (kind === null) return null;
  const id = named.media?.file.id;
  return scene.media.length > 1 && id !== undefined ? ['item', kind, id] : ['item', kind];
}

function fromFolder(scene: Scene, neighbour: Neighbour): Found | null {
  switch (scene.kind) {
    case 'episode':
      return ofEpisode(scene, neighbour);
    case 'track':
      return ofTrack(scene, neighbour);
    case 'film':
    case 'audiobook':
    case 'book':
      return ofWork(scene, neighbour);
    case 'photo':
      return null;
  }
}

/** A folder of the root holds many works: a picture there must be named after one of them. */
function ofWork(scene: Scene, neighbour: Neighbour): Found | null {
  const { folder, stem } = neighbour;
  const kind = isAtHome(scene, neighbour)
    ? readArtworkName(stem, mainOf[scene.kind])
    : inArtworkFolder(scene, neighbour);
  return kind === null || folder === '' ? null : ['item', kind];
}

function ofEpisode(scene: Scene, neighbour: Neighbour): Found | null {
  const { parent, bundle } = scene;
  const { folder, stem } = neighbour;
  const season = readSeasonArtwork(stem);
  if (season !== null) return ofSeason(season, bundle.fields['season'], folder === parent);
  if (folder === parent) return owned('show', readArtworkName(stem, 'poster'));
  if (parent !== null && folderOf(folder) === parent && !isAtHome(scene, neighbour)) {
    return owned('show', inNamedFolder(folder, parent));
  }
  const isSeasons = isAtHome(scene, neighbour) && folder !== '';
  return isSeasons ? owned('season', readArtworkName(stem, 'poster')) : null;
}

function ofSeason(
  { season, kind }: NonNullable<ReturnType<typeof readSeasonArtwork>>,
  own: unknown,
  isAtShow: boolean,
): Found | null {
  if (season === 'all') return isAtShow ? ['show', kind] : null;
  return season === own ? ['season', kind] : null;
}

function ofTrack(scene: Scene, neighbour: Neighbour): Found | null {
  const { parent } = scene;
  const { folder, stem } = neighbour;
  if (isAtHome(scene, neighbour)) {
    if (folder === '') return null;
    if (/^artist(?:[ ._-]?\d{0,2})?$/.test(stem)) return ['artist', mainArtwork('artist')];
    return owned('album', readArtworkName(stem, 'cover'));
  }
  if (folder === parent) return owned('artist', readArtworkName(stem, 'artist'));
  if (parent !== null && folderOf(folder) === parent && isFanart(folder)) {
    return owned('artist', inNamedFolder(folder, parent));
  }
  return owned('album', inArtworkFolder(scene, neighbour));
}

function owned(owner: ArtworkOwner, kind: ArtworkKind | null): Found | null {
  return kind === null ? null : [owner, kind];
}

const pictureFolder = /^(?:artwork|art|scans?|covers?|booklet|images?|extras?)$/;

/** `extrafanart/…`, `extrathumbs/…`, and folders of scans, in which a picture must have a name. */
function inArtworkFolder(scene: Scene, neighbour: Neighbour): ArtworkKind | null {
  const below = folderBelow(scene, neighbour);
  if (below === null || below.includes('/')) return null;
  const special = readSpecialFolder(below);
  if (special !== null) return special;
  return pictureFolder.test(below) ? readArtworkName(neighbour.stem, mainOf[scene.kind]) : null;
}

function readSpecialFolder(name: string): ArtworkKind | null {
  if (/^(?:extrafanarts?|backdrops?)$/.test(name)) return { type: 'backdrop', aspect: 'landscape' };
  return name === 'extrathumbs' ? { type: 'thumbnail', aspect: 'landscape' } : null;
}

const isFanart = (folder: string): boolean => inNamedFolder(folder, folderOf(folder)) !== null;

function inNamedFolder(folder: string, parent: string): ArtworkKind | null {
  if (!isWithin(folder, parent)) return null;
  return readSpecialFolder(keyOf(folder.slice(parent === '' ? 0 : parent.length + 1)));
}
