import { foldWord, otherSpellings, titleWords } from './words.ts';

/** A word of a query, with the words that count as it. */
export interface SoughtWord {
  readonly text: string;
  readonly alternatives: readonly string[];
}

/**
 * The confidence that a title is meant, 0 to 1. 1 is the title word for word; then titles with all
 * the words, higher the more of the title they are; then titles with some of them. A year in the
 * query only tells two titles apart, and lowers nothing.
 */
export type Confidence = (title: string) => number;

interface FoldedWord {
  readonly text: string;
  readonly alternatives: readonly string[];
  readonly isYear: boolean;
  readonly isUnspaced: boolean;
}

/** Parses the query once, for many titles. */
export function createConfidence(sought: readonly SoughtWord[]): Confidence {
  const words = sought.map(toFolded);
  const hasYear = words.some(({ isYear }) => isYear);
  return (title) => {
    const ofTitle = titleWords(title);
    if (ofTitle.length === 0 || words.length === 0) return 0.2;
    if (isSame(ofTitle, words)) return 1;
    const counted = hasYear
      ? words.filter(({ isYear, text }) => !isYear || ofTitle.includes(text))
      : words;
    if (counted.length === 0 || counted.length === words.length)
      return confidenceOf(title, ofTitle, words);
    return isSame(ofTitle, counted) ? 0.99 : confidenceOf(title, ofTitle, counted);
  };
}

function toFolded({ text, alternatives }: SoughtWord): FoldedWord {
  const folded = foldWord(text);
  return {
    text: folded,
    alternatives,
    isYear: /^(?:18|19|20)\d\d$/.test(folded),
    isUnspaced: unspaced.test(folded),
  };
}

const isSame = (title: readonly string[], sought: readonly FoldedWord[]): boolean =>
  title.length === sought.length && title.every((word, index) => word === sought[index]?.text);

function confidenceOf(
  title: string,
  words: readonly string[],
  sought: readonly FoldedWord[],
): number {
  const others = otherSpellings(title);
  const known = others.length === 0 ? words : [...words, ...others.map(foldWord)];
  let matched = 0;
  let quality = 0;
  for (const word of sought) {
    const best = bestMatch(word, word.alternatives, known);
    if (best > 0) matched += 1;
    quality += best;
  }
  const share = matched / sought.length;
  if (share < 1) return round(0.2 + 0.3 * share * (quality / sought.length));
  const cover = Math.min(1, quality / Math.max(words.length, sought.length));
  const [first] = sought;
  const startsSo = first !== undefined && bestMatch(first, [], words.slice(0, 1)) > 0 ? 0.04 : 0;
  return round(Math.min(0.98, 0.55 + 0.37 * cover * (quality / sought.length) + startsSo));
}

/** 1 = the word itself, less for a prefix, less for another spelling. */
function bestMatch(
  { text, isUnspaced }: FoldedWord,
  alternatives: readonly string[],
  words: readonly string[],
): number {
  let best = 0;
  for (const candidate of words) {
    if (candidate === text) return 1;
    if (candidate.startsWith(text))
      best = Math.max(best, 0.5 + (0.4 * text.length) / candidate.length);
    else if (isUnspaced && candidate.includes(text)) best = Math.max(best, 0.6);
    else if (alternatives.includes(candidate)) best = Math.max(best, 0.7);
  }
  return best;
}

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

const round = (value: number): number => Math.round(value * 1000) / 1000;
