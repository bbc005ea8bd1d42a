import { findYear } from './film-year.ts';
import { findPart, type PartOfWhole } from './parts.ts';
import { releaseFacts, statedEdition, statedIds, type ReleaseFacts } from './release-facts.ts';
import { markGroup } from './release-group.ts';
import { isTechnical, setMark } from './marks.ts';
import { settlePending } from './pending-words.ts';
import { markRelease } from './release-marks.ts';
import { findTitleEnd, findTitleStart, withoutAlternative } from './title-range.ts';
import { titleText } from './title-text.ts';
import { outermostBracket, tokenize, type Name } from './tokens.ts';

/** What the name of a film's file or folder says. */
export interface FilmName extends ReleaseFacts {
  readonly title: string;
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
  const { title, end } = findTitle(name);
  const facts = releaseFacts(name, end);
  return {
    ...facts,
    title: title === '' && year !== undefined ? String(year) : title,
    editions: stated === undefined ? facts.editions : [stated],
    ids,
    isRelease: name.tokens.some(isTechnical),
    ...(year === undefined || title === '' ? {} : { year }),
    ...(part === undefined ? {} : { part }),
  };
}

function firstTechnical(name: Name): number {
  const index = name.tokens.findIndex(isTechnical);
  return index < 0 ? name.tokens.length : index;
}

const articles: ReadonlySet<string> = new Set('the a an le la les der die das el il lo'.split(' '));

/** `EXTENDED (2016)`: an edition right before the year in brackets. */
function settleBeforeYear(
  name: Name,
  yearIndex: number,
  pending: ReturnType<typeof markRelease>,
): void {
  const isBracketed = (name.tokens[yearIndex]?.bracket ?? -1) >= 0;
  for (const length of [1, 2]) {
    const found = pending.get(yearIndex - length);
    const isStereo = found?.word.mark === 'stereo';
    if (found?.length !== length || yearIndex - length < 1) continue;
    if (articles.has(name.tokens[yearIndex - length - 1]?.key ?? '')) continue;
    if (!isStereo && !(isBracketed && found.word.mark === 'edition')) continue;
    for (let at = yearIndex - length; at < yearIndex; at += 1) {
      setMark(name, at, found.word.mark, found.word.meaning);
    }
  }
}

function findTitle(name: Name): { title: string; end: number } {
  const { tokens } = name;
  const start = findTitleStart(name);
  const end = withoutAlternative(name, start, findTitleEnd(name, start, tokens.length));
  const title = titleText(name, start, end);
  if (title !== '') return { title, end };
  const first = tokens.findIndex((token) => token.mark === '');
  if (first < 0) return { title: '', end: 0 };
  const bracket = outermostBracket(name, first);
  let last = first;
  while (tokens[last]?.mark === '' && (bracket === undefined || last < bracket.last)) last += 1;
  return { title: titleText(name, first, last), end: last };
}
