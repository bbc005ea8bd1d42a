/** Reads the name of a subtitle file, without the media's own name. */
import {
  findLanguage,
  findLanguageForm,
  longestLanguageName,
  toLanguageTag,
} from '../../../plugin-api/index.ts';

/** What a name says. */
export interface SubtitleTraits {
  /** BCP 47. */
  readonly language?: string;
  readonly title?: string;
  readonly isDefault?: true;
  readonly isForced?: true;
  readonly isHearingImpaired?: true;
}

type Flag = 'isDefault' | 'isForced' | 'isHearingImpaired';

const flagWords: ReadonlyMap<string, Flag> = new Map<string, Flag>([
  ['forced', 'isForced'],
  ['force', 'isForced'],
  ['foreign', 'isForced'],
  ['forced narrative', 'isForced'],
  ['forcé', 'isForced'],
  ['forces', 'isForced'],
  ['forcés', 'isForced'],
  ['forzados', 'isForced'],
  ['forzado', 'isForced'],
  ['forzati', 'isForced'],
  ['foreign parts only', 'isForced'],
  ['non english parts', 'isForced'],
  ['default', 'isDefault'],
  ['sdh', 'isHearingImpaired'],
  ['cc', 'isHearingImpaired'],
  ['hoh', 'isHearingImpaired'],
  ['hearing impaired', 'isHearingImpaired'],
  ['hearing', 'isHearingImpaired'],
  ['closed captions', 'isHearingImpaired'],
  ['closed caption', 'isHearingImpaired'],
  ['captions', 'isHearingImpaired'],
  ['deaf', 'isHearingImpaired'],
]);

/** Words without a meaning beside a language. */
const fillers: ReadonlySet<string> = new Set(
  'full complete subtitle subtitles subs sub utf8 utf track stream regular normal dialogue und unknown'.split(
    ' ',
  ),
);

/** The meaning of one or several words of a name. */
type Piece =
  | {
      readonly kind: 'language';
      readonly tag: string;
      /** In lower case. */
      readonly word: string;
      readonly written: string;
    }
  | { readonly kind: 'flag'; readonly flag: Flag }
  | { readonly kind: 'filler' }
  | { readonly kind: 'other'; readonly word: string };

const separators = /[\s._\-()[\]{}+,;]+/;
const mostWords = 64;

/**
 * Reads the rest of a name after that of the media. Words that are neither a language nor a flag are
 * the title. With `isWhole` the text is a whole name, and only its end counts.
 */
export function readSubtitleName(rest: string, isWhole = false): SubtitleTraits {
  const pieces = piecesOf(rest);
  const spoken = isWhole ? tailOf(pieces) : pieces;
  const flags = spoken.flatMap((piece) => (piece.kind === 'flag' ? [piece.flag] : []));
  const { language, title } = languageOf(spoken);
  const isHindi = language === undefined && spoken.some(isHi);
  const isDeafs = !isHindi && spoken.some(isHi);
  const tag = isHindi ? 'hi' : language;
  return {
    ...(tag !== undefined && { language: tag }),
    ...(title !== '' && !isWhole && { title }),
    ...(flags.includes('isDefault') && { isDefault: true }),
    ...(flags.includes('isForced') && { isForced: true }),
    ...((isDeafs || flags.includes('isHearingImpaired')) && { isHearingImpaired: true }),
  };
}

/** Whether every word of the text is a language, a flag or a number. */
export function isSubtitleSuffix(text: string): boolean {
  return piecesOf(text).every(({ kind }) => kind !== 'other');
}

/** `hi` alone is Hindi; beside a language it means hearing-impaired. */
const isHi = (piece: Piece): boolean => piece.kind === 'language' && piece.word === 'hi';

/** The meaning of the last words, up to the first without one. */
function tailOf(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.slice(pieces.findLastIndex(({ kind }) => kind === 'other') + 1);
}

function piecesOf(text: string): readonly Piece[] {
  const words = text.normalize('NFC').split(separators, mostWords).filter(Boolean);
  const pieces: Piece[] = [];
  for (let at = 0; at < words.length;) {
    const [piece, length] = pieceAt(words, at);
    pieces.push(piece);
    at += length;
  }
  return pieces;
}

