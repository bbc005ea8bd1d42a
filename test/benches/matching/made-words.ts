/** Names and titles that are made up, for catalogues of music and books. */

/** Gives numbers from 0 to 1. */
export type Random = () => number;

export const pick = <One>(list: readonly One[], random: Random): One =>
  list[Math.floor(random() * list.length)] as One;

export const yearFrom = (random: Random): number => 1930 + Math.floor(random() ** 0.6 * 94);

const given = 'Ada Ben Cleo Dag Eva Finn Greta Hugo Ines Jon Kaya Lars Mia Nils Olga Per'.split(
  ' ',
);
const starts = 'Mar Sten Lind Hal Bor Kel Vas Rem Tor Ash Fen Win Gal Har Mor Sel'.split(' ');
const ends = 'sen berg wood ley man strom ford ton ick ova ard ell ina low mark dal'.split(' ');
const adjectives =
  'Silent Golden Broken Distant Hollow Crimson Paper Northern Last Burning Secret Wild Frozen Lonely Hidden Bitter Electric Iron Midnight Tender Velvet Winter'.split(
    ' ',
  );
const nouns =
  'Harbour Garden Station Orchard Lantern Mirror Voyage River Mountain Kingdom Stranger Promise Shadow Letter Dancer Island Bridge Summer Circus Witness Horizon Café'.split(
    ' ',
  );

const surname = (random: Random): string => pick(starts, random) + pick(ends, random);

/** A person, such as `Ada Lindberg`. */
export const personName = (random: Random): string => `${pick(given, random)} ${surname(random)}`;

/** A person or a band. */
export function artistName(random: Random): string {
  const forms = [
    () => personName(random),
    () => `The ${pick(nouns, random)}s of ${surname(random)}`,
    () => `The ${surname(random)} ${pick(['Trio', 'Band', 'Orchestra'], random)}`,
    () => `${surname(random)} & ${surname(random)}`,
  ];
  return pick(forms, random)();
}

/** A title of an album, a song or a book. */
export function title(random: Random): string {
  const [one, two, name] = [pick(adjectives, random), pick(nouns, random), surname(random)];
  const forms = [
    () => `${one} ${two}`,
    () => `The ${two} of ${name}`,
    () => `${two} in ${name}`,
    () => `${name}'s ${two}`,
    () => `${1 + Math.floor(random() * 40)} ${two}s`,
    () => `${two} and ${pick(nouns, random)}`,
    () => name,
  ];
  return pick(forms, random)();
}

const foreign =
  'Hafen Garten Straße Licht Nacht Liebe Rivière Étoile Forêt Maison Corazón Camino Sueño Ciudad'.split(
    ' ',
  );

/** A title in another language. */
export const foreignTitle = (random: Random): string =>
  `${pick(['Der', 'La', 'El'], random)} ${pick(foreign, random)} ${pick(['und', 'et', 'y'], random)} ${pick(foreign, random)} ${surname(random)}`;

/** A letter is missing, doubled, or in the place of its neighbour; numbers stay. */
export function mistyped(text: string, random: Random): string {
  if (text.length < 4) return text;
  const at = 1 + Math.floor(random() * (text.length - 2));
  const [before, letter, next, after] = [
    text.slice(0, at),
    text.charAt(at),
    text.charAt(at + 1),
    text.slice(at + 2),
  ];
  if (/\d/.test(letter + next)) return text;
  const kind = random();
  if (kind < 0.4) return before + next + after;
  return kind < 0.7 ? before + letter + letter + next + after : before + next + letter + after;
}

/** Without accents and apostrophes, as old programs wrote names. */
export const plainLetters = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll("'", '');

/** One of the changes, each with its share of a hundred; the last one in place of the rest. */
export function changed<One>(
  changes: readonly (readonly [percent: number, change: (one: One, random: Random) => string])[],
  one: One,
  random: Random,
): string {
  let at = random() * 100;
  const found = changes.find(([percent]) => (at -= percent) < 0) ?? changes.at(-1);
  return found?.[1](one, random) ?? '';
}
