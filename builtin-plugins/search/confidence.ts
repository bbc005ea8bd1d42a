import { foldWord, otherSpellings, titleWords } from './words.ts';

/** A word of a query, with the words that count as it. */
export interface SoughtWord {
  readonly text: string;
  readonly alternatives: readonly string[];
}

/**
 * How sure it is that a title is what was meant, 0 to 1: 1 is the title word for word; then titles
 * that have all the words, the more of the title they are the better; then titles with some of them.
 * A year beside the words is there to tell two titles apart, and takes nothing away.
 */
export function confidenceOf(title: string, sought: readonly SoughtWord[]): number {
  const words = titleWords(title);
  if (words.length === 0 || sought.length === 0) return 0.2;
  const folded = sought.map(({ text }) => foldWord(text));
  if (words.length === folded.length && words.every((word, index) => word === folded[index]))
    return 1;

  const isYearAside = (word: string): boolean =>
    /^(?:18|19|20)\d\d$/.test(word) && !words.includes(word);
  const counted = folded.filter((word) => !isYearAside(word));
  if (counted.length > 0 && counted.length < folded.length) {
    const others = sought.filter((_, index) => !isYearAside(folded[index] ?? ''));
    return round(Math.min(0.99, confidenceOf(title, others)));
  }

  const known = [...words, ...otherSpellings(title).map(foldWord)];
  let matched = 0;
  let quality = 0;
  for (const [index, word] of folded.entries()) {
    const best = bestMatch(word, sought[index]?.alternatives ?? [], known);
    if (best > 0) matched += 1;
    quality += best;
  }
  const share = matched / folded.length;
  if (share < 1) return round(0.2 + 0.3 * share * (quality / folded.length));
  const cover = Math.min(1, quality / Math.max(words.length, folded.length));
  const startsSo =
    words[0] !== undefined && bestMatch(folded[0] ?? '', [], [words[0]]) > 0 ? 0.04 : 0;
  return round(Math.min(0.98, 0.55 + 0.37 * cover * (quality / folded.length) + startsSo));
}

/** 1 = the word itself, less for its beginning, less for another spelling. */
function bestMatch(
  word: string,
  alternatives: readonly string[],
  words: readonly string[],
): number {
  let best = 0;
  for (const candidate of words) {
    if (candidate === word) return 1;
    if (candidate.startsWith(word))
      best = Math.max(best, 0.5 + (0.4 * word.length) / candidate.length);
    else if (isUnspaced(word) && candidate.includes(word)) best = Math.max(best, 0.6);
    else if (alternatives.includes(candidate)) best = Math.max(best, 0.7);
  }
  return best;
}

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

function isUnspaced(word: string): boolean {
  return unspaced.test(word);
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
