/**
 * Splits text into words, for documents and for queries; the index gets only these words. So a query
 * cannot contain syntax, and a suggestion of `similar` is always a word that a query finds.
 *
 * - Compatibility forms, case and accents are folded (`Ｆｕｌｌ` = `full`, `É` = `e`, `ø` = `o`, `ß` =
 *   `ss`); marks that are letters of their script stay.
 * - All characters except letters, digits and marks separate words.
 * - In scripts without spaces (and Hangul, whose particles are attached to words) each character is
 *   one word. A run of them is found as a phrase anywhere in a text.
 */

/** The longest word; longer ones are cut. */
const longestWord = 64;

/** Marks that a search ignores; the voicing marks of kana are not among them. */
const accents =
  /[[\p{Script=Inherited}\u0640[\p{M}&&[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Cyrillic}]]]--[\u3099\u309a]]/gv;

const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}々ー';
const wordPattern = new RegExp(
  `[${unspaced}]\\p{M}*|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])+`,
  'gu',
);
const unspacedStart = new RegExp(`^[${unspaced}]`, 'u');

const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ĸ: 'k',
  ς: 'σ',
};
const folded = new RegExp(`[${Object.keys(letters).join('')}]`, 'g');
const ascii = /^[\x00-\x7f]*$/;

/** The words of a text, in order. */
export function wordsOf(text: string): readonly string[] {
  const lower = text.toLowerCase();
  const words = ascii.test(lower) ? lower.match(/[a-z0-9]+/g) : fold(lower).match(wordPattern);
  return (words ?? []).map(cut);
}

/** Whether a word is one character of a script that is written without spaces. */
export function isUnspaced(word: string): boolean {
  return unspacedStart.test(word);
}

function fold(lower: string): string {
  return lower
    .normalize('NFKD')
    .replace(accents, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(folded, (letter) => letters[letter] ?? letter);
}

function cut(word: string): string {
  return word.length > longestWord ? Array.from(word).slice(0, longestWord).join('') : word;
}
