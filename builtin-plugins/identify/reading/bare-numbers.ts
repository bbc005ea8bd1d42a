/**
 * Episodes that are only a number in the name: `Show - 07`, `Show 101`, `01 - Title`. This is a
 * guess, made only when no word names an episode.
 */
import { isYear } from './dates.ts';
import { wordedRange } from './episode-draft.ts';
import { numbersBetween } from './numbers.ts';
import { isTechnical, setMark } from './marks.ts';
import { gapBefore, type Name } from './tokens.ts';

/** Context of the name. */
export interface BareNumberContext {
  /** From the name itself, or from a folder. */
  readonly season: number | undefined;
  /** The name itself has the season, so its numbers count within it: `2nd Season - 05`. */
  readonly namesSeason: boolean;
  /** A folder names the series, so the file may start with the number. */
  readonly hasSeriesFolder: boolean;
  readonly thisYear: number;
}

/** A guessed number. */
export interface BareNumber {
  readonly season: number | undefined;
  readonly episodes: readonly number[];
  /** The number counts through all seasons. */
  readonly isAbsolute: boolean;
  readonly first: number;
  readonly last: number;
}

const numbered = /^#?(\d{1,4}(?:\.\d)?)(?:v\d|[a-d])?$/;

/** Finds the number of the episode, and marks it. */
export function readBareNumber(name: Name, context: BareNumberContext): BareNumber | undefined {
  const start = titleStart(name);
  const isFansub = start > 0 && name.brackets[0]?.first === 0;
  const index = choose(name, start, isFansub, context);
  if (index < 0) return undefined;
  const number = numberAt(name, index);
  if (number === undefined) return undefined;
  const worded = wordedRange(name, index + 1, number);
  const rangeEnd = worded > 0 ? worded : endOfRange(name, index, number);
  const last = worded > 0 ? index + 2 : rangeEnd === undefined ? index : index + 1;
  for (let at = index; at <= last; at += 1) setMark(name, at, 'episode');
  const numbers = numbersBetween(number, rangeEnd ?? number);
  const text = name.tokens[index]?.text ?? '';
  const isSpacedRange = rangeEnd !== undefined && gapBefore(name, index) === ' ';
  const isSpoken = isFansub || isSpacedRange || isSeparate(name, index);
  const split =
    isSpoken && context.season !== Math.floor(number / 100)
      ? undefined
      : splitSeason(text, number, context);
  if (split !== undefined && rangeEnd === undefined) {
    return {
      season: split.season,
      episodes: [split.episode],
      isAbsolute: false,
      first: index,
      last,
    };
  }
  if (split !== undefined && rangeEnd !== undefined) {
    const end = rangeEnd % 100;
    return {
      season: split.season,
      episodes: numbersBetween(split.episode, end),
      isAbsolute: false,
      first: index,
      last,
    };
  }
  const isAbsolute =
    (isFansub && !context.namesSeason) || (number >= 100 && context.season === undefined);
  return { season: undefined, episodes: numbers, isAbsolute, first: index, last };
}

/** ` - 927 -`: a number between dashes is an episode. */
function isSeparate(name: Name, index: number): boolean {
  const gap = gapBefore(name, index);
  return (
    / -[ .]?$|_-_$|\.-\.$/.test(gap) ||
    (index === 0 && (gapBefore(name, 1) === ' - ' || gapBefore(name, 2) === ' - '))
  );
}

function titleStart(name: Name): number {
  const [bracket] = name.brackets;
  return bracket?.first === 0 && bracket.start <= 1 && bracket.last < name.tokens.length
    ? bracket.last
    : 0;
}

function numberAt(name: Name, index: number): number | undefined {
  const token = name.tokens[index];
  if (token === undefined || token.mark !== '' || token.key.length > 8) return undefined;
  const match = numbered.exec(token.key);
  return match === null ? undefined : Number(match[1]);
}

