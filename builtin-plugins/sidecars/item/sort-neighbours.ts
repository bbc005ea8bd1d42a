import type { BundleSubtitle } from '../../../plugin-api/index.ts';
import { artworkOf, type Artwork } from '../artwork/artwork-files.ts';
import { pictureExtensions } from '../artwork/artwork-name.ts';
import { pairKey, subtitleExtensions, subtitleOf } from '../subtitles/subtitle-files.ts';
import { toNeighbour } from './neighbours.ts';
import type { Scene } from './scene.ts';
import { textOf, type Text } from './text-kind.ts';

/** All neighbours that concern the item, by kind. */
export interface Sorted {
  readonly artwork: readonly Artwork[];
  readonly subtitles: readonly BundleSubtitle[];
  readonly texts: readonly Text[];
}

/**
 * Sorts only by names and reads nothing. A file for a folder of several works belongs to none of
 * them; in the folder of a season or an album it belongs to all.
 */
export function sortNeighbours(scene: Scene): Sorted {
  const neighbours = scene.bundle.files.auxiliary
    .filter(({ isShared = false }) => !isShared || !isWork(scene))
    .map(toNeighbour)
    .toSorted((a, b) => compare(a.file.path, b.file.path));
  const artwork: Artwork[] = [];
  const subtitles: BundleSubtitle[] = [];
  const texts: Text[] = [];
  const pairs = new Set(neighbours.filter(({ extension }) => extension === 'idx').map(pairKey));
  for (const neighbour of neighbours) {
    if (scene.kind !== 'photo' && pictureExtensions.has(neighbour.extension)) {
      const found = artworkOf(scene, neighbour);
      if (found !== null) artwork.push(found);
      continue;
    }
    const subtitle =
      scene.kind !== 'photo' && subtitleExtensions.has(neighbour.extension)
        ? subtitleOf(scene, neighbour, pairs)
        : null;
    if (subtitle !== null) subtitles.push(subtitle);
    const isKnown = subtitle?.language !== undefined && subtitle.format !== 'smi';
    const text = isKnown ? null : textOf(scene, neighbour);
    if (text !== null) texts.push(text);
  }
  return { artwork, subtitles, texts };
}

const isWork = ({ kind }: Scene): boolean => kind !== 'episode' && kind !== 'track';

/** By folder depth and then by name, as bytes: the same in every language. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
