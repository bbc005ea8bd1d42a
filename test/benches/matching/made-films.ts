/** A made-up catalogue of films, with all that makes two of them look alike. */
import { seeded } from '../../support/seeded.ts';

/** A film of the catalogue. */
export interface Film {
  readonly id: number;
  readonly title: string;
  readonly original: string;
  /** Titles in other languages, which a search finds and a list does not show. */
  readonly translations: readonly string[];
  readonly year: number;
  /** Minutes. */
  readonly minutes: number;
}

/** How often each kind of near-duplicate is made of the films before it. */
const kinds: readonly (readonly [share: number, make: (film: Film, random: Random) => Title])[] = [
  [0.08, ({ title }, random) => ({ title, year: yearFrom(random) })],
  [0.003, ({ title, year }) => ({ title, year })],
  [0.07, ({ title, year }, random) => ({ title: sequel(title, random), year: year + 3 })],
  [0.05, ({ title, year }, random) => ({ title: `${title}: ${subtitle(random)}`, year: year + 2 })],
  [0.02, ({ title }, random) => ({ title: otherArticle(title), year: yearFrom(random) })],
  [0.01, ({ title, year }) => ({ title: `${title}s`, year: year + 1 })],
];

type Random = () => number;
type Title = Pick<Film, 'title' | 'year'>;

const first =
  'Silent Golden Broken Distant Hollow Crimson Paper Northern Last Burning Secret Wild Frozen Stolen Lonely Perfect Hidden Bitter Electric Iron Midnight Royal Savage Tender Velvet Winter'.split(
    ' ',
  );
const second =
  'Harbour Garden Station Orchard Lantern Mirror Voyage River Mountain Kingdom Stranger Promise Shadow Empire Letter Dancer Hunter Island Bridge Summer Circus Witness Detective Children Horizon Café'.split(
    ' ',
  );
/** Some thousand names of people and places. */
const third = [
  'Mar',
  'An',
  'Dub',
  'Tho',
  'Hav',
  'Cla',
  'Ber',
  'Mig',
  'Kyo',
  'El',
  'Bos',
  'Vik',
].flatMap((start) =>
  ['se', 'na', 'li', 'ma', 'ro', 'ti', 'ku', 'de', 'vo', 'ra'].flatMap((middle) =>
    ['lle', 'n', 's', 'na', 'tor', 'la', 'ck', 'ne', 'mo', 'rid'].map(
      (end) => `${start}${middle}${end}`,
    ),
  ),
);
const foreign =
  'Hafen Garten Straße Licht Nacht Liebe Rivière Étoile Forêt Maison Corazón Camino Sueño Ciudad Città Amore Vento Mare'.split(
    ' ',
  );

const pick = <One>(list: readonly One[], random: Random): One =>
  list[Math.floor(random() * list.length)] as One;
const yearFrom = (random: Random): number => 1930 + Math.floor(random() ** 0.6 * 94);

function freshTitle(random: Random): string {
  const [one, two, name] = [pick(first, random), pick(second, random), pick(third, random)];
  const forms = [
    () => `The ${one} ${two}${random() < 0.9 ? ` from ${name}` : ''}`,
    () => `${one} ${two} of ${name}`,
    () => `A ${two} in ${name}`,
    () => `${name} and the ${one} ${two}`,
    () => `${name}'s ${two}`,
    () => `${name} & ${pick(third, random)}`,
    () => `The ${two}, the ${pick(second, random)} and ${name}`,
    () => `${1 + Math.floor(random() * 40)} ${two}s for ${name}`,
    () => `When ${name} met the ${two}`,
    () => name,
    () => `${two} ${pick(second, random)} ${name}`,
  ];
  return pick(forms, random)();
}

const sequel = (title: string, random: Random): string =>
  `${title} ${pick(['2', 'II', 'Part 2', '3', 'III'], random)}`;
const subtitle = (random: Random): string =>
  pick(['The Return', 'Revenge', 'The Beginning', 'Resurrection', 'The Final Chapter'], random);
const otherArticle = (title: string): string =>
  title.startsWith('The ') ? title.slice(4) : `The ${title}`;
const foreignTitle = (random: Random): string =>
  `${pick(['Der', 'La', 'El', 'Il'], random)} ${pick(foreign, random)} ${pick(['und', 'et', 'y', 'e'], random)} ${pick(foreign, random)} ${pick(third, random)}`;

/** Makes the films; the same ones each time. */
export function madeFilms(count: number): readonly Film[] {
  const random = seeded(26);
  const films: Film[] = [];
  for (let id = 1; id <= count; id++) {
    const { title, year } = titleOf(films, random);
    const isForeign = random() < 0.2;
    films.push({
      ...{ id, title, year },
      original: isForeign ? foreignTitle(random) : title,
      translations: random() < 0.3 ? [foreignTitle(random)] : [],
      minutes: 75 + Math.floor(random() * 90),
    });
  }
  return films;
}

function titleOf(films: readonly Film[], random: Random): Title {
  let at = random();
  const before = films.length === 0 ? undefined : pick(films, random);
  for (const [share, make] of kinds) {
    if (at < share && before !== undefined) return make(before, random);
    at -= share;
  }
  return { title: freshTitle(random), year: yearFrom(random) };
}
