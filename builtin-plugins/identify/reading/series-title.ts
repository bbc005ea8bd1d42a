import { withoutOtherScript } from './scripts.ts';
import { titleInBrackets } from './title-in-brackets.ts';
import { inSpokenOrder } from './title-order.ts';
import { findTitleEnd, findTitleStart, withoutAlternative } from './title-range.ts';
import { titleText } from './title-text.ts';
import { gapBefore, outermostBracket, type Name } from './tokens.ts';

/** Words between the title of a series and the number of its season. */
const leftovers: ReadonlySet<string> = new Set(
  'season seasons complete completa temporada temporadas saison staffel all full integrale'.split(
    ' ',
  ),
);

/** The title of the series, before the token `limit`, and the index after its last word. */
export function seriesTitle(
  name: Name,
  limit: number,
  hasSeason: boolean,
): { readonly title: string; readonly end: number } {
  const enclosed = titleInBrackets(name);
  if (enclosed !== '') return { title: withoutOtherScript(enclosed).title, end: limit };
  const start = behindRoundGroup(name, findTitleStart(name, limit), limit);
  let end = withoutAlternative(name, start, findTitleEnd(name, start, limit));
  const isLeftover = (index: number): boolean => leftovers.has(name.tokens[index]?.key ?? '');
  if (hasSeason && isLeftover(end - 1)) {
    while (end - 1 > start && isLeftover(end - 1)) end -= 1;
    if (end - 1 > start && name.tokens[end - 1]?.key === 'the') end -= 1;
  }
  if (start > 0 && end - 1 > start && name.tokens[end - 1]?.key === 'batch') end -= 1;
  const { title } = withoutOtherScript(titleText(name, start, end));
  return { title: inSpokenOrder(title), end };
}

/** `(Group) Title - 05`: round brackets around one or two words, in front of a title with a number. */
function behindRoundGroup(name: Name, start: number, limit: number): number {
  const bracket = outermostBracket(name, start);
  const isShort = bracket?.first === start && start === 0 && bracket.last <= 2;
  if (!isShort || bracket.last >= limit || limit === name.tokens.length) return start;
  const hasNumber = name.tokens.slice(0, bracket.last).some(({ hasDigit }) => hasDigit);
  return hasNumber || !/^[)）] /.test(gapBefore(name, bracket.last)) ? start : bracket.last;
}

/** The words after the token `last`, up to the release. */
export function restTitle(name: Name, last: number): string {
  if (last < 0) return '';
  let start = last + 1;
  while (start < name.tokens.length && isSkipped(name, start)) start += 1;
  const bracket = outermostBracket(name, start);
  if (bracket?.first === start && bracket.open !== '(') return '';
  const whole = findTitleEnd(name, start, name.tokens.length);
  const part = name.tokens.findIndex(({ mark }, index) => mark === 'part' && index >= start);
  const end = part < 0 ? whole : Math.min(part, whole);
  return titleText(name, start, withoutTranslation(name, start, end));
}

/** `Le chef de fer (The Iron Chef)`: without the repeated title; `(1)` and `(Part Two)` stay. */
function withoutTranslation(name: Name, start: number, end: number): number {
  const bracket = outermostBracket(name, end - 1);
  if (bracket === undefined || bracket.last !== end || bracket.first <= start) return end;
  const isLong = bracket.open === '(' && bracket.last - bracket.first >= 3;
  return isLong && name.tokens[bracket.first]?.key !== 'part' ? bracket.first : end;
}

const skipped: ReadonlySet<string> = new Set(['season', 'date', 'year', 'episode']);

/** The season again, a year, a date, a number in brackets: between the number and the title. */
function isSkipped(name: Name, index: number): boolean {
  const token = name.tokens[index];
  if (token === undefined || skipped.has(token.mark)) return true;
  const bracket = outermostBracket(name, index);
  return bracket !== undefined && bracket.last - bracket.first === 1 && token.value >= 0;
}
