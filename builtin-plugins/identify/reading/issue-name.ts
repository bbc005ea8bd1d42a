/**
 * Names of comics and manga: `Series v03 c012 (2019) [Group]`, `Series 012 (of 24) (2012)`, `Series
 * #12 - Title`, `第03巻`. Numbers are marked; the series is the text before the first of them.
 */
import { isYear } from './dates.ts';
import { issueWords, specialWords } from '../words/issue-words.ts';
import { markNumbers, markPlain } from './issue-numbers.ts';
import { setMark } from './marks.ts';
import { readable, titleText } from './title-text.ts';
import { gapBefore, outermostBracket, tokenize, type Name } from './tokens.ts';

/** What the name of an issue says. */
export interface IssueName {
  /** Empty when the name has none. */
  readonly series: string;
  /** A bracket in a name of brackets, which may be that of the series or of a group. */
  readonly bracketed: string;
  /** Of the issue itself; empty when the name has none. */
  readonly title: string;
  readonly volume?: number;
  readonly chapter?: number;
  /** A number without a word: of the issue, or of the chapter beside a volume. */
  readonly number?: number;
  readonly year?: number;
  /** It is outside of the numbers: a special, an omake. */
  readonly isSpecial?: boolean;
}

/**
 * Reads the name of an issue, without extension; at most its first 300 characters. In the name of a
 * folder a number without a word belongs to the title, unless it is all of it.
 */
export function readIssueName(stem: string, thisYear: number, isFolder = false): IssueName {
  const name = tokenize(stem.slice(0, 300));
  const enclosed = markYear(name, thisYear);
  const { issue, ...found } = markNumbers(name);
  const behindVolume = enclosed ?? markBareYear(name, thisYear);
  const start = titleStart(name);
  const isTitled = isFolder && name.tokens.some(({ mark, value }) => mark === '' && value < 0);
  const isComplete = isTitled || (found.chapter !== undefined && found.volume !== undefined);
  const number = issue ?? (isComplete ? undefined : markPlain(name, start, thisYear));
  const year = behindVolume ?? markBareYear(name, thisYear);
  const isNumbered =
    number !== undefined || found.volume !== undefined || found.chapter !== undefined;
  const isSpecial = !isNumbered && !isTitled && markSpecial(name, start);
  markNotes(name);
  const end = firstMark(name, start);
  return {
    series: seriesText(name, start, end),
    bracketed: seriesInBrackets(name),
    title: titleBehind(name, end),
    ...found,
    isSpecial,
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

/** `v03 2012`: a year without brackets behind the number. */
function markBareYear(name: Name, thisYear: number): number | undefined {
  const last = name.tokens.findLastIndex(({ mark, bracket }) => mark === 'episode' && bracket < 0);
  const token = name.tokens[last + 1];
  if (last < 0 || token?.mark !== '' || !isYear(token, thisYear) || token.value < 1930)
    return undefined;
  const gap = gapBefore(name, last + 1);
  const isTitled = gap.includes(' - ') || (gap === ' ' && name.tokens[last + 2]?.bracket === -1);
  if (isTitled) return undefined;
  setMark(name, last + 1, 'year');
  return token.value;
}

/** `Vol.TBD`, and words about the file behind the number. */
function markNotes(name: Name): void {
  let isBehind = false;
  for (const [index, token] of name.tokens.entries()) {
    isBehind ||= token.mark === 'episode';
    const isUnknown = token.key === 'tbd' && issueWords.has(name.tokens[index - 1]?.key ?? '');
    if (isUnknown) setMark(name, index - 1, 'noise');
    if (isUnknown || (isBehind && token.bracket < 0 && notes.has(token.key)))
      setMark(name, index, 'noise');
  }
}

/** `[Series][Author][Vol.03]`, `[Series] Vol. 3`: no word of a title is outside of brackets. */
function seriesInBrackets(name: Name): string {
  const [first] = name.brackets;
  const isOutside = name.tokens.some(({ bracket, mark }) => bracket < 0 && mark === '');
  if (first?.first !== 0 || first.last === name.tokens.length || isOutside) return '';
  if (name.tokens.slice(0, first.last).some(({ mark }) => mark !== '')) return '';
  return readable(name.text.slice(first.start + 1, first.end - 1));
}

const notes: ReadonlySet<string> = new Set('digital webrip c2c retail scan scans hd'.split(' '));

/** `SP01`, `- Omake`, `Special 2` behind the title: a piece outside of the numbers. Marks it. */
function markSpecial(name: Name, start: number): boolean {
  for (let index = start; index < name.tokens.length; index += 1) {
    const token = name.tokens[index];
    if (token?.mark !== '' || token.bracket >= 0) continue;
    const isNumbered = /^sp\d{1,3}$/.test(token.key);
    const isLast = index === name.tokens.length - 1 || name.tokens[index + 1]?.mark !== '';
    const isWord = specialWords.has(token.key) && (isLast || index === start);
    if (!isNumbered && !isWord) continue;
    setMark(name, index, 'extra');
    return true;
  }
  return false;
}

/** Behind the brackets of event, group and artist. */
function titleStart(name: Name): number {
  let start = 0;
  for (const bracket of name.brackets) {
    if (name.brackets[bracket.outermost] !== bracket) continue;
    const isAhead = bracket.first === start && bracket.last < name.tokens.length;
    if (!isAhead || (start === 0 && bracket.start > 0)) break;
    if (start === 0 || /^[\])}】] ?[[({【]$/.test(gapBefore(name, start))) start = bracket.last;
    else break;
  }
  return start;
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
