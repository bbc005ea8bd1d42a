/** The role of a character in a name. */
export type CharacterClass = 'word' | 'separator' | 'open' | 'close';

const separators =
  ' \t\n\r\v\f._-+,;:/\\|~*="\u00a0\u2044\u2215№★⭐\u2010\u2011\u2012\u2013\u2014\u2015\u2022\u3000\u3001\u3002「」『』《》〈〉“”„«»・';
const brackets = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ['（', '）'],
  ['［', '］'],
  ['｛', '｝'],
  ['【', '】'],
  ['〔', '〕'],
  ['〖', '〗'],
]);

const classes = new Map<number, CharacterClass>();
for (const character of separators) classes.set(character.charCodeAt(0), 'separator');
for (const [open, close] of brackets) {
  classes.set(open.charCodeAt(0), 'open');
  classes.set(close.charCodeAt(0), 'close');
}
for (const character of '．＿－＋，：；／～') classes.set(character.charCodeAt(0), 'separator');

const ascii: readonly CharacterClass[] = Array.from(
  { length: 128 },
  (_, code) => classes.get(code) ?? (code < 32 || code === 127 ? 'separator' : 'word'),
);

/** The class of a UTF-16 code unit. Characters that are not separators belong to words. */
export function classOf(code: number): CharacterClass {
  return (code < 128 ? ascii[code] : classes.get(code)) ?? 'word';
}

/** The bracket that closes `open`. */
export function closerOf(open: string): string {
  return brackets.get(open) ?? '';
}

const digitZeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50];

/** A word in the form of the tables: lower case, half-width, digits of every script as 0-9. */
export function keyOf(text: string): string {
  const folded = text.replace('’', "'").normalize('NFKC').toLowerCase();
  return /[\u0660-\u0e59]/.test(folded) ? withAsciiDigits(folded) : folded;
}

function withAsciiDigits(text: string): string {
  let result = '';
  for (const character of text) {
    const code = character.charCodeAt(0);
    const zero = digitZeros.find((start) => code >= start && code < start + 10);
    result += zero === undefined ? character : String(code - zero);
  }
  return result;
}

const notAscii = /[^\0-\x7f]/;
const notAsciiWordy = /[^a-z0-9]+/g;
const notWordy = /[^\p{L}\p{N}]+/gu;
const accents = /\p{Mn}+/gu;

/** A title without case, accents and punctuation, for comparing two spellings of one title. */
export function foldTitle(title: string): string {
  if (!notAscii.test(title)) return title.toLowerCase().replace(notAsciiWordy, '');
  return title.normalize('NFKD').replace(accents, '').toLowerCase().replace(notWordy, '');
}
