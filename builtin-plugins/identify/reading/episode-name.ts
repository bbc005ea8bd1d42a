import { readBareNumber, type BareNumberContext } from './bare-numbers.ts';
import { readEpisodeNumbers, readPartNumbers } from './episode-numbers.ts';
import { releaseFacts, statedIds, type ReleaseFacts } from './release-facts.ts';
import { markGroup } from './group-mark.ts';
import { decideAmbiguous, decideTail } from './ambiguous-words.ts';
import { freeTitleWord, markRelease, titleYear } from './release-marks.ts';
import { findSeriesYear, markYears } from './series-year.ts';
import { isDecimalEpisode } from './glued-code.ts';
import { findEpisodePart } from './parts.ts';
import { readSpecialKind } from './specials.ts';
import { restTitle, seriesTitle } from './series-title.ts';
import { gapBefore, tokenize, type Name } from './tokens.ts';

/** What the name of an episode file, or of a folder of episodes, says. */
export interface EpisodeName {
  /** Of the series; empty when the name has none. */
  readonly series: string;
  readonly year: number | undefined;
  /** The year is behind the season or the episode, and so may be theirs. */
  readonly isYearBehind: boolean;
  readonly seasons: readonly number[];
  readonly episodes: readonly number[];
  readonly absolutes: readonly number[];
  readonly airDate: string | undefined;
  /** Empty when the name has none. */
  readonly episodeTitle: string;
  readonly ids: Readonly<Record<string, string>>;
  readonly release: ReleaseFacts;
  readonly isRelease: boolean;
  /** Of an episode in several files. */
  readonly part: number | undefined;
  /** It is an opening, an ending or a trailer, and not an episode. */
  readonly isExtra: boolean;
  /** A word names the episode; it is not only a number. */
  readonly isExplicit: boolean;
}

/** How to read the name. */
export interface EpisodeNameContext extends Omit<BareNumberContext, 'namesSeason'> {
  /** A folder's name has no bare episode numbers. */
  readonly isFolder: boolean;
}

/** Reads the name of an episode, without extension. */
export function readEpisodeName(text: string, context: EpisodeNameContext): EpisodeName {
  const name = tokenize(text, isDecimalEpisode);
  const ids = statedIds(name);
  const pending = markRelease(name);
  markGroup(name, pending);
  const explicit = readEpisodeNumbers(name, context.thisYear);
  freeTitleWord(name, () => titleLimit(name, explicit.first, context));
  const kind = readSpecialKind(name);
  decideAmbiguous(name, pending);
  if (explicit.episodes.length === 0 && explicit.seasons.length > 0)
    decideTail(name, pending, explicit.last);
  const isExplicit = explicit.episodes.length > 0 || explicit.airDate !== undefined;
  const numbers = isExplicit || context.isFolder ? explicit : readPartNumbers(name, explicit);
  const hasPart = numbers.episodes.length > explicit.episodes.length;
  const season = numbers.seasons[0] ?? (kind.isSpecial ? 0 : context.season);
  const bare =
    isExplicit || hasPart || context.isFolder || kind.isExtra || kind.number !== undefined
      ? undefined
      : readBareNumber(name, { ...context, season, namesSeason: numbers.seasons.length > 0 });
  const first = firstOf(bare?.first, numbers.first, kind.index);
  const last = Math.max(bare?.last ?? -1, numbers.last, kind.isSpecial ? kind.index : -1);
  const part = last < 0 ? undefined : findEpisodePart(name, last);

  const limit = first < 0 ? name.tokens.length : first;
  const yearIndex = findSeriesYear(name, { limit, last, thisYear: context.thisYear });
  const splitsAtYear = first < 0 && !context.isFolder && name.tokens[yearIndex + 1]?.mark === '';
  const year = name.tokens[yearIndex]?.value;
  markYears(name, yearIndex, context.thisYear);
  decideAmbiguous(name, pending);
  const series = seriesTitle(name, limit, numbers.seasons.length > 0);
  const rest = restTitle(name, splitsAtYear ? yearIndex : last);
  const release = releaseFacts(name, Math.max(series.end, last + 1, 0));
  const isCounted = bare !== undefined && (!bare.isAbsolute || kind.isSpecial);
  const special =
    kind.number === undefined || numbers.episodes.length > 0 ? undefined : [kind.number];
  return {
    series: series.title,
    year,
    isYearBehind: last >= 0 && yearIndex > last,
    seasons: seasonsOf(bare?.season, numbers.seasons, kind.isSpecial),
    episodes: isCounted ? bare.episodes : (special ?? numbers.episodes),
    absolutes: bare !== undefined && !isCounted ? bare.episodes : numbers.absolutes,
    airDate: numbers.airDate,
    episodeTitle: rest,
    part,
    ids,
    release,
    isRelease: release.isRelease,
    isExplicit,
    isExtra: kind.isExtra,
  };
}

/** Where the title must end: at the first number of the episode, or at a year. */
function titleLimit(name: Name, first: number, { isFolder, thisYear }: EpisodeNameContext): number {
  if (first >= 0) return first;
  const year = titleYear(name, thisYear);
  if (year >= 0 || isFolder) return year;
  return name.tokens.findIndex(
    ({ text }, index) =>
      index > 0 && gapBefore(name, index) === ' - ' && /^\d{2,4}(?:v\d)?$/.test(text),
  );
}

/** The least index of those that exist; -1 = none. */
function firstOf(...indexes: readonly (number | undefined)[]): number {
  const found = indexes.filter((index): index is number => index !== undefined && index >= 0);
  return found.length === 0 ? -1 : Math.min(...found);
}

function seasonsOf(
  bare: number | undefined,
  numbers: readonly number[],
  isSpecial: boolean,
): readonly number[] {
  if (bare !== undefined) return [bare];
  return isSpecial && numbers.length === 0 ? [0] : numbers;
}
