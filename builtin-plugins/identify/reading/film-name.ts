import { findFilmTitle, type FilmTitle } from './film-title.ts';
import { findYear } from './film-year.ts';
import { isTechnical, markWord, setMark, type PendingWords } from './marks.ts';
import { findPart, type PartOfWhole } from './parts.ts';
import { isShouted, settlePending } from './pending-words.ts';
import { releaseFacts, statedEdition, statedIds, type ReleaseFacts } from './release-facts.ts';
import { markGroup } from './release-group.ts';
import { markRelease } from './release-marks.ts';
import { tokenize, type Name } from './tokens.ts';

/** What the name of a film's file or folder says. */
export interface FilmName extends ReleaseFacts, Omit<FilmTitle, 'end'> {
  readonly year?: number;
  readonly part?: PartOfWhole;
  readonly ids: Readonly<Record<string, string>>;
  /** It has a word of a release, such as `1080p`. */
  readonly isRelease: boolean;
}

/** Reads the name of a film, without extension. */
export function readFilmName(text: string, thisYear: number): FilmName {
  const name = tokenize(text);
  const stated = statedEdition(name);
  const ids = statedIds(name);
  const pending = markRelease(name);
  markGroup(name, pending);
  settlePending(name, pending);
  const yearIndex = findYear(name, thisYear);
  const year = name.tokens[yearIndex]?.value;
  setMark(name, yearIndex, 'year');
  settlePending(name, pending, yearIndex > 0 ? yearIndex : Infinity);
  if (yearIndex > 0) settleBeforeYear(name, yearIndex, pending);
  const part = findPart(name, yearIndex > 0 ? yearIndex : firstTechnical(name));
  const { end, ...title } = findFilmTitle(name);
  const facts = releaseFacts(name, end);
  const isOnlyYear = title.title === '' && year !== undefined;
  return {
    ...facts,
    ...title,
    title: isOnlyYear ? String(year) : title.title,
    editions: stated === undefined ? facts.editions : [stated],
    ids,
    isRelease: name.tokens.some(isTechnical),
    ...(year === undefined || isOnlyYear ? {} : { year }),
    ...(part === undefined ? {} : { part }),
  };
}

function firstTechnical(name: Name): number {
  const index = name.tokens.findIndex(isTechnical);
  return index < 0 ? name.tokens.length : index;
}

const articles: ReadonlySet<string> = new Set('the a an le la les der die das el il lo'.split(' '));
/** Words for an edition that as often end a title. */
const titleEndings: ReadonlySet<string> = new Set(
  'ultimate,final cut,limited,festival,redux,uncut,recut,workprint'.split(','),
);

/** `EXTENDED (2016)`, `IMAX.2018`: an edition, or 3D, right before the year. */
function settleBeforeYear(name: Name, yearIndex: number, pending: PendingWords): void {
  const isBracketed = (name.tokens[yearIndex]?.bracket ?? -1) >= 0;
  for (const length of [1, 2]) {
    const first = yearIndex - length;
    const found = pending.get(first);
    if (found?.length !== length || first < 1) continue;
    if (articles.has(name.tokens[first - 1]?.key ?? '')) continue;
    const { mark, strength } = found.word;
    if (mark !== 'stereo') {
      if (mark !== 'edition') continue;
      const words = name.tokens.slice(first, yearIndex).map(({ key }) => key);
      const isPlain = strength === 'weak' && !titleEndings.has(words.join(' '));
      if (!isBracketed && !isPlain && !isShouted(name, first, length)) continue;
    }
    markWord(name, first, found);
  }
}
