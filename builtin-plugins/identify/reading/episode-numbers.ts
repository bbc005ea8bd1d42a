/**
 * Finds which episodes a name is about. The most explicit way of saying so wins: `S01E02` before
 * `Episode 2` before a date before `2 of 6`. Bare numbers are another matter: see bare-numbers.ts.
 */
import { countWords, episodeWords, rangeWords, seasonWords } from '../words/series-words.ts';
import { findDate } from './dates.ts';
import { numbersBetween, readCountingNumber, readNumber, readOrdinal } from './numbers.ts';
import { setMark } from './release-marks.ts';
import { gapBefore, type Name, type Token } from './tokens.ts';

/** What a name says about episodes. */
export interface EpisodeNumbers {
  readonly seasons: readonly number[];
  readonly episodes: readonly number[];
  readonly absolutes: readonly number[];
  readonly airDate?: string;
  /** First and last token of all that was said; -1 = nothing. */
  readonly first: number;
  readonly last: number;
}

interface Draft {
  seasons: number[];
  episodes: number[];
  absolutes: number[];
  airDate?: string;
  first: number;
  last: number;
}

const longestCode = 60;
const seasonEpisode =
  /^s([o0-9]\d{0,3})x?(?:ep?|\.e)(\d{1,4})((?:[ex]p?\d{1,4})*)(?:v\d|[a-d]|end|fin|final)?$/;
const crossed = /^(\d{1,4})[x×](\d{1,4})((?:[xe]\d{1,4})*)(?:v\d|[a-d])?$/;
const seasonOnly = /^s(\d{1,4})$/;
const seasonDisc = /^s(\d{1,2})d(\d{1,2})$/;
const glued = /^([^\d\s]{1,16}?)(\d{1,4})((?:e\d{1,4})*)(?:v\d|[a-d])?$/;
const eastAsian = /^(?:第)?([\d零一二三四五六七八九十]{1,4})(話|话|回|集|화|회|季|期|기)(?:.*)$/;
const eastAsianPrefixed = /第([\d零一二三四五六七八九十]{1,4})(話|话|回|集|季|期|部)/;

/** Reads all that is said in so many words, and marks it. */
export function readEpisodeNumbers(name: Name, thisYear: number): EpisodeNumbers {
  const draft: Draft = { seasons: [], episodes: [], absolutes: [], first: -1, last: -1 };
  readCodes(name, draft);
  if (draft.episodes.length === 0) readWords(name, draft);
  readAirDate(name, draft, thisYear);
  if (draft.episodes.length === 0 && draft.airDate === undefined) readCounts(name, draft);
  return draft;
}

function take(
  name: Name,
  draft: Draft,
  first: number,
  last: number,
  mark: 'season' | 'episode',
): void {
  for (let at = first; at <= last; at += 1) setMark(name, at, mark);
  if (draft.first < 0 || first < draft.first) draft.first = first;
  if (last > draft.last) draft.last = last;
}

function add(list: number[], values: Iterable<number>): void {
  for (const value of values) if (!list.includes(value) && list.length < 500) list.push(value);
}

/** `S01E02`, `1x02`, `S01`, `S01-S03`, `S01 E02`, `S07D1`, `[01.02]`. */
function readCodes(name: Name, draft: Draft): void {
  for (let index = 0; index < name.tokens.length; index += 1) {
    const token = name.tokens[index];
    if (token === undefined || token.mark !== '' || token.key.length > longestCode) continue;
    if (draft.episodes.length > 0 && index > draft.last + 3) return;
    const code = readCode(token.key);
    if (code !== undefined) {
      const isNew = !code.episodes.some((episode) => draft.episodes.includes(episode));
      if (
        draft.seasons.length > 0 &&
        !draft.seasons.includes(code.season) &&
        draft.episodes.length > 0
      )
        continue;
      if (draft.episodes.length > 0 && isRangeGap(gapBefore(name, index)) && isNew) {
        add(draft.episodes, numbersBetween(draft.episodes.at(-1) ?? 0, code.episodes[0] ?? 0));
      }
      add(draft.seasons, [code.season]);
      add(draft.episodes, code.episodes);
      take(name, draft, index, index, 'episode');
      index = readContinuation(name, draft, index);
      readAbsoluteBeside(name, draft);
      continue;
    }
    if (draft.episodes.length > 0) continue;
    const disc = seasonDisc.exec(token.key);
    if (disc !== null) {
      add(draft.seasons, [Number(disc[1])]);
      take(name, draft, index, index, 'season');
      continue;
    }
    index = readSeasonCode(name, draft, index, token);
  }
}

