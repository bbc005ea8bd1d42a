/**
 * Pairs of neighbouring words, as words of their own in the vectors of PostgreSQL. Its inverted index
 * knows which documents have two words, but not whether one follows the other. So a phrase reads the
 * vector of every document with all of its words, which for frequent words, such as short words and
 * single characters of scripts without spaces, is half of all vectors. So each pair with a short word
 * is in the index, and vectors are read only for phrases of longer words.
 */

/** The longest short word. */
export const shortLength = 3;

/** No word has this sign. */
const sign = '+';

/** Two consecutive words, or the beginning of such a pair. */
export const pairWord = (left: string, right: string): string => `${sign}${left}${sign}${right}`;

const isShort = (word: string): boolean =>
  word.length <= 2 * shortLength && Array.from(word).length <= shortLength;

/** Whether such a pair is in the vectors. */
export const isPaired = (left: string, right: string): boolean => isShort(left) || isShort(right);

/** The pairs for the vector of a text, in order, with repetitions. */
export const pairsOf = (words: readonly string[]): readonly string[] =>
  words.flatMap((right, at) => {
    const left = words[at - 1];
    return left !== undefined && isPaired(left, right) ? [pairWord(left, right)] : [];
  });

/** The pairs of a phrase; `isWhole` = a document with all of them has the phrase. */
export function pairsOfPhrase(
  words: readonly string[],
  isOpen: boolean,
): {
  readonly pairs: readonly { readonly word: string; readonly isOpen: boolean }[];
  readonly isWhole: boolean;
} {
  const last = words.length - 1;
  const pairs = words.slice(1).flatMap((right, before) => {
    const left = words[before] ?? '';
    const isEnd = isOpen && before + 1 === last;
    // The word with this beginning may be a long one.
    const isKnown = isEnd ? isShort(left) : isPaired(left, right);
    return isKnown ? [{ word: pairWord(left, right), isOpen: isEnd }] : [];
  });
  return { pairs, isWhole: words.length === 2 && pairs.length === 1 };
}
