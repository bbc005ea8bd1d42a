import { isYear } from './dates.ts';
import { isTechnical, setMark } from './marks.ts';
import { gapBefore, outermostBracket, type Name } from './tokens.ts';

/** Where the title of the series must end, and the last token about the episode (-1 = none). */
export interface SeriesBounds {
  readonly limit: number;
  readonly last: number;
  readonly thisYear: number;
}

/**
 * Index of the year of a series or an episode: in brackets, at the end of the title, right after the
 * number of the episode, or, in a name without a number, in its middle. -1 = none.
 */
export function findSeriesYear(name: Name, { limit, last, thisYear }: SeriesBounds): number {
  return name.tokens.findIndex((token, index) => {
    if (token.mark !== '' || !isYear(token, thisYear)) return false;
    if (outermostBracket(name, index) !== undefined) return name.tokens.length > 1;
    const next = name.tokens[index + 1];
    const isBeforeRelease = next === undefined || isTechnical(next);
    if (index > limit) {
      return index === last + 1 && isBeforeRelease && !gapBefore(name, index).includes('-');
    }
    if (index <= titleStart(name) || index >= limit) return false;
    const endsTitle = index + 1 === limit || isBeforeRelease || next.mark === 'season';
    return endsTitle || (last < 0 && next.mark === '' && gapBefore(name, index + 1) !== '-');
  });
}

/** The first word of the title, behind the bracket of a group: it cannot be a year beside a title. */
function titleStart({ brackets, tokens }: Name): number {
  const [bracket] = brackets;
  return bracket?.first === 0 && bracket.last < tokens.length ? bracket.last : 0;
}

/** Marks the year, and the end of a range of years. */
export function markYears(name: Name, index: number, thisYear: number): void {
  if (index < 0) return;
  setMark(name, index, 'year');
  const isRange = gapBefore(name, index + 1) === '-' && isYear(name.tokens[index + 1], thisYear);
  if (isRange) setMark(name, index + 1, 'year');
}