/** The longest sequence of words from here with a meaning. */
function pieceAt(words: readonly string[], at: number): readonly [Piece, number] {
  for (let length = Math.min(longestLanguageName, words.length - at); length > 0; length -= 1) {
    const written = words.slice(at, at + length).join(' ');
    const word = written.toLowerCase();
    const flag = flagWords.get(word);
    if (flag !== undefined) return [{ kind: 'flag', flag }, length];
    const tag = languageAt(words, at, length, word);
    if (tag !== null) return [{ kind: 'language', tag, word, written }, length];
  }
  const word = words[at] ?? '';
  const isFiller = fillers.has(word.toLowerCase()) || /^(?:track|stream|sub)?\d{1,4}$/i.test(word);
  return [isFiller ? { kind: 'filler' } : { kind: 'other', word }, 1];
}

/** Several words may be a name in the table, or a tag such as `zh-Hant-TW`. */
function languageAt(
  words: readonly string[],
  at: number,
  length: number,
  word: string,
): string | null {
  if (length === 1) return findLanguage(word);
  const named = findLanguage(word);
  if (named !== null) return named;
  const [first = '', second = '', third = ''] = words.slice(at, at + length);
  return isSubtag(second) && (length === 2 || isRegion(third)) && first.length <= 3
    ? toLanguageTag([first, second, third].slice(0, length).join('-'))
    : null;
}

/** Scripts and regions in the spelling of tags; `en hi` and `no de` are two words. */
const isRegion = (word: string): boolean =>
  /^(?:[A-Z]{2}|419)$/.test(word) && !notRegions.has(word);
const isSubtag = (word: string): boolean =>
  isRegion(word) || /^(?:hans|hant|latn|cyrl)$/i.test(word);
const notRegions: ReadonlySet<string> = new Set(['CC', 'HI', 'EN']);

/** The language that the words name together, and the rest of them as a title. */
function languageOf(pieces: readonly Piece[]): {
  readonly language: string | undefined;
  readonly title: string;
} {
  const named = pieces.filter((piece) => piece.kind === 'language');
  const spoken = named.filter((piece) => !isHi(piece));
  const codes = spoken.filter(({ word }) => /^[a-z]{2,3}$/.test(word));
  // `Chinese Simplified with English.chi`: the code at the end says which of them it is.
  const coded = codes.length === 1 && codes.length < spoken.length ? codes[0] : undefined;
  const plain = coded ?? spoken.find(({ tag }) => !tag.includes('-')) ?? spoken[0];
  const exact = plain && spoken.find(({ tag }) => tag.startsWith(`${plain.tag}-`));
  const others = pieces.flatMap(wordOf);
  const words = [...others, ...spoken.filter((piece) => piece !== plain).map(({ word }) => word)];
  const form =
    plain &&
    formOf(
      plain.tag,
      words.map((word) => word.toLowerCase()),
    );
  const used = new Set(form?.words);
  const isMixed = coded !== undefined && spoken.some(({ tag }) => !isSame(tag, coded.tag));
  if (isMixed) {
    const said = pieces.flatMap((piece) =>
      piece === coded ? [] : piece.kind === 'language' ? [piece.written] : wordOf(piece),
    );
    return { language: exact?.tag ?? coded.tag, title: said.join(' ') };
  }
  return {
    language: exact?.tag ?? form?.tag ?? plain?.tag,
    title: others.filter((word) => !used.has(word.toLowerCase())).join(' '),
  };
}

const wordOf = (piece: Piece): readonly string[] => (piece.kind === 'other' ? [piece.word] : []);

const isSame = (one: string, other: string): boolean => one.split('-')[0] === other.split('-')[0];

function formOf(
  language: string,
  words: readonly string[],
): { readonly tag: string; readonly words: readonly string[] } | undefined {
  for (const [at, word] of words.entries()) {
    const pair = words.slice(at, at + 2);
    const long = pair.length === 2 ? findLanguageForm(pair.join(' '), language) : null;
    if (long !== null) return { tag: long, words: pair };
    const short = findLanguageForm(word, language);
    if (short !== null) return { tag: short, words: [word] };
  }
  return undefined;
}
