/** The numbers in the name of a comic: each rule looks at a token and a few beside it. */
import { countedWords, issueWords, type Numbered } from '../words/issue-words.ts';
import { countWords } from '../words/series-words.ts';
import { setMark } from './marks.ts';
import { readCountingNumber } from './numbers.ts';
import { gapBefore, type Name } from './tokens.ts';

/** Numbers with a word. */
export interface IssueNumbers {
  volume?: number;
  chapter?: number;
  issue?: number;
}

interface Found {
  readonly kind: Numbered;
  readonly number: number;
  readonly last: number;
}

const glued = /^#?([^\d#]{1,8})(\d{1,4})(?:x\d|v\d|[a-z])?$/;
const twoGlued = /^([vt]|vol)(\d{1,3})(c|ch)(\d{1,4})$/;
const seasonEpisode = /^s(\d{1,2})e(?:p)?(\d{1,4})$/;
/** Words that are often a part of the title. */
const titleWords: ReadonlySet<string> = new Set(['season', 'book', 'chapter', 'episode']);
const plain = /^#?(\d{1,4})(?:v\d|[a-z]{1,2})?$/;
const digits = '[\\d零一二三四五六七八九十百]{1,5}';
const counters = '巻卷册冊권集話话章回화편';
const eastAsian = new RegExp(`^(?:第|제)?(${digits})([${counters}])`);
const eastAsianAhead = new RegExp(`^([卷巻册冊])(${digits})$`);
/** A number without its counter, which is behind the end of the range: `第01-03巻`. */
const openRange = new RegExp(`^(?:第|제)?(\\d{1,4})$`);
/** Both in one word: `시즌34삽화2`. */
const koreanPair = /^시즌(\d{1,3})\D{1,3}(\d{1,4})$/;

/** Finds and marks numbers with a word: `v03`, `Vol. 3`, `c012`, `Issue 5`, `第3巻`, `3 том`. */
export function markNumbers(name: Name): IssueNumbers {
  const found: IssueNumbers = {};
  for (let index = 0; index < name.tokens.length; index += 1) {
    const pair = pairAt(name, index);
    if (pair !== undefined) {
      found.volume ??= pair.volume;
      found.chapter ??= pair.chapter;
      setMark(name, index, 'episode');
      continue;
    }
    const at =
      asianRangeAt(name, index) ?? countedDecimalAt(name, index) ?? numberedAt(name, index);
    if (at === undefined || found[at.kind] !== undefined || isNumberInTitle(name, index, at))
      continue;
    if (titleWords.has(name.tokens[index]?.key ?? '') && isAgain(name, at)) continue;
    const [whole, last] = withDecimal(name, at.last, at.number);
    found[at.kind] = whole;
    const end = skipRange(name, last);
    for (let mark = index; mark <= end; mark += 1) setMark(name, mark, 'episode');
    if (at.kind === 'issue') markCount(name, end);
    index = end;
  }
  return found;
}

/** Whether a number of the same kind stands behind it: `Burning Season 4 v01`. */
function isAgain(name: Name, { kind, last }: Found): boolean {
  return name.tokens.some((_, index) => index > last && numberedAt(name, index)?.kind === kind);
}

/** `No. 5 Pier 003`: the name begins with its own number, and another one follows. */
function isNumberInTitle(name: Name, index: number, { kind, last }: Found): boolean {
  const next = name.tokens[last + 1];
  if (index > 0 || kind !== 'issue' || next === undefined || next.value >= 0) return false;
  const isJoined = /^[ ._]$/.test(gapBefore(name, last + 1));
  return isJoined && name.tokens.some(({ hasDigit }, at) => at > last + 1 && hasDigit);
}

/** `v01c012`, `S01E12`: the volume and the chapter in one word. */
function pairAt(
  name: Name,
  index: number,
): { readonly volume: number; readonly chapter: number } | undefined {
  const token = name.tokens[index];
  if (token?.mark !== '' || !token.hasDigit || token.key.length > 12) return undefined;
  const joined = twoGlued.exec(token.key);
  if (joined !== null) return { volume: Number(joined[2]), chapter: Number(joined[4]) };
  const match = seasonEpisode.exec(token.key) ?? koreanPair.exec(token.key);
  return match === null ? undefined : { volume: Number(match[1]), chapter: Number(match[2]) };
}

