import type { Mark } from './tokens.ts';

/** The meaning of a word or a sequence of words. */
export interface WordMeaning {
  readonly mark: Mark;
  readonly meaning: string;
  readonly strength: Strength;
}

/**
 * How reliable a word is. `certain`: it counts anywhere. `weak`: it is an ordinary word too, and
 * counts beside a certain one. `after`: it often ends a title, and counts only after a certain word,
 * or in capitals, as the scene writes.
 */
export type Strength = 'certain' | 'weak' | 'after';

/** One line of a table: the mark, what it means, the spellings with a space between words. */
export type WordRow = readonly [
  mark: Mark,
  meaning: string,
  spellings: string,
  strength?: Strength,
];

/** A word that was found, and how many tokens it spans. */
export interface FoundWord {
  readonly word: WordMeaning;
  readonly length: number;
}

/** Finds the longest sequence of words that a table knows. */
export type WordTable = ReturnType<typeof createWordTable>;

/** What is known of a sequence: its meaning, and whether longer ones begin with it. */
interface Entry {
  found: FoundWord | undefined;
  isPrefix: boolean;
}

/** Builds a table. Spellings are separated by commas. */
export function createWordTable(rows: readonly WordRow[]) {
  const entries = new Map<string, Entry>();
  const entryOf = (sequence: string): Entry => {
    const known = entries.get(sequence);
    if (known !== undefined) return known;
    const entry = { found: undefined, isPrefix: false };
    entries.set(sequence, entry);
    return entry;
  };
  for (const [mark, meaning, spellings, strength = 'certain'] of rows) {
    const word = { mark, meaning, strength };
    for (const spelling of spellings.split(',')) {
      const sequence = spelling.trim();
      let length = 1;
      for (let at = sequence.indexOf(' '); at > 0; at = sequence.indexOf(' ', at + 1)) {
        entryOf(sequence.slice(0, at)).isPrefix = true;
        length += 1;
      }
      entryOf(sequence).found = { word, length };
    }
  }
  return {
    find: (tokens: readonly { readonly key: string }[], index: number): FoundWord | undefined => {
      let sequence = tokens[index]?.key ?? '';
      let entry = entries.get(sequence);
      let found = entry?.found;
      for (let at = index + 1; entry?.isPrefix === true && at < tokens.length; at += 1) {
        sequence += ` ${tokens[at]?.key ?? ''}`;
        entry = entries.get(sequence);
        found = entry?.found ?? found;
      }
      return found;
    },
    /** The meaning of one word alone. */
    meaningOf: (key: string): WordMeaning | undefined => entries.get(key)?.found?.word,
  };
}
