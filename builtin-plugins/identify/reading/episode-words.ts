import { episodeWords, rangeWords, seasonWords } from '../words/series-words.ts';
import { add, longestCode, readContinuation, take, type EpisodeDraft } from './episode-draft.ts';
import {
  numbersBetween,
  readCountingNumber,
  readNumber,
  readOrdinal,
  spelledNumber,
} from './numbers.ts';
import { gapBefore, type Name, type Token } from './tokens.ts';

/** Numbers with a word, and their tokens. */
export interface NumbersWithWord {
  readonly first: number;
  readonly last: number;
  readonly numbers: readonly number[];
}

const glued = /^([^\d\s]{1,16}?)(\d{1,4}(?:\.\d)?)((?:e\d{1,4})*)(?:v\d|[a-d])?$/;
const eastAsian = /^(?:第)?([\d零一二三四五六七八九十]{1,4})(話|话|回|集|화|회|季|期|기)(?:.*)$/;
const eastAsianPrefixed = /第([\d零一二三四五六七八九十]{1,4})(話|话|回|集|季|期|部)/;

/** Whether a word ends in a Latin letter or a digit, and so not in an East Asian counter. */
function isLatin(key: string): boolean {
  return key.charCodeAt(key.length - 1) < 0x300 && !key.startsWith('第');
}

/** `E02`, `Ep. 2`, `Episode 2`, `第2話` at a token. */
export function episodeAt(name: Name, index: number): NumbersWithWord | undefined {
  const token = name.tokens[index];
  if (token === undefined || token.mark !== '' || token.key.length > longestCode) return undefined;
  const asian = isLatin(token.key) ? null : eastAsian.exec(token.key);
  if (asian !== null && !'季期기'.includes(asian[2] ?? '季')) {
    const number = readCountingNumber(asian[1] ?? '');
    if (number !== undefined) return { first: index, last: index, numbers: [number] };
  }
  const parts = token.hasDigit ? glued.exec(token.key) : null;
  if (parts !== null && episodeWords.has(parts[1] ?? '')) {
    const more = (parts[3] ?? '').match(/\d+/g) ?? [];
    return { first: index, last: index, numbers: [Number(parts[2]), ...more.map(Number)] };
  }
  if (!episodeWords.has(token.key)) return undefined;
  const next = name.tokens[index + 1];
  if (next === undefined || next.mark !== '' || gapBefore(name, index + 1).length > 3)
    return undefined;
  if (token.key === 'e' && gapBefore(name, index + 1).includes('-')) return undefined;
  const versioned = /^#?(\d{1,4}(?:\.\d)?)(?:v\d|[a-d])?$/.exec(next.key);
  if (versioned !== null) return { first: index, last: index + 1, numbers: [Number(versioned[1])] };
  const spelled = token.key.length > 4 && next.key.length > 2 ? spelledNumber(next.key) : undefined;
  return spelled === undefined ? undefined : { first: index, last: index + 1, numbers: [spelled] };
}

/** `Season 1 Episode 2`, `Staffel 2`, `3. Staffel`, `第2季 第3話`, `Ep 12`, `Cap.408`. */
export function readWords(name: Name, draft: EpisodeDraft): void {
  for (let index = 0; index < name.tokens.length; index += 1) {
    const token = name.tokens[index];
    if (token === undefined || token.mark !== '' || token.key.length > longestCode) continue;
    const season = seasonAt(name, index);
    if (season !== undefined) {
      if (draft.seasons.length === 0) add(draft.seasons, season.numbers);
      take(name, draft, season.first, season.last, 'season');
      index = season.last;
      continue;
    }
    if (draft.episodes.length > 0) continue;
    const episode = numberBeforeWord(name, index) ?? episodeAt(name, index);
    if (episode === undefined || (index === 0 && token.key === 'e')) continue;
    const [number] = episode.numbers;
    const isChapter = /^cap/.test(token.key) && number !== undefined && number >= 100;
    if (isChapter) {
      if (draft.seasons.length === 0) add(draft.seasons, [Math.floor(number / 100)]);
      add(draft.episodes, [number % 100]);
    } else add(draft.episodes, episode.numbers);
    take(name, draft, episode.first, episode.last, 'episode');
    if (isChapter) readChapterRange(name, draft);
    else index = readContinuation(name, draft, episode.last);
  }
}