/** `13-16`, `1017-19`, `01 - 12 [`. */
function endOfRange(name: Name, index: number, number: number): number | undefined {
  const next = name.tokens[index + 1];
  if (next === undefined || next.mark !== '' || next.key.length > 6) return undefined;
  const gap = gapBefore(name, index + 1);
  const written = /^(\d{1,4})(?:v\d)?$/.exec(next.key)?.[1];
  if (written === undefined || !/^(?:-|~| ~ | - |, ?|\+)$/.test(gap)) return undefined;
  const end = Number(written);
  if (isPadded(name, index, written)) return undefined;
  if (/^[,+]/.test(gap)) return end === number + 1 && written.length > 1 ? end : undefined;
  const isSameLength = written.length === name.tokens[index]?.text.length;
  const isPlain = next.bracket >= 0 || name.tokens[index]?.text.startsWith('0') === true;
  const mayBeSpaced = isSameLength && isPlain && isLastOfAll(name, index + 1);
  if (gap === ' - ' && !mayBeSpaced) return undefined;
  if (end > number) return end;
  const sameHundred = Math.floor(number / 100) * 100 + end;
  return written.length === 2 && number > 100 && sameHundred > number ? sameHundred : undefined;
}

/** `2-01`: an episode behind a number of the title, since both ends of a range have one width. */
function isPadded(name: Name, index: number, second: string): boolean {
  return second.startsWith('0') && second.length > (name.tokens[index]?.text.length ?? 0);
}

/** Whether a number is the second of a pair. */
function endsRange(name: Name, index: number): boolean {
  const before = numberAt(name, index - 1);
  const first = numberAt(name, index - 2);
  if (first !== undefined && wordedRange(name, index - 1, first) > 0) return true;
  if (before === undefined) return false;
  if (isPadded(name, index - 1, name.tokens[index]?.text ?? '')) return false;
  return /^[-~]$/.test(gapBefore(name, index)) || endOfRange(name, index - 1, before) !== undefined;
}

