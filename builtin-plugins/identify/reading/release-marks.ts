/**
 * Marks the words about how a release was made. These marks end a title, so an ambiguous word is
 * decided only when its neighbours are known.
 */
import { isYear } from './dates.ts';
import { knownWords } from './known-words.ts';
import { isTechnical, markWord, type Pending, type AmbiguousWords } from './marks.ts';
import { markPattern } from './release-patterns.ts';
import { markChecksums, markSites } from './release-sites.ts';
import { plainLines } from './resolution.ts';
import { gapBefore, type Mark, type Name, type Token } from './tokens.ts';

/** Marks certain words, and returns the ambiguous ones. */
export function markRelease(name: Name): AmbiguousWords {
  const pending = new Map<number, Pending>();
  markSites(name);
  markChecksums(name);
  for (let index = 0; index < name.tokens.length; index += 1) {
    const token = name.tokens[index];
    if (token === undefined || token.mark !== '') continue;
    const found = knownWords.find(name.tokens, index);
    if (found === undefined) {
      const lines = plainLines(token);
      const isWidth = name.text.charAt(token.end + 1) === '*';
      if (lines !== undefined && index > 0 && !isWidth) pending.set(index, lines);
      else index += markPattern(name, index, token);
    } else {
      if (found.word.strength === 'certain') markWord(name, index, found);
      else pending.set(index, found);
      index += found.length - 1;
    }
  }
  return pending;
}

/** Words after which a title cannot end. */
const linking: ReadonlySet<string> = new Set(
  'the a an of and in on at to for from with my your our his her le la les du de des der die das den dem el los il lo'.split(
    ' ',
  ),
);
/** What is written in front of a year, too: `Title DVDRip 2009`, `Title 1080p (2009)`. */
const described: ReadonlySet<Mark> = new Set<Mark>([
  'resolution',
  'source',
  'edition',
  'language',
  'stereo',
  'size',
  'crc',
]);

/**
 * A word of a release that stands where the title must be, in front of `limitOf` (the year, the
 * episode): `Hdr (2001)`, `The Atmos (2001)`, `Night Xvid River (2001)`. Its mark is taken away.
 */
export function freeTitleWord(name: Name, limitOf: () => number): void {
  const { tokens } = name;
  const start = name.brackets[0]?.first === 0 ? name.brackets[0].last : 0;
  const isRun = (token: Token | undefined): boolean => isTechnical(token) && token?.bracket === -1;
  const first = tokens.findIndex((token, index) => index >= start && isRun(token));
  if (first < 0) return;
  const limit = limitOf();
  if (first >= limit) return;
  let last = first + 1;
  while (last < limit && tokens[last]?.joins === true) last += 1;
  if (tokens.some((token, index) => index >= last && index < limit && isTechnical(token))) return;
  if (!isInTitle(name, { start, first, last, limit })) return;
  for (const token of tokens.slice(first, last)) {
    token.mark = '';
    token.meaning = '';
    token.joins = false;
  }
}

function isInTitle(
  name: Name,
  run: {
    readonly start: number;
    readonly first: number;
    readonly last: number;
    readonly limit: number;
  },
): boolean {
  const { tokens } = name;
  const isAhead = run.first === run.start;
  const isBehind = run.last === run.limit;
  const mark = tokens[run.first]?.mark ?? '';
  if (isAhead && isBehind) return true;
  if (isBehind && linking.has(tokens[run.first - 1]?.key ?? '')) return true;
  if (mark === 'resolution' || mark === 'crc' || mark === 'size') return false;
  if (isAhead) return /^[ ._]$/.test(gapBefore(name, run.last));
  if (!isBehind) return !/ - |[[({]/.test(gapBefore(name, run.first) + gapBefore(name, run.last));
  const isDescribedBehind = [1, 2].every((step) => isTechnical(tokens[run.limit + step]));
  // `Nova Mp3 (1993)`: a name that says nothing of its release.
  const isWhole = tokens[run.limit]?.bracket !== -1 && run.limit === tokens.length - 1;
  return (isDescribedBehind || isWhole) && !described.has(mark);
}

/** Index of the year that ends a title: alone in brackets, or with nothing but the release behind it. */
export function titleYear(name: Name, thisYear: number): number {
  return name.tokens.findIndex((token, index) => {
    if (index === 0 || !isYear(token, thisYear)) return false;
    const bracket = name.brackets[token.bracket];
    if (bracket !== undefined) return bracket.last - bracket.first === 1;
    const next = name.tokens[index + 1];
    return next === undefined || isTechnical(next);
  });
}
