import { findFilmTitle, type FilmTitle } from './film-title.ts';
import { findYear } from './film-year.ts';
import { isTechnical, markWord, setMark, type AmbiguousWords } from './marks.ts';
import { findPart, type PartOfWhole } from './parts.ts';
import { isInCapitals, decideAmbiguous } from './ambiguous-words.ts';
import { releaseFacts, statedEdition, statedIds, type ReleaseFacts } from './release-facts.ts';
import { markGroup } from './group-mark.ts';
import { freeTitleWord, markRelease, titleYear } from './release-marks.ts';
import { tokenize, type Name } from './tokens.ts';

/** What the name of a film's file or folder says. */
export interface FilmName extends FilmTitle {
  readonly year: number | undefined;
  readonly part: PartOfWhole | undefined;
  readonly release: ReleaseFacts;
  readonly editions: readonly string[];
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
  freeTitleWord(name, () => titleYear(name, thisYear));
  markGroup(name, pending);
  decideAmbiguous(name, pending);
  const yearIndex = findYear(name, thisYear);
  const year = name.tokens[yearIndex]?.value;
  setMark(name, yearIndex, 'year');
  decideAmbiguous(name, pending, yearIndex > 0 ? yearIndex : Infinity);
  if (yearIndex > 0) settleBeforeYear(name, yearIndex, pending);
  const part = findPart(name, yearIndex > 0 ? yearIndex : firstTechnical(name));
  const { title, alternatives, film, bonus, end } = findFilmTitle(name);
  const release = releaseFacts(name, end);
  const isOnlyYear = title === '' && year !== undefined;
  return {
    title: isOnlyYear ? String(year) : title,
    alternatives,
    film,
    bonus,
    end,
    year: isOnlyYear ? undefined : year,
    part,
    release,
    editions: stated === undefined ? release.editions : [stated],
    ids,
    isRelease: release.isRelease,
  };
}

function firstTechnical(name: Name): number {
  const index = name.tokens.findIndex(isTechnical);
  return index < 0 ? name.tokens.length : index;
}

const articles: ReadonlySet<string> = new Set('the a an le la les der die das el il lo'.split(' '));
/** Words for an edition that are also common at the end of a title. */
const titleEndings: ReadonlySet<string> = new Set(
  'ultimate,final cut,limited,festival,redux,uncut,recut,workprint'.split(','),
);

/** `EXTENDED (2016)`, `IMAX.2018`: an edition, or 3D, right before the year. */
function settleBeforeYear(name: Name, yearIndex: number, pending: AmbiguousWords): void {
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
      if (!isBracketed && !isPlain && !isInCapitals(name, first, length)) continue;
    }
    markWord(name, first, found);
  }
}