/** `102_104` after `Cap.`: the end of a range also contains the season. */
function readChapterRange(name: Name, draft: EpisodeDraft): void {
  const next = name.tokens[draft.last + 1];
  if (next === undefined || next.value < 100 || !/^[-_]$/.test(gapBefore(name, draft.last + 1)))
    return;
  if (Math.floor(next.value / 100) !== draft.seasons[0]) return;
  add(draft.episodes, numbersBetween(draft.episodes[0] ?? 0, next.value % 100, 60));
  take(name, draft, draft.last + 1, draft.last + 1, 'episode');
}

function numberBeforeWord(name: Name, index: number): NumbersWithWord | undefined {
  const token = name.tokens[index];
  const number = token === undefined ? -1 : (readOrdinal(token.key) ?? token.value);
  if (number < 0 || number > 2000) return undefined;
  for (const at of [index + 1, index + 2]) {
    const key = name.tokens[at]?.key ?? '';
    if (
      /^(?:сери[яий]|эпизод|серія|ser|seri[jy]a|bölüm|bolum|rész|jakso|avsnitt|odcinek|puntata)$/.test(
        key,
      )
    ) {
      return { first: index, last: at, numbers: [number] };
    }
    if (!/^(?:я|й|ая)$/.test(key)) return undefined;
  }
  return undefined;
}

/** A season with a word, at a token. */
function seasonAt(name: Name, index: number): NumbersWithWord | undefined {
  const token = name.tokens[index];
  if (token === undefined) return undefined;
  const { key } = token;
  if (token.value < 0 && key.length <= 16) {
    const asian = isLatin(key) ? null : (eastAsianPrefixed.exec(key) ?? eastAsian.exec(key));
    if (asian !== null && '季期기'.includes(asian[2] ?? '話')) {
      const number = readCountingNumber(asian[1] ?? '');
      if (number !== undefined) return { first: index, last: index, numbers: [number] };
    }
    const parts = token.hasDigit ? glued.exec(key) : null;
    if (parts !== null && seasonWords.has(parts[1] ?? '')) {
      return { first: index, last: index, numbers: [Number(parts[2])] };
    }
  }
  if (seasonWords.has(key)) return seasonNumbersAfter(name, index);
  return ordinalSeason(name, index, token);
}

function seasonNumbersAfter(name: Name, index: number): NumbersWithWord | undefined {
  const key = name.tokens[index]?.key ?? '';
  const numbers: number[] = [];
  let last = index;
  for (;;) {
    const next = name.tokens[last + 1];
    const gap = gapBefore(name, last + 1);
    if (next === undefined || gap.length > 3 || next.mark !== '') break;
    if (numbers.length === 0 && gap === ' - ' && isEpisodeOfUnnumbered(name, index)) break;
    if (numbers.length === 0 && isDateAt(name, last + 1)) break;
    if (
      numbers.length > 0 &&
      rangeWords.has(next.key) &&
      (name.tokens[last + 2]?.value ?? -1) > 0
    ) {
      const end = name.tokens[last + 2]?.value ?? 0;
      if (end > 60) break;
      if (next.key === '&' || next.key === 'and') numbers.push(end);
      else add(numbers, numbersBetween(numbers.at(-1) ?? 0, end, 60));
      last += 2;
      continue;
    }
    const count = numbers.length === 0 ? /^(\d{1,2})of\d{1,2}$/.exec(next.key) : null;
    if (count !== null) {
      numbers.push(Number(count[1]));
      last += 1;
      break;
    }
    const group = /^(\d{1,2})&(\d{1,2})$/.exec(next.key);
    if (group !== null) {
      add(numbers, [Number(group[1]), Number(group[2])]);
      last += 1;
      continue;
    }
    const number = numbers.length === 0 && gap.length > 0 ? readNumber(next.key) : next.value;
    const isYear = index === 0 && gap === ' ' && numbers.length === 0 && isSeasonYear(number);
    if (number === undefined || number < 0 || (number > 60 && !isYear)) break;
    if (numbers.length > 0) {
      const previous = numbers.at(-1) ?? 0;
      if (number <= previous) break;
      if (isSeasonRange(name, last + 1, gap, key))
        add(numbers, numbersBetween(previous, number, 60));
      else if (
        number === previous + 1 &&
        /^[\s,.&+]+$/.test(gap) &&
        name.tokens[last + 2]?.key !== 'of'
      )
        numbers.push(number);
      else break;
    } else numbers.push(number);
    last += 1;
    if (key === 'series' && numbers.length > 0 && index === 0) break;
  }
  const [first] = numbers;
  if (first === undefined) return undefined;
  if (key === 'season' || key === 'series') {
    const isLast = name.tokens[index + 1]?.key ?? '';
    if (!/^\d/.test(isLast) && isLast.length < 2) return undefined;
  }
  return { first: index, last, numbers };
}

