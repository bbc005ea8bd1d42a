import { withoutOtherScript } from './scripts.ts';
import { inSpokenOrder } from './title-order.ts';
import { findTitleEnd, findTitleStart, withoutAlternative } from './title-range.ts';
import { titleInBrackets } from './title-in-brackets.ts';
import { titleText } from './title-text.ts';
import { gapBefore, outermostBracket, type Name } from './tokens.ts';

/** The title of a film, and what else the name says of it. */
export interface FilmTitle {
  readonly title: string;
  /** Other titles of the same film. */
  readonly alternatives: readonly string[];
  /** Position in a series of films, and the number of the bonus feature in the file. */
  readonly film: number | undefined;
  readonly bonus: number | undefined;
  /** Index after its last word. */
  readonly end: number;
}

/** Finds the title: before the year and the release, after numbers and groups. */
export function findFilmTitle(name: Name): FilmTitle {
  const bonus = markNumber(name, /^x(\d{2})$/);
  const film = markNumber(name, /^f(\d{1,2})$/);
  const found = (title: string, end: number, alternatives: readonly string[] = []): FilmTitle => ({
    title,
    alternatives,
    film: film?.number,
    bonus: bonus?.number,
    end,
  });
  const enclosed = titleInBrackets(name);
  if (enclosed !== '') return found(enclosed, 0);
  const start = film === undefined ? behindNumber(name, findTitleStart(name)) : film.index + 1;
  const whole = findTitleEnd(name, start, name.tokens.length);
  const cut = alternativeStart(name, start, whole);
  const end = withoutAlternative(name, start, cut);
  const { title, others } = withoutOtherScript(titleText(name, start, end));
  if (title === '') {
    const first = firstWords(name);
    return found(first.title, first.end);
  }
  const behind = titleText(name, skipAka(name, end), whole).replace(/^\((.*)\)$/, '$1');
  const alternatives = behind === '' ? others : [...others, behind];
  return found(inSpokenOrder(title), whole, alternatives);
}

/** `-f21-` and `-x02-`: a number between dashes. Marks it. */
function markNumber(
  name: Name,
  form: RegExp,
): { readonly number: number; readonly index: number } | undefined {
  for (let index = 1; index < name.tokens.length - 1; index += 1) {
    const token = name.tokens[index];
    if (token?.mark !== '' || !token.hasDigit || token.key.length > 3) continue;
    const match = form.exec(token.key);
    const isDashed =
      /-[ _.]?$/.test(gapBefore(name, index)) && /^[ _.]?-/.test(gapBefore(name, index + 1));
    if (match === null || !isDashed) continue;
    token.mark = 'extra';
    return { number: Number(match[1]), index };
  }
  return undefined;
}

/** `(1) Title`, `2 - Title`, `03. Title`, `04 Title`: a position in a list, not in the title. */
function behindNumber(name: Name, start: number): number {
  const [token, next] = [name.tokens[start], name.tokens[start + 1]];
  if (token === undefined || token.value < 0 || token.text.length > 2) return start;
  if (next === undefined || next.mark !== '' || next.value >= 0) return start;
  const gap = gapBefore(name, start + 1);
  const isEnclosed = token.bracket >= 0 && /^[)\]]/.test(gap);
  const isListed = gap === ' - ' || gap === '. ' || (gap === ' ' && token.text.startsWith('0'));
  return isEnclosed || isListed ? start + 1 : start;
}

/** Where another title begins: after `--`, and at `aka`. */
function alternativeStart(name: Name, start: number, end: number): number {
  for (let index = start + 1; index < end; index += 1) {
    if (skipAka(name, index) > index || gapBefore(name, index).includes('--')) return index;
  }
  return end;
}

/** The index after `aka` or `a.k.a.`, or the index itself. */
function skipAka(name: Name, index: number): number {
  const { tokens } = name;
  if (tokens[index]?.key === 'aka') return index + 1;
  const isSpelled =
    tokens[index]?.key === 'a' && tokens[index + 1]?.key === 'k' && tokens[index + 2]?.key === 'a';
  return isSpelled ? index + 3 : index;
}

/** The first unmarked words, if there is no title in front. */
function firstWords(name: Name): { title: string; end: number } {
  const { tokens } = name;
  const first = tokens.findIndex((token) => token.mark === '');
  if (first < 0) return { title: '', end: 0 };
  const bracket = outermostBracket(name, first);
  let last = first;
  while (tokens[last]?.mark === '' && (bracket === undefined || last < bracket.last)) last += 1;
  return { title: titleText(name, first, last), end: last };
}
