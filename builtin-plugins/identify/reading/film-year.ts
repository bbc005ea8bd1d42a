import { isYear } from './dates.ts';
import { isTechnical } from './marks.ts';
import { gapBefore, outermostBracket, type Name } from './tokens.ts';

const endsOfTitles: ReadonlySet<string> = new Set(
  'of in the since from class area de von en anno year summer'.split(' '),
);

/** Index of the token that is the year of release; -1 = the name has none. */
export function findYear(name: Name, thisYear: number): number {
  const certain = firstTechnical(name);
  let last = -1;
  for (let index = 0; index < name.tokens.length; index += 1) {
    const token = name.tokens[index];
    if (token === undefined || token.mark !== '' || !isYear(token, thisYear)) continue;
    const bracket = outermostBracket(name, index);
    if (bracket !== undefined) {
      const isAlone = bracket.last - bracket.first <= 4;
      if (isAlone && (index > 0 || name.tokens.length > 1)) return index;
      continue;
    }
    if (index === 0 || index > certain + 2) continue;
    const next = name.tokens[index + 1];
    const isRangeStart = gapBefore(name, index + 1) === '-' && isYear(next, thisYear);
    if (isRangeStart) {
      const behind = name.tokens[index + 2];
      if (!isYear(behind, thisYear)) return index;
      index += 1;
      continue;
    }
    if (last < 0 || index < certain || last === 0) last = index;
  }
  if (last > 0) return isPartOfTitle(name, last) ? -1 : last;
  return leadingYear(name, thisYear);
}

function firstTechnical(name: Name): number {
  const index = name.tokens.findIndex(
    (token, at) =>
      at > 0 && isTechnical(token) && !/^(?:edition|language|release|stereo)$/.test(token.mark),
  );
  return index < 0 ? Infinity : index;
}

function isPartOfTitle(name: Name, index: number): boolean {
  const isLast = index === name.tokens.length - 1;
  return isLast && endsOfTitles.has(name.tokens[index - 1]?.key ?? '');
}

/** `2009 - Title` and `2009.Title.DVDRip`, but not the film `2012`. */
function leadingYear(name: Name, thisYear: number): number {
  const gap = gapBefore(name, 1);
  const fewest = gap === ' - ' ? 2 : 3;
  if (!isYear(name.tokens[0], thisYear) || name.tokens.length < fewest) return -1;
  const hasWordBehind = name.tokens[1]?.mark === '';
  return hasWordBehind && (gap.includes('-') || gap === '.') ? 0 : -1;
}
