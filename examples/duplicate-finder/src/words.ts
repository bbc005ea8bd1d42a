/** What people read. Titles and editions are the words of strangers: they become one line of plain text. */
import type { MediaItem, UIFact } from '@vitrine/plugin-api';
import { copyOf } from './copy.ts';
import type { Pair } from './pairs.ts';

const reasons = {
  file: 'The same size and duration.',
  ids: 'The same id in a catalogue.',
  title: 'The same title and year, or the same episode.',
} as const;

/** A pair with its two items, as the viewer may see them. */
export interface ShownPair {
  readonly pair: Pair;
  readonly worse: MediaItem;
  readonly better: MediaItem;
}

/** One line of the list. It leads to the page of the worse copy, where the buttons are. */
export const factOf = ({ pair, worse, better }: ShownPair): UIFact => ({
  key: nameOf(worse),
  value: copyWords(worse),
  description: `${pair.isVersion ? 'Another version' : 'The better copy'}: ${copyWords(better)}. ${reasons[pair.reason]}`,
  itemId: worse.id,
});

/** Title and year. */
export function nameOf({ title, metadata }: MediaItem): string {
  const { year } = metadata;
  return typeof year === 'number' ? `${plain(title)} (${year})` : plain(title);
}

/** Version, size and library. */
export function copyWords(item: MediaItem): string {
  const { version, size } = copyOf(item);
  const words = [plain(version), sizeWords(size), plain(item.libraryName)];
  return words.filter((word) => word !== '').join(', ');
}

const sizeWords = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;

/** Without control characters, and without those that turn the direction of the text. */
const plain = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()
    .slice(0, 150)
    .toWellFormed();
