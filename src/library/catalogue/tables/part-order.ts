/**
 * The one order in which the files of an item are shown, read and played: the item itself before its
 * extras, the files without an edition before those of one, and then disc, part and name. Positions
 * of playback are places in this order, so a change of it moves them.
 */
import { fileName, folderOf } from './file-uri.ts';

/** What the order looks at. */
export interface PlacedFile {
  readonly uri: string;
  readonly classification: string;
  readonly edition: string | null;
  readonly part_number: number | null;
}

const words =
  '(?:cd|sacd|dvd|disc|disk|disque|disco|диск|part|pt|teil|side|vinyl|lp|tape|cassette)';
const numbers = 'one two three four five six seven eight nine ten'.split(' ');
const discName = new RegExp(
  `(?:^|[ _.,([-])${words}[ _.#-]{0,3}(\\d{1,3}|[a-d]|${numbers.join('|')})(?![\\p{L}\\p{N}])`,
  'iu',
);

/** More than the discs of any box. */
const mostDiscs = 1000;

/**
 * The disc of a file, by the folders around it: `CD2/03.mp3`, `Book (Disc 02)/03.mp3`, `Part 1/`.
 * Of discs in a box the box counts first. 0 = none.
 */
export function discOf(uri: string): number {
  let disc = 0;
  let weight = 1;
  for (let folder = folderOf(uri); weight < mostDiscs ** 3; folder = folderOf(folder)) {
    const named = discName.exec(fileName(folder))?.[1]?.toLowerCase();
    if (named === undefined) break;
    disc += weight * numberOf(named);
    weight *= mostDiscs;
  }
  return disc;
}

function numberOf(named: string): number {
  const spelled = numbers.indexOf(named) + 1;
  if (spelled > 0) return spelled;
  return /^[a-d]$/.test(named) ? named.charCodeAt(0) - 96 : Number(named);
}

/** Compares two files of one item, for `sort`. */
export function byPart(a: PlacedFile, b: PlacedFile): number {
  return (
    Number(a.classification !== 'primary') - Number(b.classification !== 'primary') ||
    compared(a.edition ?? '', b.edition ?? '') ||
    discOf(a.uri) - discOf(b.uri) ||
    (a.part_number ?? 0) - (b.part_number ?? 0) ||
    compared(a.uri, b.uri)
  );
}

const compared = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);
