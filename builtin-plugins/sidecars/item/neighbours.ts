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
  /** Undefined when it is named after the work, which has several files. */
  readonly media: SceneMedia | undefined;
  /** As it is written; empty when the names are equal. */
  readonly rest: string;
}

/**
 * Finds the media with the longest name that is a prefix of the neighbour's, else the work whose name
 * is. A separator must follow: `Film 2` is not named after `Film`, but `Film.en` and `Film-poster` are.
 */
export function mediaOf({ media, works }: Scene, neighbour: Neighbour): NamedAfter | null {
  const longest = media
    .filter(({ stem }) => restAfter(stem, neighbour) !== null)
    .reduce<SceneMedia | null>(
      (most, one) => (most !== null && most.stem.length >= one.stem.length ? most : one),
      null,
    );
  if (longest !== null) return { media: longest, rest: restAfter(longest.stem, neighbour) ?? '' };
  for (const work of works) {
    const rest = restAfter(work, neighbour);
    // A number is that of another work.
    if (rest !== null && !/\d\d/.test(rest.replace('419', '')))
      return { media: media.length === 1 ? media[0] : undefined, rest };
  }
  return null;
}

function restAfter(name: string, { stem, written }: Neighbour): string | null {
  if (!stem.startsWith(name)) return null;
  const rest = written.slice(name.length);
  return rest === '' || /^(?:[._\-[(]| [([-])/.test(rest) ? rest : null;
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