/** `第01-03巻`, `1-3巻`: the first number of a range with the counter behind it. */
function asianRangeAt(name: Name, index: number): Found | undefined {
  const [token, next] = [name.tokens[index], name.tokens[index + 1]];
  const first = token?.mark === '' && token.hasDigit ? openRange.exec(token.key) : null;
  if (first === null || next === undefined || !/^ ?[-~～–〜] ?$/.test(gapBefore(name, index + 1)))
    return undefined;
  const counter = eastAsian.exec(next.key)?.[2];
  return counter === undefined
    ? undefined
    : { kind: kindOf(counter), number: Number(first[1]), last: index + 1 };
}

/** `1.5권`, `第1.5巻`, `1.5 том`: a decimal number with its counter behind it. */
function countedDecimalAt(name: Name, index: number): Found | undefined {
  const [token, next] = [name.tokens[index], name.tokens[index + 1]];
  const whole = token?.mark === '' && token.hasDigit ? openRange.exec(token.key) : null;
  if (whole === null || next === undefined || gapBefore(name, index + 1) !== '.') return undefined;
  const digit = next.key.charAt(0);
  if (!/^[1-9]$/.test(digit)) return undefined;
  const number = Number(`${whole[1] ?? ''}.${digit}`);
  const counter = eastAsian.exec(next.key);
  if (counter?.[1] === digit) return { kind: kindOf(counter[2] ?? ''), number, last: index + 1 };
  const word = next.key === digit ? (name.tokens[index + 2]?.key ?? '') : '';
  return countedWords.has(word)
    ? { kind: issueWords.get(word) ?? 'volume', number, last: index + 2 }
    : undefined;
}

function kindOf(counter: string): Numbered {
  return '巻卷册冊권集'.includes(counter) ? 'volume' : 'chapter';
}

function numberedAt(name: Name, index: number): Found | undefined {
  const token = name.tokens[index];
  if (token === undefined || token.mark !== '' || token.key.length > 12) return undefined;
  const asian = asianAt(token.key, index);
  if (asian !== undefined) return asian;
  const joined = token.hasDigit && token.key !== 'c2c' ? glued.exec(token.key) : null;
  const joinedKind = issueWords.get(joined?.[1] ?? '');
  if (joinedKind !== undefined)
    return { kind: joinedKind, number: Number(joined?.[2]), last: index };
  const next = name.tokens[index + 1];
  if (next === undefined || gapBefore(name, index + 1).length > 2) return undefined;
  if (token.value >= 0 && countedWords.has(next.key) && !isNumber(name, index + 2))
    return { kind: issueWords.get(next.key) ?? 'volume', number: token.value, last: index + 1 };
  const kind = issueWords.get(token.key);
  const match = plain.exec(next.key);
  const isWord = token.key.length > 1 || gapBefore(name, index + 1) === '.';
  return kind === undefined || match === null || !isWord || next.mark !== ''
    ? undefined
    : { kind, number: Number(match[1]), last: index + 1 };
}

function asianAt(key: string, index: number): Found | undefined {
  const ahead = eastAsianAhead.exec(key);
  const match = ahead ?? eastAsian.exec(key);
  if (match === null) return undefined;
  const [written = '', counter = ''] = ahead === null ? [match[1], match[2]] : [match[2], match[1]];
  const number = readCountingNumber(written);
  return number === undefined ? undefined : { kind: kindOf(counter), number, last: index };
}

function isNumber(name: Name, index: number): boolean {
  return plain.test(name.tokens[index]?.key ?? '');
}

/** `12.5`. */
export function withDecimal(name: Name, index: number, number: number): readonly [number, number] {
  const next = name.tokens[index + 1];
  const isDecimal =
    gapBefore(name, index + 1) === '.' && next?.mark === '' && /^\d(?:v\d)?$/.test(next.key);
  return isDecimal ? [number + Number(next.key.charAt(0)) / 10, index + 1] : [number, index];
}

