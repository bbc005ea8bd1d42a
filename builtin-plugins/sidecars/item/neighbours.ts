/** Which files beside the media belong to the item, and how. */
import type { BundleAuxiliaryFile } from '../../../plugin-api/index.ts';
import { folderOf, isWithin, keyOf, nameOf, stemOf } from './folder-path.ts';
import type { Scene, SceneMedia } from './scene.ts';

/** A file beside the media, with its names in the form for comparisons. */
export interface Neighbour {
  readonly file: BundleAuxiliaryFile;
  readonly folder: string;
  readonly stem: string;
  /** Without dot, lower case. */
  readonly extension: string;
  /** As it is written, for names whose case means something. */
  readonly written: string;
}

/** Reads the paths. */
export function toNeighbour(file: BundleAuxiliaryFile): Neighbour {
  const written = stemOf(nameOf(file.path).normalize('NFC'));
  return {
    file,
    folder: folderOf(file.path),
    stem: keyOf(written),
    extension: file.extension.toLowerCase(),
    written,
  };
}

/** The media that a neighbour is named after, and the rest of its name. */
export interface NamedAfter {
  readonly media: SceneMedia;
  /** As it is written; empty when the names are equal. */
  readonly rest: string;
}

/**
 * Finds the media with the longest name that is a prefix of the neighbour's. A separator must
 * follow: `Film 2` is not named after `Film`, but `Film.en` and `Film-poster` are.
 */
export function mediaOf({ media }: Scene, neighbour: Neighbour): NamedAfter | null {
  let found: NamedAfter | null = null;
  for (const one of media) {
    const { stem } = one;
    if (!neighbour.stem.startsWith(stem) || stem.length <= (found?.media.stem.length ?? -1))
      continue;
    const rest = neighbour.written.slice(stem.length);
    if (rest === '' || /^(?:[._\-[(]| [([-])/.test(rest)) found = { media: one, rest };
  }
  return found;
}

/** Whether the neighbour is in a folder of the item itself, or between that and its media. */
export function isAtHome({ homes }: Scene, { folder }: Neighbour): boolean {
  return homes.has(folder);
}

/** Whether it is in a folder below one of the item's own, and in which one. */
export function folderBelow({ homes }: Scene, { folder }: Neighbour): string | null {
  for (const home of homes) {
    if (folder !== home && isWithin(folder, home)) {
      return keyOf(folder.slice(home === '' ? 0 : home.length + 1));
    }
  }
  return null;
}