/** Only the release, or a bracket, follows it. */
function isLastOfAll(name: Name, index: number): boolean {
  const behind = name.tokens[index + 1];
  return behind === undefined || isTechnical(behind) || /[([{)\]]/.test(gapBefore(name, index + 1));
}

/** `101` is the first of season 1, `2401` of season 24. */
function splitSeason(
  text: string,
  number: number,
  context: BareNumberContext,
): { season: number; episode: number } | undefined {
  if (!/^[1-9]\d{2,3}$|^0[1-9]\d\d$/.test(text)) return undefined;
  const season = Math.floor(number / 100);
  const episode = number % 100;
  if (context.season !== undefined && context.season !== season) return undefined;
  if (episode === 0 && context.season === undefined) return undefined;
  if (text.length === 4 && season > 40) return undefined;
  return { season, episode };
}

function choose(name: Name, start: number, isFansub: boolean, context: BareNumberContext): number {
  const { tokens } = name;
  const isCandidate = (index: number): boolean =>
    numberAt(name, index) !== undefined &&
    !(isYear(tokens[index], context.thisYear) && !isFansub) &&
    !isBracketedYear(name, index, context.thisYear) &&
    !(index > start && endsRange(name, index));

  const isTitle = isFansub && hasDashedNumber(name, start + 1, isCandidate);
  if (
    isCandidate(start) &&
    tokens.length > start + 1 &&
    !isTitle &&
    startsWithNumber(name, start, context)
  )
    return start;
  const isAlone = context.hasSeriesFolder || (start > 0 && name.text.startsWith('['));
  if (isCandidate(start) && isAlone && restIsTechnical(name, start + 1)) return start;
  let loose = -1;
  let dashed = -1;
  let closing = -1;
  let inside = -1;
  let spoken = -1;
  for (let index = start + 1; index < tokens.length; index += 1) {
    if (isTechnical(tokens[index]) || tokens[index]?.mark === 'site') {
      if (closing < 0 && inside < 0 && dashed < 0) continue;
      break;
    }
    if (!isCandidate(index)) continue;
    const before = gapBefore(name, index);
    const after = gapBefore(name, index + 1);
    const next = tokens[index + 1];
    const isDecimal =
      before === '.' &&
      after === '.' &&
      /^\d$/.test(next?.text ?? '') &&
      /^\d$/.test(tokens[index]?.text ?? '');
    if (isDecimal) continue;
    const isBetween =
      next === undefined || isTechnical(next) || /[-([{【]/.test(after) || next.mark === 'group';
    if (before.includes('-') && before !== '-') {
      if (isBetween && dashed < 0) dashed = index;
      else if (!isBetween && loose < 0) loose = index;
    } else if (tokens[index]?.text.startsWith('#') === true && loose < 0) loose = index;
    else if (isFansub && loose < 0 && after === ' - ') loose = index;
    else if (spoken < 0 && after === ' - ' && /^\d{2,3}$/.test(tokens[index]?.text ?? ''))
      spoken = index;
    else if (dashed < 0 && before === '-' && isBetween && !/-/.test(after)) dashed = index;
    if (isClosing(name, index)) closing = index;
    else if (inside < 0 && /^(?:0\d|[1-9]\d\d|0\d\d)$/.test(tokens[index]?.text ?? ''))
      inside = index;
  }
  const leading =
    isCandidate(start) && tokens.length > start + 1 && isLeading(name, start) ? start : -1;
  const enclosed = start > 0 && isOnlyNumber(name) ? 0 : -1;
  return (
    [dashed, leading, loose, closing, inside, spoken, enclosed].find((index) => index >= 0) ?? -1
  );
}

/** `[Group] 24 - 05`: a number between dashes, which is the episode, behind that of the title. */
function hasDashedNumber(
  name: Name,
  from: number,
  isCandidate: (index: number) => boolean,
): boolean {
  for (let index = from; index < name.tokens.length; index += 1) {
    if (isTechnical(name.tokens[index])) return false;
    const isApart = / - $|_-_$/.test(gapBefore(name, index));
    const after = gapBefore(name, index + 1);
    if (isApart && isCandidate(index) && /^$|^ - |^_-_|^[ _]?[([]/.test(after)) return true;
  }
  return false;
}

/** `[12] Show - Title`: the bracket in front has only a number. */
function isOnlyNumber(name: Name): boolean {
  return name.brackets[0]?.last === 1 && /^\d{1,3}$/.test(name.tokens[0]?.text ?? '');
}

/** `512 - Airport`, `02 The Invitation`, if no better number follows. */
function isLeading(name: Name, start: number): boolean {
  const text = name.tokens[start]?.text ?? '';
  const gap = gapBefore(name, start + 1);
  return gap === ' - ' ? text.length >= 2 : gap.length === 1 && /^0\d+$/.test(text);
}

function isBracketedYear(name: Name, index: number, thisYear: number): boolean {
  return isYear(name.tokens[index], thisYear) && (name.tokens[index]?.bracket ?? -1) >= 0;
}

/** Only the release, or another number of the range, follows the number. */
function isClosing(name: Name, index: number): boolean {
  const next = name.tokens[index + 1];
  if (next === undefined || isTechnical(next) || next.mark === 'site' || next.mark === 'group')
    return true;
  if (/[([{【]/.test(gapBefore(name, index + 1))) return true;
  const worded = wordedRange(name, index + 1, numberAt(name, index) ?? 0);
  if (worded > 0 && isLastOfAll(name, index + 2)) return true;
  return (
    endOfRange(name, index, numberAt(name, index) ?? 0) !== undefined &&
    isLastOfAll(name, index + 1)
  );
}

/** `01 - Title`, `01. Title`, `003-004. Show`. */
function startsWithNumber(name: Name, start: number, context: BareNumberContext): boolean {
  const text = name.tokens[start]?.text ?? '';
  const gap = gapBefore(name, start + 1);
  if (endOfRange(name, start, numberAt(name, start) ?? 0) !== undefined) {
    return /^(?:\. | ?- |_)/.test(gapBefore(name, start + 2));
  }
  const isSeparated =
    /^ ?-+ | - ?$/.test(gap) || gap === '. ' || gap === '_' || isDashedWord(name, start);
  if (isSeparated && text.length >= 2)
    return context.hasSeriesFolder || start > 0 || text.startsWith('0');
  return (
    context.hasSeriesFolder && (isSeparated || text.startsWith('0') || context.season !== undefined)
  );
}

/** `03-Title`, but not `22-7`. */
function isDashedWord(name: Name, start: number): boolean {
  const isFirst = start === 0 || name.tokens[start]?.text.startsWith('0') === true;
  return isFirst && gapBefore(name, start + 1) === '-' && (name.tokens[start + 1]?.value ?? 0) < 0;
}

function restIsTechnical(name: Name, from: number): boolean {
  for (let index = from; index < name.tokens.length; index += 1) {
    if (name.tokens[index]?.mark === '') return false;
  }
  return true;
}
