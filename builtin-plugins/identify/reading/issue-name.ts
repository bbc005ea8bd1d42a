/**
 * Names of comics and manga: `Series v03 c012 (2019) [Group]`, `Series 012 (of 24) (2012)`, `Series
 * #12 - Title`, `第03巻`. Numbers are marked; the series is the text before the first of them.
 */
import { isYear } from './dates.ts';
import { setMark } from './marks.ts';
import { readCountingNumber } from './numbers.ts';
import { readable, titleText } from './title-text.ts';
import { gapBefore, outermostBracket, tokenize, type Name } from './tokens.ts';

/** What the name of an issue says. */
export interface IssueName {
  /** Empty when the name has none. */
  readonly series: string;
  /** Of the issue itself; empty when the name has none. */
  readonly title: string;
  readonly volume?: number;
  readonly chapter?: number;
  /** A number without a word: of the issue, or of the chapter beside a volume. */
  readonly number?: number;
  readonly year?: number;
}

type Numbered = 'volume' | 'chapter';

const words: ReadonlyMap<string, Numbered> = new Map<string, Numbered>(
  (
    [
      ['volume', 'v vol vols volume volumes book tome tomo t band bd bind tom том книга cilt deel #vol'],
      ['chapter', 'c ch chap chapter chapters chapitre chp kapitel kap capitulo capítulo cap capitolo глава rozdział hoofdstuk episode ep'],
    ] as const
  ).flatMap(([kind, list]) => list.split(' ').map((word) => [word, kind] as const)),
); // prettier-ignore
const issueWords: ReadonlySet<string> = new Set('issue no nr núm num numero № nº'.split(' '));
const glued = /^([^\d#]{1,8})(\d{1,4})(?:x\d|v\d|[a-z])?$/;
const plain = /^#?(\d{1,4})(?:v\d|[a-z]{1,2})?$/;
const eastAsian = /^第?([\d零一二三四五六七八九十]{1,4})(巻|卷|册|冊|권|話|话|章|回|화)/;

/** Reads the name of an issue, without extension; at most its first 300 characters. */
export function readIssueName(stem: string, thisYear: number): IssueName {
  const name = tokenize(stem.slice(0, 300));
  const year = markYear(name, thisYear);
  const found = markNumbers(name);
  const start = titleStart(name);
  const number =
    found.chapter !== undefined && found.volume !== undefined ? undefined : markPlain(name, start);
  const end = firstMark(name, start);
  const series = seriesText(name, start, end);
  return {
    series,
    title: titleBehind(name, end),
    ...found,
    ...(number === undefined ? {} : { number }),
    ...(year === undefined ? {} : { year }),
  };
}

/** `(2012)`, `(Oct 2012)`, `(2012-2014)`. */
function markYear(name: Name, thisYear: number): number | undefined {
  for (const bracket of name.brackets) {
    if (bracket.last - bracket.first > 3 || bracket.first === 0) continue;
    for (let index = bracket.first; index < bracket.last; index += 1) {
      if (!isYear(name.tokens[index], thisYear)) continue;
      for (let at = bracket.first; at < bracket.last; at += 1) setMark(name, at, 'year');
      return name.tokens[index]?.value;
    }
  }
  return undefined;
}

function markNumbers(name: Name): { volume?: number; chapter?: number } {
  const found: { volume?: number; chapter?: number } = {};
  for (let index = 0; index < name.tokens.length; index += 1) {
    const at = numberedAt(name, index);
    if (at === undefined || found[at.kind] !== undefined) continue;
    const [whole, last] = withDecimal(name, at.last, at.number);
    found[at.kind] = whole;
    for (let mark = index; mark <= skipRange(name, last); mark += 1) setMark(name, mark, 'episode');
    index = last;
  }
  return found;
}

function numberedAt(
  name: Name,
  index: number,
): { readonly kind: Numbered; readonly number: number; readonly last: number } | undefined {
  const token = name.tokens[index];
  if (token === undefined || token.mark !== '' || token.key.length > 12) return undefined;
  const asian = eastAsian.exec(token.key);
  const counted = asian === null ? undefined : readCountingNumber(asian[1] ?? '');
  if (counted !== undefined) {
    const kind = '巻卷册冊권'.includes(asian?.[2] ?? '話') ? 'volume' : 'chapter';
    return { kind, number: counted, last: index };
  }
  const joined = token.hasDigit && token.key !== 'c2c' ? glued.exec(token.key) : null;
  const joinedKind = words.get(joined?.[1] ?? '');
  if (joinedKind !== undefined)
    return { kind: joinedKind, number: Number(joined?.[2]), last: index };
  const kind = words.get(token.key);
  const next = name.tokens[index + 1];
  if (kind === undefined || next === undefined || gapBefore(name, index + 1).length > 2)
    return undefined;
  const match = plain.exec(next.key);
  const isWord = token.key.length > 1 || gapBefore(name, index + 1) !== ' ';
  return match === null || !isWord
    ? undefined
    : { kind, number: Number(match[1]), last: index + 1 };
}

/** `12.5`. */
function withDecimal(name: Name, index: number, number: number): readonly [number, number] {
  const next = name.tokens[index + 1];
  const isDecimal =
    gapBefore(name, index + 1) === '.' && next?.mark === '' && /^\d$/.test(next.text);
  return isDecimal ? [number + next.value / 10, index + 1] : [number, index];
}

/** The last token of `v01-03`. */
function skipRange(name: Name, index: number): number {
  const next = name.tokens[index + 1];
  const isRange = gapBefore(name, index + 1) === '-' && next?.mark === '' && next.hasDigit;
  return isRange && /^[a-z]?\d{1,4}$/.test(next.key) ? index + 1 : index;
}

/** Behind the bracket of a group. */
function titleStart(name: Name): number {
  const [bracket] = name.brackets;
  const isGroup = bracket?.first === 0 && bracket.start === 0 && bracket.last < name.tokens.length;
  return isGroup ? bracket.last : 0;
}

/** `#12` before any other; else the last bare number outside of brackets, except the first word. */
function markPlain(name: Name, start: number): number | undefined {
  let chosen = -1;
  for (let index = start; index < name.tokens.length; index += 1) {
    const token = name.tokens[index];
    if (token?.mark !== '' || token.bracket >= 0 || !plain.test(token.key)) continue;
    if (chosen === index - 1 && withDecimal(name, chosen, 0)[1] === index) continue;
    if (token.text.startsWith('#')) {
      chosen = index;
      break;
    }
    const isOnly = name.tokens.length === start + 1 || name.tokens[start + 1]?.mark !== '';
    const isTitled =
      chosen >= 0 && / - /.test(name.text.slice(name.tokens[chosen]?.end, token.start));
    if ((index > start || isOnly || gapBefore(name, index + 1) === ' - ') && !isTitled)
      chosen = index;
  }
  if (chosen < 0) return undefined;
  const token = name.tokens[chosen];
  const match = plain.exec(token?.key ?? '');
  const [number, last] = withDecimal(name, chosen, Number(match?.[1]));
  const word = name.tokens[chosen - 1];
  const first = word !== undefined && issueWords.has(word.key) ? chosen - 1 : chosen;
  for (let at = first; at <= skipRange(name, last); at += 1) setMark(name, at, 'episode');
  const count = name.tokens[last + 1];
  if (count?.key === 'of' && (name.tokens[last + 2]?.value ?? -1) >= 0) {
    setMark(name, last + 1, 'episode');
    setMark(name, last + 2, 'episode');
  }
  return number;
}

function firstMark(name: Name, start: number): number {
  const index = name.tokens.findIndex(({ mark }, at) => at >= start && mark !== '');
  return index < 0 ? name.tokens.length : index;
}

/** The words before the first number, without the brackets after them. */
function seriesText(name: Name, start: number, end: number): string {
  let last = end;
  for (let index = start; index < end; index += 1) {
    const bracket = outermostBracket(name, index);
    if (bracket?.first === index && index > start) last = Math.min(last, index);
  }
  return titleText(name, start, last);
}

/** `… #12 - Title`: the words between the last number and the first bracket after it. */
function titleBehind(name: Name, end: number): string {
  const last = name.tokens.findLastIndex(({ mark, bracket }) => mark === 'episode' && bracket < 0);
  if (last < end) return '';
  let stop = last + 1;
  while (
    stop < name.tokens.length &&
    name.tokens[stop]?.mark === '' &&
    (name.tokens[stop]?.bracket ?? 0) < 0
  )
    stop += 1;
  const gap = gapBefore(name, last + 1);
  return stop > last + 1 && /[-–:]|^[. _]/.test(gap)
    ? readable(titleText(name, last + 1, stop))
    : '';
}