/** The last token of `v01-03`, `v01-v03`, `1 - 3`, `1 à 3`. */
export function skipRange(name: Name, index: number): number {
  const [next, behind] = [name.tokens[index + 1], name.tokens[index + 2]];
  if (next?.mark !== '') return index;
  const gap = gapBefore(name, index + 1);
  const isRange = /^[-~–]$/.test(gap) && /^[a-z]{0,3}\d{1,4}$/.test(next.key);
  if (isRange) return withDecimal(name, index + 1, 0)[1];
  const isWorded = /^(?:à|a|to|bis|do|по)$/.test(next.key) && behind?.mark === '';
  return isWorded && behind.value >= 0 && behind.text.length <= 4 ? index + 2 : index;
}

/** Marks `of 24` after the number of an issue. */
export function markCount(name: Name, last: number): void {
  if (!countWords.has(name.tokens[last + 1]?.key ?? '') || (name.tokens[last + 2]?.value ?? -1) < 0)
    return;
  setMark(name, last + 1, 'episode');
  setMark(name, last + 2, 'episode');
}

/**
 * A number without a word: `#12` before any other; else the last one outside of brackets, except the
 * first word. Beside a volume it must stand behind it.
 */
export function markPlain(name: Name, start: number, thisYear: number): number | undefined {
  const outside = choosePlain(name, start, thisYear);
  const chosen = outside < 0 ? enclosedNumber(name, start) : outside;
  if (chosen < 0) return undefined;
  const token = name.tokens[chosen];
  const half = token?.text.endsWith('½') === true ? 0.5 : 0;
  const whole = Number(plain.exec(token?.key ?? '')?.[1] ?? 0);
  const [number, last] = withDecimal(name, chosen, whole + half);
  const end = skipRange(name, last);
  for (let at = chosen; at <= end; at += 1) setMark(name, at, 'episode');
  markCount(name, end);
  return number;
}

/** `Title (3)`, `Title (1-5)`: a bracket with nothing else; not the start of the name. */
function enclosedNumber(name: Name, start: number): number {
  const bracket = name.brackets.find(
    ({ first, last }) =>
      first > start &&
      last > first &&
      name.tokens[first]?.mark === '' &&
      /^\d{1,3}$/.test(name.tokens[first]?.text ?? '') &&
      skipRange(name, first) + 1 === last,
  );
  return bracket?.first ?? -1;
}

function choosePlain(name: Name, start: number, thisYear: number): number {
  const { tokens } = name;
  const from = Math.max(start, tokens.findLastIndex((token) => isOutside(token)) + 1);
  let chosen = -1;
  for (let index = start; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token?.mark !== '' || token.key.length > 8) continue;
    if (token.text.startsWith('#') && /^#(?:\d{1,4}(?!\d)|½)/.test(token.text)) return index;
    if (index < from || token.bracket >= 0 || !plain.test(token.key)) continue;
    const isDecimal = chosen === index - 1 && withDecimal(name, chosen, 0)[1] === index;
    const isRangeEnd = chosen >= 0 && skipRange(name, withDecimal(name, chosen, 0)[1]) >= index;
    const isYearBehind =
      chosen >= 0 && token.text.length === 4 && token.value >= 1930 && token.value <= thisYear + 1;
    const isCount =
      chosen >= 0 && index === chosen + 2 && countWords.has(tokens[index - 1]?.key ?? '');
    if (isDecimal || isRangeEnd || isYearBehind || isCount) continue;
    const isOnly = tokens.length === start + 1 || tokens[start + 1]?.mark !== '';
    const isClosing = gapBefore(name, index) === ' - ' && (tokens[index + 1]?.bracket ?? 0) >= 0;
    const isTitled =
      chosen >= 0 && !isClosing && / - /.test(name.text.slice(tokens[chosen]?.end, token.start));
    const gap = gapBefore(name, index + 1);
    const isFirstOfTwo = / - /.test(name.text.slice(token.end, tokens[index + 2]?.start));
    const mayBeFirst = isOnly || gap === ' - ' || (gap === '. ' && !isFirstOfTwo);
    if ((index > start || mayBeFirst) && !isTitled) chosen = index;
  }
  return chosen;
}

/** A marked volume that is not in brackets. */
function isOutside({
  mark,
  bracket,
}: {
  readonly mark: string;
  readonly bracket: number;
}): boolean {
  return mark === 'episode' && bracket < 0;
}
