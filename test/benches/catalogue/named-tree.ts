import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Folders of series and of music, whose files have names and nothing in them. */
export interface NamedTree {
  /** The arguments that make the server hold them. */
  readonly arguments: readonly string[];
  /** How many files have {@link frequentWord} in their name or that of their folder. */
  readonly frequent: number;
  readonly remove: () => void;
}

const filesOfFolder = 10;
const first = ['Silent', 'Golden', 'Hidden', 'Winter', 'Crimson', 'Paper', 'Northern', 'Velvet'];
const second = [
  'Harbour',
  'River',
  'Orchard',
  'Signal',
  'Meridian',
  'Sparrow',
  'Quarry',
  'Lantern',
];
const third = ['Station', 'Garden', 'Machine', 'Letters', 'Bridge', 'Island', 'Mirror', 'Parade'];

/** A word of an eighth of the titles: it stands within their names, after another. */
export const frequentWord = 'harbour';

/** A name of three words and a number, so that every letter has some and no two are equal. */
function nameOf(at: number): string {
  const start = String.fromCharCode(65 + (at % 26));
  const words = [first[at % 8], second[(at >> 3) % 8], third[(at >> 6) % 8]].join(' ');
  return `${start}${words.toLowerCase()} ${at}`;
}

/** Makes so many files, ten in a folder: half of them seasons of series, half albums. */
export function createNamedTree(files: number): NamedTree {
  const root = mkdtempSync(path.join(tmpdir(), 'vitrine-named-'));
  const folders = files / filesOfFolder;
  let frequent = 0;
  for (let folder = 0; folder < folders; folder++) {
    const isSeason = folder % 2 === 0;
    const name = nameOf(folder >> 1);
    const group = String(Math.floor(folder / 2000));
    const place = isSeason
      ? path.join(root, 'Series', group, name, 'Season 01')
      : path.join(root, 'Music', group, name, `${name} (${1960 + (folder % 60)})`);
    mkdirSync(place, { recursive: true });
    for (let file = 1; file <= filesOfFolder; file++) {
      const number = String(file).padStart(2, '0');
      const title = nameOf(folder * filesOfFolder + file);
      if (`${name} ${title}`.includes(frequentWord)) frequent += 1;
      const leaf = isSeason ? `${name} S01E${number} ${title}.mkv` : `${number} ${title}.flac`;
      closeSync(openSync(path.join(place, leaf), 'w'));
    }
  }
  return {
    frequent,
    arguments: [
      ...['--library', `tv:Series:${root}/Series`],
      ...['--library', `music:Music:${root}/Music`],
    ],
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** So many texts to search for, from rare to frequent; no two are equal. */
export const treeTerms = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => {
    const words = [second[at % 8], third[(at >> 3) % 8]];
    // With spaces behind it the text is the same, and a question that was not asked before.
    const text = at % 3 === 0 ? String(at * 7 + 11) : words.slice(0, 1 + (at % 2)).join(' ');
    return text + ' '.repeat(at / 20);
  });