/** `[Group] Title The Final Season - 07`: the number behind the dash is the episode. */
function isEpisodeOfUnnumbered(name: Name, index: number): boolean {
  const isFansub = name.brackets[0]?.first === 0 && name.text.startsWith('[');
  return isFansub || (name.tokens[index + 1]?.text.startsWith('0') ?? false);
}

/** `Date.Series.10-11-2008`: the number is a day. */
function isDateAt(name: Name, index: number): boolean {
  const year = name.tokens[index + 2];
  const isTriple = year?.value !== undefined && year.text.length === 4 && isSeasonYear(year.value);
  return (
    isTriple &&
    gapBefore(name, index + 1) === gapBefore(name, index + 2) &&
    (name.tokens[index + 1]?.value ?? -1) > 0
  );
}

/** `Season 2023`: the seasons of daily shows. */
function isSeasonYear(number: number | undefined): boolean {
  return number !== undefined && number >= 1930 && number < 2100;
}

/** `Seasons 1-3`, but not `Season 2 - 10 [1080p]`. */
function isSeasonRange(name: Name, index: number, gap: string, key: string): boolean {
  if (!/^\s?[-~:]\s?$/.test(gap)) return false;
  if (gap === '-' || gap === ':' || (key.endsWith('s') && key !== 'series')) return true;
  return (name.tokens[index]?.text.length ?? 2) < 2 || gap !== ' - ';
}

/** `3. Staffel`, `2nd Season`, `10 th season`, `5-й сезон`, `4° Temporada`. */
function ordinalSeason(name: Name, index: number, token: Token): NumbersWithWord | undefined {
  const number =
    readOrdinal(token.key) ?? (token.value >= 0 && token.value < 60 ? token.value : undefined);
  if (number === undefined || token.text.length > 8) return undefined;
  for (const at of [index + 1, index + 2]) {
    const next = name.tokens[at];
    if (next === undefined || gapBefore(name, at).length > 2) return undefined;
    if (seasonWords.has(next.key) && next.key.length > 2 && next.key !== 'series') {
      if (
        token.value >= 0 &&
        at === index + 1 &&
        readNumber(name.tokens[at + 1]?.key ?? '') !== undefined &&
        !episodeWords.has(name.tokens[at + 2]?.key ?? '')
      )
        return undefined;
      const isBare = token.value >= 0 && at === index + 1 && gapBefore(name, at) !== '. ';
      if (isBare && next.key === 'season') return undefined;
      return { first: index, last: at, numbers: [number] };
    }
    if (!/^(?:th|st|nd|rd|й|ой|я|ª|º)$/.test(next.key)) return undefined;
  }
  return undefined;
}
