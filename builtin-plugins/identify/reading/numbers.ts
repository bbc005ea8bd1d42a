import { numberWords, ordinalWords } from '../words/number-words.ts';

const romans = new Map(
  'i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx'
    .split(' ')
    .map((roman, index) => [roman, index + 1] as const),
);

/** Each spelling with its number. A spelling shared by several languages has the same number in all. */
function countingFromOne(lines: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    lines.flatMap((line) => line.split(' ').map((word, index) => [word, index + 1] as const)),
  );
}

const words = countingFromOne(numberWords);
const ordinals = countingFromOne(ordinalWords);

const chineseDigits = new Map(
  Array.from('零一二三四五六七八九').map((digit, value) => [digit, value]),
);

/** The number that a key spells: digits, Roman, or an English word up to twenty. */
export function readNumber(key: string): number | undefined {
  if (/^\d{1,4}$/.test(key)) return Number(key);
  return romans.get(key) ?? words.get(key);
}

/** The number that a word spells: `seven`. */
export function spelledNumber(key: string): number | undefined {
  return words.get(key);
}

/** `first`, `2nd`, `3.`, `4°`, `5-й`: the number of an ordinal written as one word. */
export function readOrdinal(key: string): number | undefined {
  const written = /^(\d{1,3})(?:st|nd|rd|th|ª|º|°|a|o|e|er|ère|ème|eme|й|я|ой|ый|-й)$/.exec(key);
  return written === null ? ordinals.get(key) : Number(written[1]);
}

/** A number in digits or in Chinese numerals up to 99. */
export function readCountingNumber(text: string): number | undefined {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  const [tens, ones, ...rest] = text.split('十');
  if (rest.length > 0 || text.length > 3 || tens === undefined) return undefined;
  if (ones === undefined) return chineseDigits.get(tens);
  const ten = tens === '' ? 1 : chineseDigits.get(tens);
  const one = ones === '' ? 0 : chineseDigits.get(ones);
  return ten === undefined || one === undefined ? undefined : ten * 10 + one;
}

/** All numbers from `first` to `last`; only the first for an implausible range. */
export function numbersBetween(first: number, last: number, most = 500): number[] {
  if (last <= first || last - first > most) return [first];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
