/**
 * Pairs of words that stand side by side, as words of their own in the vectors of PostgreSQL. Its
 * inverted index knows in which documents two words are and not whether one follows the other, so for a
 * phrase it reads the vector of every document that has all of its words; where these are frequent, as
 * short words and single characters of scripts without spaces are, it reads half of all vectors. So each
 * pair with a short word in it is in the index itself, and vectors are read for phrases of other words alone.
 */

/** A word of so many characters is short. */
export const shortLength = 3;

/** No word has this sign in it. */
const sign = '+';

/** Two words in a row, or the beginning of such a pair. */
export const pairWord = (left: string, right: string): string => `${sign}${left}${sign}${right}`;

const isShort = (word: string): boolean =>
  word.length <= 2 * shortLength && Array.from(word).length <= shortLength;

/** Whether such a pair stands in the vectors. */
export const isPaired = (left: string, right: string): boolean => isShort(left) || isShort(right);

/** The pairs that stand in the vector of a text, in their order; some of them often. */
export const pairsOf = (words: readonly string[]): readonly string[] =>
  words.flatMap((right, at) => {
    const left = words[at - 1];
    return left !== undefined && isPaired(left, right) ? [pairWord(left, right)] : [];
  });

/** The pairs that a phrase has; `isWhole` = whatever has them has the phrase. */
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
    // The word that begins so may be a long one.
    const isKnown = isEnd ? isShort(left) : isPaired(left, right);
    return isKnown ? [{ word: pairWord(left, right), isOpen: isEnd }] : [];
  });
  return { pairs, isWhole: words.length === 2 && pairs.length === 1 };
}

/** SQL for the same of a vector that is there: what has no place in it is no word of a text. */
export const pairsOfVector = (vector: string): string => `array_to_tsvector(array(
  select distinct '${sign}' || one.lexeme || '${sign}' || next.lexeme
  from (select lexeme, unnest(positions) as place from unnest(${vector})) as one
    join (select lexeme, unnest(positions) as place from unnest(${vector})) as next
      on next.place = one.place + 1
  where least(char_length(one.lexeme), char_length(next.lexeme)) <= ${shortLength}))`;
