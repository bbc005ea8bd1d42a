/** Which files beside the media belong to the item, and how. */
import type { BundleAuxiliaryFile } from '../../../plugin-api/index.ts';
import { folderOf, isWithin, keyOf, nameOf, stemOf } from './folder-path.ts';
import type { Scene, SceneMedia } from './scene.ts';

/** A file beside the media, its names in the form in which they are compared. */
export interface Neighbour {
  readonly file: BundleAuxiliaryFile;
  readonly folder: string;
  readonly stem: string;
  /** Without dot, lower case. */
  readonly extension: string;
  /** As it is written, for names that tell something by their case. */
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

/** The media that a neighbour is named after, and what its name has beyond that. */
export interface NamedAfter {
  readonly media: SceneMedia;
  /** As it is written; empty when the names are equal. */
  readonly rest: string;
}

/**
 * Finds the media with the longest name that the neighbour's begins with. What follows must be set
 * apart: `Film 2` is not named after `Film`, but `Film.en` and `Film-poster` are.
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

/** Whether the neighbour lies in a folder of the item itself, or between that and its media. */
export function isAtHome({ homes }: Scene, { folder }: Neighbour): boolean {
  return homes.has(folder);
}

/** Whether it lies in a folder below one of the item's own, and in which. */
export function folderBelow({ homes }: Scene, { folder }: Neighbour): string | null {
  for (const home of homes) {
    if (folder !== home && isWithin(folder, home)) {
      return keyOf(folder.slice(home === '' ? 0 : home.length + 1));
    }
  }
  return null;
}
