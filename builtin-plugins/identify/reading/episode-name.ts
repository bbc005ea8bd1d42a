import { readBareNumber, type BareNumberContext } from './bare-numbers.ts';
import { isYear } from './dates.ts';
import { readEpisodeNumbers } from './episode-numbers.ts';
import { releaseFacts, statedIds, type ReleaseFacts } from './release-facts.ts';
import { isTechnical, markRelease, setMark, settlePending } from './release-marks.ts';
import { findTitleEnd, findTitleStart } from './title-range.ts';
import { titleText } from './title-text.ts';
import { gapBefore, outermostBracket, tokenize, type Name } from './tokens.ts';

/** What the name of an episode's file, or of a folder of episodes, says. */
export interface EpisodeName extends ReleaseFacts {
  /** Of the series; empty when the name has none. */
  readonly series: string;
  readonly year?: number;
  readonly seasons: readonly number[];
  readonly episodes: readonly number[];
  readonly absolutes: readonly number[];
  readonly airDate?: string;
  /** Empty when the name has none. */
  readonly episodeTitle: string;
  readonly ids: Readonly<Record<string, string>>;
  readonly isRelease: boolean;
  /** The episode is said in words, not as a mere number. */
  readonly isExplicit: boolean;
}

/** How to read the name. */
export interface EpisodeNameContext extends BareNumberContext {
  /** A folder's name has no bare numbers of episodes. */
  readonly isFolder: boolean;
}

/** Reads the name of an episode, without extension. */
export function readEpisodeName(text: string, context: EpisodeNameContext): EpisodeName {
  const name = tokenize(text);
  const ids = statedIds(name);
  const pending = markRelease(name);
  const said = readEpisodeNumbers(name, context.thisYear);
  settlePending(name, pending, Infinity);
  const isExplicit = said.episodes.length > 0 || said.airDate !== undefined;
  const season = said.seasons[0] ?? context.season;
  const bare =
    isExplicit || context.isFolder ? undefined : readBareNumber(name, { ...context, season });
  const first =
    bare === undefined ? said.first : Math.min(bare.first, said.first < 0 ? Infinity : said.first);
  const last = Math.max(bare?.last ?? -1, said.last);

  const year = markYear(name, first, context.thisYear);
  settlePending(name, pending);
  const start = findTitleStart(name, first < 0 ? name.tokens.length : first);
  const end = findTitleEnd(name, start, first < 0 ? name.tokens.length : first);
  const rest = restTitle(name, last);
  const facts = releaseFacts(name, Math.max(end, last, 0));
  return {
    ...facts,
    series: titleText(name, start, end) || allBracketsTitle(name),
    seasons: bare?.season === undefined ? said.seasons : [bare.season],
    episodes: bare?.isAbsolute === false ? bare.episodes : said.episodes,
    absolutes: bare?.isAbsolute === true ? bare.episodes : said.absolutes,
    episodeTitle: rest,
    ids,
    isRelease: name.tokens.some(isTechnical),
    isExplicit,
    ...(said.airDate === undefined ? {} : { airDate: said.airDate }),
    ...(year === undefined ? {} : { year }),
  };
}

/** The year in brackets, or the one that ends the title. */
function markYear(name: Name, first: number, thisYear: number): number | undefined {
  const limit = first < 0 ? name.tokens.length : first;
  for (let index = 0; index < name.tokens.length; index += 1) {
    const token = name.tokens[index];
    if (token === undefined || token.mark !== '' || !isYear(token, thisYear)) continue;
    const isBracketed = outermostBracket(name, index) !== undefined;
    const next = name.tokens[index + 1];
    const endsTitle =
      index > 0 &&
      index < limit &&
      (index + 1 === limit || isTechnical(next) || next?.mark === 'season');
    if (!isBracketed && !endsTitle) continue;
    if (isBracketed && name.tokens.length === 1) continue;
    setMark(name, index, 'year');
    if (gapBefore(name, index + 1) === '-' && isYear(next, thisYear))
      setMark(name, index + 1, 'year');
    return token.value;
  }
  return undefined;
}

/** The words behind the number of the episode, up to what is about the release. */
function restTitle(name: Name, last: number): string {
  if (last < 0) return '';
  let start = last + 1;
  while (start < name.tokens.length && isSkipped(name, start)) start += 1;
  const bracket = outermostBracket(name, start);
  if (bracket?.first === start && bracket.open !== '(') return '';
  const end = findTitleEnd(name, start, name.tokens.length);
  return titleText(name, start, end);
}

/** The season again, a year, a date: said between the number and the title. */
function isSkipped(name: Name, index: number): boolean {
  const token = name.tokens[index];
  if (
    token?.mark === 'season' ||
    token?.mark === 'date' ||
    token?.mark === 'year' ||
    token?.mark === 'episode'
  )
    return true;
  const bracket = outermostBracket(name, index);
  return bracket !== undefined && bracket.last - bracket.first === 1 && (token?.value ?? -1) >= 0;
}

/** `[Group][Title][01][1080p]`: the last bracket of words before the number. */
function allBracketsTitle(name: Name): string {
  if (name.tokens.some((token) => token.bracket < 0)) return '';
  let title = '';
  for (const bracket of name.brackets.slice(1, 12)) {
    const token = name.tokens[bracket.first];
    if (token === undefined || token.mark !== '') {
      if (title !== '') return title;
    } else title = titleText(name, bracket.first, bracket.last);
  }
  return title;
}