/** `s01e02` and its kin, as season and episodes. */
function readCode(key: string): { season: number; episodes: number[] } | undefined {
  const match = seasonEpisode.exec(key) ?? crossed.exec(key);
  if (match === null) {
    const tight = /^s(0\d|[1-9]\d)(\d\d)$/.exec(key);
    if (tight === null || !(tight[1] ?? '').startsWith('0')) return undefined;
    return { season: Number(tight[1]), episodes: [Number(tight[2])] };
  }
  const season = Number((match[1] ?? '').replace('o', '0'));
  const first = Number(match[2]);
  if (!key.startsWith('s')) {
    const isPicture = season >= 200 && first >= 100;
    if (isPicture || ((match[2] ?? '').length < 2 && season > 30)) return undefined;
  }
  const more = (match[3] ?? '').match(/\d+/g) ?? [];
  const episodes = [first, ...more.map(Number)];
  return { season, episodes: [...new Set(episodes)].sort((a, b) => a - b) };
}

function isRangeGap(gap: string): boolean {
  return gap === '-' || gap === '~' || gap === '–';
}

/** `-03`, `-E03`, `+02`, `E03` behind an episode. Gives the last token it took. */
function readContinuation(name: Name, draft: Draft, from: number): number {
  let index = from;
  for (;;) {
    const next = name.tokens[index + 1];
    if (next === undefined || next.mark !== '') return index;
    const gap = gapBefore(name, index + 1);
    const prefixed = /^ep?(\d{1,4})$/.exec(next.key);
    const number =
      prefixed === null ? (next.text.length <= 4 ? next.value : -1) : Number(prefixed[1]);
    const previous = draft.episodes.at(-1) ?? 0;
    if (number < 0 || gap.length > 3) return index;
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

/** Whether a number ends here, and is not the start of something like `24 Hours` or `5.1`. */
function endsNumber(name: Name, index: number): boolean {
  const gap = gapBefore(name, index + 1);
  return !/^\.\d/.test(gap) || name.tokens[index + 1] === undefined;
}

/** `313-315` before or behind the code: the same episodes, counted through. */
function readAbsoluteBeside(name: Name, draft: Draft): void {
  const count = draft.episodes.length;
  for (const [low, high] of [
    [draft.last + 1, draft.last + 2],
    [draft.first - 2, draft.first - 1],
  ] as const) {
    const [a, b] = [name.tokens[low], name.tokens[high]];
    if (a === undefined || b === undefined || a.mark !== '' || a.value < 0 || b.value < 0) continue;
    if (gapBefore(name, high) !== '-' || b.value - a.value + 1 !== count || a.value > 2500)
      continue;
    add(draft.absolutes, numbersBetween(a.value, b.value));
    take(name, draft, low, high, 'episode');
    return;
  }
}

/** `S01`, `S01-S03`, `S01.S02`, `S01 E02`, `S01 - 02`. Gives the last token it took. */
function readSeasonCode(name: Name, draft: Draft, index: number, token: Token): number {
  const spaced = token.key === 's' ? (name.tokens[index + 1]?.value ?? -1) : -1;
  const match = seasonOnly.exec(token.key);
  const isSpaced = spaced >= 0 && spaced < 100 && gapBefore(name, index + 1) === ' ';
  if (match === null && !isSpaced) return index;
  const season = match === null ? spaced : Number(match[1]);
  let last = match === null ? index + 1 : index;
  if (season > 100 && season < 1900) return index;
  add(draft.seasons, [season]);
  take(name, draft, index, last, 'season');
  const next = name.tokens[last + 1];
  if (next === undefined || gapBefore(name, last + 1).length > 3) return last;
  const other = seasonOnly.exec(next.key);
  const gap = gapBefore(name, last + 1);
  if (other !== null) return last;
  if (isRangeGap(gap) && next.value > season && next.value < 60 && next.text.length <= 2) {
    add(draft.seasons, numbersBetween(season, next.value, 60));
    take(name, draft, last + 1, last + 1, 'season');
    return last + 1;
  }
  const episode = episodeAt(name, last + 1);
  if (episode !== undefined) {
    last = episode.last;
    add(draft.episodes, episode.numbers);
    take(name, draft, episode.first, last, 'episode');
    return readContinuation(name, draft, last);
  }
  if (
    next.value >= 0 &&
    next.text.length <= 3 &&
    next.text.length >= 2 &&
    gap.includes('-') &&
    next.mark === ''
  ) {
    add(draft.episodes, [next.value]);
    take(name, draft, last + 1, last + 1, 'episode');
    return readContinuation(name, draft, last + 1);
  }
  return last;
}

/** `E02`, `Ep. 2`, `Episode 2`, `第2話` at a token. */
function episodeAt(
  name: Name,
  index: number,
): { first: number; last: number; numbers: number[] } | undefined {
  const token = name.tokens[index];
  if (token === undefined || token.mark !== '' || token.key.length > longestCode) return undefined;
  const asian = eastAsian.exec(token.key);
  if (asian !== null && !'季期기'.includes(asian[2] ?? '季')) {
    const number = readCountingNumber(asian[1] ?? '');
    if (number !== undefined) return { first: index, last: index, numbers: [number] };
  }
  const parts = glued.exec(token.key);
  if (parts !== null && episodeWords.has(parts[1] ?? '')) {
    const more = (parts[3] ?? '').match(/\d+/g) ?? [];
    return { first: index, last: index, numbers: [Number(parts[2]), ...more.map(Number)] };
  }
  if (!episodeWords.has(token.key)) return undefined;
  const next = name.tokens[index + 1];
  if (next === undefined || next.mark !== '' || gapBefore(name, index + 1).length > 3)
    return undefined;
  const versioned = /^#?(\d{1,4})(?:v\d|[a-d])?$/.exec(next.key);
  if (versioned !== null) return { first: index, last: index + 1, numbers: [Number(versioned[1])] };
  const code = crossed.exec(next.key);
  return code === null ? undefined : { first: index, last: index + 1, numbers: [Number(code[2])] };
}

/** `Season 1 Episode 2`, `Staffel 2`, `3. Staffel`, `第2季 第3話`, `Ep 12`, `Cap.408`. */
function readWords(name: Name, draft: Draft): void {
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

/** `102_104` behind `Cap.`: the end of a range has the season in it too. */
function readChapterRange(name: Name, draft: Draft): void {
  const next = name.tokens[draft.last + 1];
  if (next === undefined || next.value < 100 || !/^[-_]$/.test(gapBefore(name, draft.last + 1)))
    return;
  if (Math.floor(next.value / 100) !== draft.seasons[0]) return;
  add(draft.episodes, numbersBetween(draft.episodes[0] ?? 0, next.value % 100, 60));
  take(name, draft, draft.last + 1, draft.last + 1, 'episode');
}

function numberBeforeWord(name: Name, index: number): ReturnType<typeof episodeAt> {
  const token = name.tokens[index];
  const number = token === undefined ? -1 : (readOrdinal(token.key) ?? token.value);
  if (number < 0 || number > 2000) return undefined;
  for (const at of [index + 1, index + 2]) {
    const key = name.tokens[at]?.key ?? '';
    if (/^(?:сери[яий]|эпизод|серія|bölüm|bolum|rész|jakso|avsnitt|odcinek)$/.test(key)) {
      return { first: index, last: at, numbers: [number] };
    }
    if (!/^(?:я|й|ая)$/.test(key)) return undefined;
  }
  return undefined;
}

/** A season said with a word, at a token. */
function seasonAt(
  name: Name,
  index: number,
): { first: number; last: number; numbers: number[] } | undefined {
  const token = name.tokens[index];
  if (token === undefined) return undefined;
  const { key } = token;
  if (token.value < 0 && key.length <= 16) {
    const asian = eastAsianPrefixed.exec(key) ?? eastAsian.exec(key);
    if (asian !== null && '季期기'.includes(asian[2] ?? '話')) {
      const number = readCountingNumber(asian[1] ?? '');
      if (number !== undefined) return { first: index, last: index, numbers: [number] };
    }
    const parts = glued.exec(key);
    if (parts !== null && seasonWords.has(parts[1] ?? '')) {
      return { first: index, last: index, numbers: [Number(parts[2])] };
    }
  }
  if (seasonWords.has(key)) return seasonNumbersAfter(name, index);
  return ordinalSeason(name, index, token);
}

function seasonNumbersAfter(
  name: Name,
  index: number,
): { first: number; last: number; numbers: number[] } | undefined {
  const key = name.tokens[index]?.key ?? '';
  const numbers: number[] = [];
  let last = index;
  for (;;) {
    const next = name.tokens[last + 1];
    const gap = gapBefore(name, last + 1);
    if (next === undefined || gap.length > 3 || next.mark !== '') break;
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
    const group = /^(\d{1,2})&(\d{1,2})$/.exec(next.key);
    if (group !== null) {
      add(numbers, [Number(group[1]), Number(group[2])]);
      last += 1;
      continue;
    }
    const number = numbers.length === 0 && gap.length > 0 ? readNumber(next.key) : next.value;
    if (number === undefined || number < 0 || number > 60) break;
    if (numbers.length > 0) {
      const previous = numbers.at(-1) ?? 0;
      if (number <= previous) break;
      if (/^\s?[-~:]\s?$/.test(gap)) add(numbers, numbersBetween(previous, number, 60));
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

/** `3. Staffel`, `2nd Season`, `10 th season`, `5-й сезон`, `4° Temporada`. */
function ordinalSeason(
  name: Name,
  index: number,
  token: Token,
): { first: number; last: number; numbers: number[] } | undefined {
  const number =
    readOrdinal(token.key) ?? (token.value >= 0 && token.value < 60 ? token.value : undefined);
  if (number === undefined || token.text.length > 8) return undefined;
  for (const at of [index + 1, index + 2]) {
    const next = name.tokens[at];
    if (next === undefined || gapBefore(name, at).length > 2) return undefined;
    if (seasonWords.has(next.key) && next.key !== 'series') {
      if (
        token.value >= 0 &&
        at === index + 1 &&
        readNumber(name.tokens[at + 1]?.key ?? '') !== undefined
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

function readAirDate(name: Name, draft: Draft, thisYear: number): void {
  const found = findDate(name, thisYear);
  if (found === undefined) return;
  const isShort =
    found.last - found.first === 2 &&
    name.tokens[found.first]?.text.length === 2 &&
    name.tokens[found.last]?.text.length === 2;
  if (isShort && (draft.episodes.length > 0 || found.first === 0)) return;
  draft.airDate = found.date;
  for (let at = found.first; at <= found.last; at += 1) setMark(name, at, 'date');
  if (draft.episodes.length > 0) return;
  draft.first = draft.first < 0 ? found.first : Math.min(draft.first, found.first);
  draft.last = Math.max(draft.last, found.last);
}

/** `1of5`, `14 of 21`. */
function readCounts(name: Name, draft: Draft): void {
  for (let index = 0; index < name.tokens.length; index += 1) {
    const token = name.tokens[index];
    if (token === undefined || token.mark !== '') continue;
    const tight = token.key.length < 12 ? /^(\d{1,3})(?:of|из)(\d{1,3})$/.exec(token.key) : null;
    if (tight !== null) {
      add(draft.episodes, [Number(tight[1])]);
      take(name, draft, index, index, 'episode');
      return;
    }
    const total = name.tokens[index + 2];
    if (token.value < 0 || total === undefined || total.value < token.value) continue;
    if (!countWords.has(name.tokens[index + 1]?.key ?? '') || total.value > 200) continue;
    add(draft.episodes, [token.value]);
    const previous = name.tokens[index - 1];
    const hasWord = previous?.key === 'part' || previous?.key === 'teil';
    take(name, draft, hasWord ? index - 1 : index, index + 2, 'episode');
    return;
  }
}
