/** Titles as they are compared: the same words in spite of spelling, articles and punctuation. */

const articles =
  /^(the|a|an|der|die|das|ein|eine|le|la|les|l|un|une|el|los|las|il|lo|gli|o|os|as|de|het|een) (?=.)/;

/** Letters that do not decompose into a Latin letter and an accent. */
const latin: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
};

const cyrillic = Array.from('абвгдеёжзийклмнопрстуфхцчшщъыьэюя');
const cyrillicInLatin =
  'a b v g d e e zh z i i k l m n o p r s t u f kh ts ch sh shch  y  e yu ya'.split(' ');

const letters: ReadonlyMap<string, string> = new Map([
  ...Object.entries(latin),
  ...cyrillic.map((letter, at) => [letter, cyrillicInLatin[at] ?? ''] as const),
]);

const roman: Readonly<Record<string, string>> = {
  ii: '2',
  iii: '3',
  iv: '4',
  vi: '6',
  vii: '7',
  viii: '8',
  ix: '9',
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  ten: '10',
};

const longest = 300;

/** The words of a title, in Latin letters without accents, with numbers as digits. */
export const foldTitle = (title: string): string => foldWords(title).replace(articles, '');

/** The same with articles. */
function foldWords(title: string): string {
  const plain = Array.from(title.slice(0, longest).toLowerCase().normalize('NFC'), (letter) => {
    return letters.get(letter) ?? letter.normalize('NFKD').replace(/\p{M}/gu, '');
  }).join('');
  const words = plain
    .replace(/['’`´]/g, '')
    .replace(/&|\+/g, ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return words.replace(
    /\p{L}+/gu,
    (word) => (Object.hasOwn(roman, word) ? roman[word] : word) ?? word,
  );
}

/** How similar two titles are, 0 to 1. Numbers must agree: they tell a sequel from the first part. */
export function titleLikeness(one: string, other: string): number {
  const [a, b] = [foldTitle(one), foldTitle(other)];
  if (a === '' || b === '') return 0;
  if (a === b) return 1;
  const common = pairsInCommon(a, b);
  return numbersOf(a) === numbersOf(b) ? common : common * 0.5;
}

/** How similar the names of people are: the best of all pairs. `Reed, Ada` is `Ada Reed`. */
export function peopleLikeness(asked: readonly string[], found: readonly string[]): number {
  const names = found.slice(0, mostPeople).flatMap(foldName);
  const pairs = asked
    .slice(0, mostPeople)
    .flatMap(foldName)
    .flatMap((one) => names.map((other) => nameLikeness(one, other)));
  return Math.max(0, ...pairs);
}

const mostPeople = 20;

/**
 * The words of a name in the order of the alphabet: as of a band, whose article may be missing, and as
 * of a person, whose initial may look like an article.
 */
const foldName = (name: string): readonly string[] => [
  ...new Set([foldTitle(name), foldWords(name)].map((words) => words.split(' ').sort().join(' '))),
];

function nameLikeness(one: string, other: string): number {
  if (one === '' || other === '') return 0;
  if (one === other) return 1;
  return isAbbreviated(one, other) ? abbreviated : pairsInCommon(one, other);
}

/** An initial may be that of another person of the same surname. */
const abbreviated = 0.85;

/** Whether names differ only in words that one has as an initial: `A. Reed` is `Ada Reed`. */
function isAbbreviated(one: string, other: string): boolean {
  const [words, rest] = [one.split(' '), other.split(' ')];
  if (words.length !== rest.length) return false;
  const same = words.filter((word) => word.length > 1 && rest.includes(word));
  const [left, right] = [words, rest].map((all) => all.filter((word) => !same.includes(word)));
  return (
    same.length > 0 &&
    (left ?? []).every((word, at) => {
      const found = right?.[at] ?? '';
      return (word.length === 1 || found.length === 1) && word.charAt(0) === found.charAt(0);
    })
  );
}

const numbersOf = (text: string): string => (text.match(/\p{N}+/gu) ?? []).join(' ');

/** The share of letter pairs that both have. */
function pairsInCommon(a: string, b: string): number {
  const counts = new Map<string, number>();
  const [first, second] = [pairsOf(a), pairsOf(b)];
  for (const pair of first) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  let common = 0;
  for (const pair of second) {
    const left = counts.get(pair) ?? 0;
    if (left === 0) continue;
    counts.set(pair, left - 1);
    common += 1;
  }
  const total = first.length + second.length;
  return total === 0 ? 0 : (2 * common) / total;
}

function pairsOf(text: string): readonly string[] {
  return Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2));
}
