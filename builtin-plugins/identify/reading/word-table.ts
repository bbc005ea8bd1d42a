import type { Mark } from './tokens.ts';

/** What a word or a sequence of words stands for. */
export interface WordMeaning {
  readonly mark: Mark;
  readonly meaning: string;
  readonly strength: Strength;
}

/**
 * How far a word can be believed. `certain`: wherever it stands. `weak`: it is an ordinary word too,
 * and counts beside a word that is certain. `after`: it often ends a title, and counts only behind a
 * certain word, or where it is shouted as the scene does.
 */
export type Strength = 'certain' | 'weak' | 'after';

/** One line of a table: the mark, what it means, the spellings with a space between words. */
export type WordRow = readonly [
  mark: Mark,
  meaning: string,
  spellings: string,
  strength?: Strength,
];

/** Finds the longest sequence of words that a table knows. */
export interface WordTable {
  /** Gives how many keys from `index` on make the sequence, and what it means. */
  readonly find: (
    keyAt: (index: number) => string | undefined,
    index: number,
  ) => { readonly length: number; readonly word: WordMeaning } | undefined;
}

const longestSequence = 4;

/** Builds a table. Spellings are separated by commas. */
export function createWordTable(rows: readonly WordRow[]): WordTable {
  const words = new Map<string, WordMeaning>();
  const lengths = new Map<string, number>();
  for (const [mark, meaning, spellings, strength = 'certain'] of rows) {
    const word = { mark, meaning, strength };
    for (const spelling of spellings.split(',')) {
      const keys = spelling.trim().split(' ');
      const start = keys[0] ?? '';
      words.set(keys.join(' '), word);
      lengths.set(start, Math.max(lengths.get(start) ?? 0, Math.min(keys.length, longestSequence)));
    }
  }
  return {
    find: (keyAt, index) => {
      let sequence = keyAt(index);
      if (sequence === undefined) return undefined;
      const longest = lengths.get(sequence) ?? 0;
      let found: { length: number; word: WordMeaning } | undefined;
      for (let length = 1; length <= longest; length += 1) {
        if (length > 1) {
          const next = keyAt(index + length - 1);
          if (next === undefined) break;
          sequence = `${sequence} ${next}`;
        }
        const word = words.get(sequence);
        if (word !== undefined) found = { length, word };
      }
      return found;
    },
  };
}
