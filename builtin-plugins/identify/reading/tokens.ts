/**
 * The only pass over the characters of a name. Everything after it works on tokens, looks only a
 * bounded number of them ahead or back, and never scans the name again; so reading is linear in the
 * length of any name.
 */
import { classOf, closerOf, keyOf } from './characters.ts';
import { gluedCodeAt } from './glued-code.ts';

/** The mark of a token. `''` = unknown: a word of a title, so far. */
export type Mark =
  | ''
  | 'year'
  | 'season'
  | 'episode'
  | 'date'
  | 'resolution'
  | 'source'
  | 'video'
  | 'audio'
  | 'language'
  | 'edition'
  | 'release'
  | 'service'
  | 'stereo'
  | 'size'
  | 'crc'
  | 'site'
  | 'group'
  | 'part'
  | 'extra'
  | 'noise';

/** One word or number of a name. */
export interface Token {
  readonly text: string;
  /** The form of the word tables. */
  readonly key: string;
  /** Place in the name, in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly hasDigit: boolean;
  /** Index of the innermost bracket around it, -1 = none. */
  readonly bracket: number;
  /** Its number when it is all digits, at most eight of them, or a decimal number of an episode; else -1. */
  readonly value: number;
  mark: Mark;
  /** It is one mark with the token before it, as in `WEB-DL`. */
  joins: boolean;
  /** What the mark stands for, such as `Blu-ray`. */
  meaning: string;
}

/** A pair of brackets, with the tokens inside, including inner brackets. */
export interface Bracket {
  readonly open: string;
  readonly start: number;
  /** Place after the closing bracket. */
  end: number;
  readonly first: number;
  /** Index after the last token inside. */
  last: number;
  /** Index of the outermost bracket around it, which may be itself. */
  readonly outermost: number;
}

export interface Name {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly brackets: readonly Bracket[];
}

const anyDigit = /\d/;
const allDigits = /^\d{1,8}$|^\d{1,4}\.\d$/;
/** A number with the word for `year` after it. */
const yearWithWord = /^(\d{4})[г年년]$/;

const none = (): boolean => false;

/** Splits a name into tokens. `joins` says whether the dot at a place belongs to its word. */
export function tokenize(
  text: string,
  joins: (text: string, wordStart: number, dot: number) => boolean = none,
): Name {
  const tokens: Token[] = [];
  const brackets: Bracket[] = [];
  const open: number[] = [];
  let wordStart = -1;
  /** What is known of the word that begins there. */
  let isWide = false;
  let sawDigit = false;

  const addToken = (key: string, start: number, end: number, hasDigit: boolean): void => {
    tokens.push({
      text: text.slice(start, end),
      key,
      hasDigit,
      start,
      end,
      bracket: open.at(-1) ?? -1,
      value: hasDigit ? valueOf(key) : -1,
      mark: '',
      joins: false,
      meaning: '',
    });
  };

  const endWord = (end: number): void => {
    if (wordStart < 0) return;
    const start = wordStart;
    const word = text.slice(start, end);
    const key = isWide ? keyOf(word) : word.toLowerCase();
    const hasDigit = sawDigit || (isWide && anyDigit.test(key));
    wordStart = -1;
    isWide = false;
    sawDigit = false;
    if (!hasDigit) {
      addToken(key, start, end, false);
      return;
    }
    const cut = key.length === end - start ? gluedCodeAt(key) : 0;
    if (cut === 0) addToken(key, start, end, true);
    else {
      const [head, tail] = [key.slice(0, cut), key.slice(cut)];
      addToken(head, start, start + cut, anyDigit.test(head));
      addToken(tail, start + cut, end, anyDigit.test(tail));
    }
  };

  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const kind = classOf(code);
    if (kind === 'word') {
      if (wordStart < 0) wordStart = index;
      if (code > 127) isWide = true;
      else if (code >= 48 && code <= 57) sawDigit = true;
      continue;
    }
    if (code === 46 && sawDigit && joins(text, wordStart, index)) continue;
    endWord(index);
    if (kind === 'open') {
      brackets.push({
        open: text.charAt(index),
        start: index,
        end: text.length,
        first: tokens.length,
        last: -1,
        outermost: open[0] ?? brackets.length,
      });
      open.push(brackets.length - 1);
    } else if (kind === 'close') {
      const bracket = brackets[open.at(-1) ?? -1];
      if (bracket === undefined || closerOf(bracket.open) !== text.charAt(index)) continue;
      bracket.end = index + 1;
      bracket.last = tokens.length;
      open.pop();
    }
  }
  endWord(text.length);
  for (const index of open) {
    const bracket = brackets[index];
    if (bracket !== undefined) bracket.last = tokens.length;
  }
  return { text, tokens, brackets };
}

function valueOf(key: string): number {
  if (allDigits.test(key)) return Number(key);
  const year = key.length === 5 ? yearWithWord.exec(key) : null;
  return year === null ? -1 : Number(year[1]);
}

/** The characters between a token and the one before it. */
export function gapBefore(name: Name, index: number): string {
  const start = name.tokens[index - 1]?.end ?? 0;
  return name.text.slice(start, name.tokens[index]?.start ?? name.text.length);
}

/** The outermost bracket around a token. */
export function outermostBracket(name: Name, index: number): Bracket | undefined {
  const own = name.tokens[index]?.bracket ?? -1;
  return own < 0 ? undefined : name.brackets[name.brackets[own]?.outermost ?? -1];
}

/** Whether the tokens `[first, last)` all have a mark. */
export function allMarked(name: Name, first: number, last: number): boolean {
  for (let index = first; index < last; index += 1) {
    if (name.tokens[index]?.mark === '') return false;
  }
  return true;
}
