/**
 * The letters of a list by title. A letter stands for a range of sort titles in the order of their
 * bytes, so that the items of one letter follow each other in the list.
 */
import { normalizeName } from './normalize-name.ts';

/** Which sort titles a letter stands for: from `from` on, and before `to`. */
export interface LetterRange {
  readonly letter: string;
  readonly from: string;
  readonly to: string;
}

/** The letter of what comes before `a`: digits, signs, and a title without characters. */
const others = '#';
const first = 0x61;
const last = 0x7a;
const beyond = 0x11_0000;
const highest = '\u{10ffff}';

/** Scripts of many characters have one letter for many: the initial of a Korean syllable, and one for Han. */
const hangul = { from: 0xac00, to: 0xd7a4, ofInitial: 588 } as const;
const initials = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ';
const han = { from: 0x4e00, to: 0xa000, letter: '漢' } as const;

/** The letter of a sort title: `A` to `Z`, `#`, or a letter of another script. */
export const letterOf = (sortTitle: string): string => rangeAt(sortTitle.codePointAt(0)).letter;

/** The range of the letter that a client names in upper or lower case; undefined = it is not one letter. */
export function findLetter(text: string): LetterRange | undefined {
  const trimmed = text.trim();
  if (trimmed === others) return rangeAt(undefined);
  const [only, ...more] = Array.from(normalizeName(trimmed));
  if (only === undefined || more.length > 0) return undefined;
  const initial = initials.indexOf(only);
  if (initial >= 0) return rangeAt(hangul.from + initial * hangul.ofInitial);
  return rangeAt(only.codePointAt(0));
}

/** A letter of a list, and the place before all that it has. */
export interface LetterPlace {
  readonly letter: string;
  readonly count: number;
  readonly start: { readonly value: string; readonly no: number };
}

/** The place before all that a letter or a month has: no row has this number. */
export const startOf = <Value extends string | number>(
  { from, to }: { readonly from: Value; readonly to: Value },
  sortOrder: 'asc' | 'desc',
): { readonly value: Value; readonly no: number } => ({
  value: sortOrder === 'asc' ? from : to,
  no: -1,
});

/** Counted letters in the order of their list. */
export function placeLetters(
  counts: Iterable<readonly [letter: string, count: number]>,
  sortOrder: 'asc' | 'desc',
): readonly LetterPlace[] {
  const direction = sortOrder === 'asc' ? 1 : -1;
  return [...counts]
    .flatMap(([letter, count]) => {
      const range = findLetter(letter);
      return range === undefined ? [] : [{ letter, count, range }];
    })
    .toSorted(
      (a, b) => direction * Buffer.compare(Buffer.from(a.range.from), Buffer.from(b.range.from)),
    )
    .map(({ letter, count, range }) => ({ letter, count, start: startOf(range, sortOrder) }));
}

function rangeAt(code: number | undefined): LetterRange {
  if (code === undefined || code < first)
    return { letter: others, from: '', to: String.fromCodePoint(first) };
  if (code >= hangul.from && code < hangul.to) {
    const initial = Math.floor((code - hangul.from) / hangul.ofInitial);
    const from = hangul.from + initial * hangul.ofInitial;
    return rangeOf(initials.charAt(initial), from, from + hangul.ofInitial);
  }
  if (code >= han.from && code < han.to) return rangeOf(han.letter, han.from, han.to);
  const character = String.fromCodePoint(code);
  const upper = code <= last ? character.toUpperCase() : upperOf(character);
  return rangeOf(upper, code, code + 1);
}

const rangeOf = (letter: string, from: number, to: number): LetterRange => ({
  letter,
  from: String.fromCodePoint(from),
  // No text has half of a surrogate pair: the next character is the one after them.
  to: to >= beyond ? highest : String.fromCodePoint(to === 0xd800 ? 0xe000 : to),
});

/** Some letters have no upper case of one character. */
function upperOf(character: string): string {
  const upper = character.toUpperCase();
  return Array.from(upper).length === 1 ? upper : character;
}
