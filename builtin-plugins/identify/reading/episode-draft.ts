import { rangeWords } from '../words/series-words.ts';
import { numbersBetween } from './numbers.ts';
import { setMark } from './marks.ts';
import { gapBefore, type Name } from './tokens.ts';

/** What is known so far of the episodes in a name. */
export interface EpisodeDraft {
  seasons: number[];
  episodes: number[];
  absolutes: number[];
  airDate?: string;
  /** First and last token about it; -1 = none. */
  first: number;
  last: number;
}

/** Longer words are not episode codes. */
export const longestCode = 60;
const mostNumbers = 500;

/** Marks tokens as season or episode. */
export function take(
  name: Name,
  draft: EpisodeDraft,
  first: number,
  last: number,
  mark: 'season' | 'episode',
): void {
  for (let at = first; at <= last; at += 1) setMark(name, at, mark);
  if (draft.first < 0 || first < draft.first) draft.first = first;
  if (last > draft.last) draft.last = last;
}

/** Adds new numbers. */
export function add(list: number[], values: Iterable<number>): void {
  for (const value of values)
    if (!list.includes(value) && list.length < mostNumbers) list.push(value);
}

/** Whether the separator means a range. */
export function isRangeGap(gap: string): boolean {
  return gap === '-' || gap === '~' || gap === '–';
}

/** `-03`, `-E03`, `+02`, `E03` after an episode. Returns the last token of it. */
export function readContinuation(name: Name, draft: EpisodeDraft, from: number): number {
  let index = from;
  for (;;) {
    const next = name.tokens[index + 1];
    if (next === undefined || next.mark !== '') return index;
    const gap = gapBefore(name, index + 1);
    const prefixed = /^ep?(\d{1,4})$/.exec(next.key);
    const number =
      prefixed === null ? (next.text.length <= 4 ? next.value : -1) : Number(prefixed[1]);
    const previous = draft.episodes.at(-1) ?? 0;
    if (gap.length > 3) return index;
    const worded = number < 0 ? wordedRange(name, index + 1, previous) : 0;
    if (worded > 0) {
      const isList = next.key === 'and' || next.key === '&';
      add(draft.episodes, isList ? [worded] : numbersBetween(previous, worded));
      take(name, draft, index + 1, index + 2, 'episode');
      index += 2;
      continue;
    }
    if (number < 0) return index;
    const isLoose = prefixed !== null && gap.length <= 3;
    if (isRangeGap(gap) || (isLoose && gap.includes('-'))) {
      if (number <= previous || number - previous > 200) return index;
      if (prefixed === null && !endsNumber(name, index + 1)) return index;
      add(draft.episodes, numbersBetween(previous, number));
    } else if (gap === '+' || gap === '&' || gap === ',' || isLoose) {
      if (number === previous + 1 || isLoose) add(draft.episodes, [number]);
      else return index;
      draft.episodes.sort((a, b) => a - b);
    } else return index;
    index += 1;
    take(name, draft, index, index, 'episode');
  }
}

/** Whether the number ends here, and is not the start of something like `24 Hours` or `5.1`. */
function endsNumber(name: Name, index: number): boolean {
  const gap = gapBefore(name, index + 1);
  return !/^\.\d/.test(gap) || name.tokens[index + 1] === undefined;
}

/** `215 ao 220`, `1 to 4`: the second number after a word, 0 when there is none. */
export function wordedRange(name: Name, index: number, previous: number): number {
  if (!rangeWords.has(name.tokens[index]?.key ?? '')) return 0;
  const match = /^(?:ep?)?(\d{1,4})$/.exec(name.tokens[index + 1]?.key ?? '');
  const end = match === null ? 0 : Number(match[1]);
  return end > previous && end - previous <= 200 ? end : 0;
}
