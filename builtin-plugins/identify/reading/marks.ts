import type { WordMeaning } from './word-table.ts';
import type { Mark, Name, Token } from './tokens.ts';

const technical: ReadonlySet<Mark> = new Set<Mark>([
  'resolution',
  'source',
  'video',
  'audio',
  'language',
  'edition',
  'release',
  'service',
  'stereo',
  'size',
  'crc',
]);

/** Whether a mark is about the release. */
export function isTechnicalMark(mark: Mark): boolean {
  return technical.has(mark);
}

/** Whether a token is about the release. */
export function isTechnical(token: Token | undefined): boolean {
  return token !== undefined && technical.has(token.mark);
}

/** An ambiguous word: it may belong to the title. With the number of its tokens. */
export interface Pending {
  readonly word: WordMeaning;
  readonly length: number;
}

/** The ambiguous words, by the index of their first token. */
export type AmbiguousWords = ReadonlyMap<number, Pending>;

/** Marks one token that has no mark. */
export function setMark(name: Name, index: number, mark: Mark, meaning = ''): void {
  const token = name.tokens[index];
  if (token === undefined || token.mark !== '') return;
  token.mark = mark;
  token.meaning = meaning;
}

/** Marks the tokens of a known word. */
export function markWord(name: Name, index: number, { word, length }: Pending): void {
  for (let at = index; at < index + length; at += 1) {
    setMark(name, at, word.mark, word.meaning);
    const token = name.tokens[at];
    if (token !== undefined && at > index) token.joins = true;
  }
}
