import { describe, expect, test } from 'vitest';
import { choose, confidenceOf, leastConfidence, rank, type Entry } from './score.ts';
import { foldTitle, peopleLikeness } from './titles.ts';

describe('a title', () => {
  test.each([
    ['The Matrix', 'matrix'],
    ['Le Fabuleux Destin d’Amélie Poulain', 'fabuleux destin damelie poulain'],
    ['Fast & Furious', 'fast and furious'],
    ['Rocky II', 'rocky 2'],
    ['Сталкер', 'stalker'],
    ['Straße', 'strasse'],
    ['千と千尋の神隠し', '千と千尋の神隠し'],
    ['The', 'the'],
  ])('%s is compared as %s', (title, folded) => {
    expect(foldTitle(title)).toBe(folded);
  });
});

const album = { title: 'Harbour Songs', year: 1971, people: ['Ada Reed'] };
const tracks = ['Rain', 'Snow', 'Ice'].map((title, at) => ({
  title,
  track: at + 1,
  duration: 200 + 30 * at,
}));

describe('the confidence', () => {
  test.each<[string, Parameters<typeof confidenceOf>, 'applied' | 'waits']>([
    [
      'the same year',
      [
        { title: 'Heat', year: 1995 },
        { title: 'Heat', year: 1995 },
      ],
      'applied',
    ],
    ['no year', [{ title: 'Heat' }, { title: 'Heat', year: 1995 }], 'applied'],
    [
      'a remake',
      [
        { title: 'Heat', year: 1995 },
        { title: 'Heat', year: 1986 },
      ],
      'waits',
    ],
    [
      'a festival',
      [
        { title: 'Heat', year: 1995 },
        { title: 'Heat', year: 1994 },
      ],
      'applied',
    ],
    [
      'a typing error',
      [
        { title: 'Shawshank Redemtion', year: 1994 },
        { title: 'The Shawshank Redemption', year: 1994 },
      ],
      'applied',
    ],
    [
      'a sequel',
      [
        { title: 'Rocky III', year: 1982 },
        { title: 'Rocky II', year: 1982 },
      ],
      'waits',
    ],
    [
      'another title',
      [
        { title: 'Spirited Away', year: 2001 },
        { title: '千と千尋の神隠し', otherTitles: ['Spirited Away'], year: 2001 },
      ],
      'applied',
    ],
    [
      'another duration',
      [
        { title: 'Heat', duration: 1200 },
        { title: 'Heat', duration: 10_200 },
      ],
      'waits',
    ],
    ['the artist', [album, { ...album, people: ['Reed, Ada'] }], 'applied'],
    ['another artist', [album, { ...album, people: ['Ben Stone'] }], 'waits'],
    ['no artist', [{ ...album, people: [], year: undefined }, album], 'waits'],
    [
      'the tracks of a new edition',
      [
        { ...album, year: 2019, tracks },
        { ...album, tracks },
      ],
      'applied',
    ],
    [
      'one track of a new edition',
      [
        { ...album, year: 2019, tracks: tracks.slice(0, 1) },
        { ...album, tracks },
      ],
      'waits',
    ],
    [
      'other tracks',
      [
        { ...album, tracks },
        { ...album, tracks: [{ title: 'Something else', duration: 400 }] },
      ],
      'waits',
    ],
    [
      'tracks without titles, by place and length',
      [
        {
          ...album,
          year: 2019,
          tracks: tracks.map((one) => ({ ...one, title: `Track ${one.track}` })),
        },
        { ...album, tracks },
      ],
      'applied',
    ],
    [
      'another volume of a series',
      [
        { ...album, volume: 2 },
        { ...album, volume: 3 },
      ],
      'waits',
    ],
    [
      'the same id',
      [
        { title: 'x', ids: { imdb: 'tt1' } },
        { title: 'Heat', ids: { imdb: 'tt1' } },
      ],
      'applied',
    ],
    [
      'another id',
      [
        { title: 'Heat', year: 1995, ids: { imdb: 'tt1' } },
        { title: 'Heat', year: 1995, ids: { imdb: 'tt2' } },
      ],
      'waits',
    ],
  ])('with %s decides', (_, [question, entry], what) => {
    expect(confidenceOf(question, entry) >= leastConfidence ? 'applied' : 'waits').toBe(what);
  });
});

describe('names of people', () => {
  test.each([
    ['O. Galman', 'Olga Galman'],
    ['A. Halton', 'Halton, Ada'],
    ['J. R. Stone', 'Jon Rem Stone'],
  ])('%s may be %s, and is not as sure as the whole name', (one, other) => {
    expect(peopleLikeness([one], [other])).toBeGreaterThanOrEqual(0.75);
    expect(peopleLikeness([one], [other])).toBeLessThan(0.9);
  });

  test('with other initials or surnames are others; an article of a band may be missing', () => {
    expect(peopleLikeness(['O. Galman'], ['Ada Galman'])).toBeLessThan(0.85);
    expect(peopleLikeness(['O. Galman'], ['Olga Stone'])).toBeLessThan(0.6);
    expect(peopleLikeness(['The Piers'], ['Piers'])).toBe(1);
  });
});

describe('the choice', () => {
  const shows: readonly Entry[] = [
    { title: 'Harbour', year: 1978 },
    { title: 'Harbour', year: 2010 },
  ];

  test('of two that fit about equally is left to a person', () => {
    expect(choose(rank({ title: 'Harbour' }, shows, (one) => one))?.confidence).toBe(0.5);
    expect(choose(rank({ title: 'Harbour', year: 2010 }, shows, (one) => one))?.entry.year).toBe(
      2010,
    );
  });

  test('is wrong in at most 1 of 200 that are applied, and made for 93 of 100', () => {
    const made = madeCatalogue(100);
    const answers = made.flatMap((entry, at) =>
      noisy(entry, at).map((question) => ({
        entry,
        found: choose(rank(question, made, (one) => one)),
      })),
    );
    const applied = answers.filter(({ found }) => (found?.confidence ?? 0) >= leastConfidence);
    const wrong = applied.filter(({ entry, found }) => found?.entry !== entry);

    expect(wrong.length / applied.length).toBeLessThanOrEqual(0.005);
    expect(applied.length / answers.length).toBeGreaterThanOrEqual(0.93);
  });
});

const nouns = ['Harbour', 'Winter', 'Garden', 'Station', 'Orchard', 'Lantern', 'Mirror', 'Voyage'];
const others = ['Silent', 'Golden', 'Broken', 'Distant', 'Hollow', 'Crimson', 'Paper', 'Northern'];

/** Titles with sequels of another year, and remakes. */
function madeCatalogue(count: number): readonly Entry[] {
  return Array.from({ length: count }, (_, at) => {
    const title = `The ${others[at % 8]} ${nouns[Math.floor(at / 8) % 8]}`;
    const part = Math.floor(at / 64);
    return {
      title: part % 2 === 0 ? title : `${title} ${part + 1}`,
      year: 1950 + ((part * 11 + at) % 70),
    };
  });
}

/** As files are named: without article, with a typing error, in capitals. */
function noisy(
  { title, year }: Entry,
  at: number,
): readonly { title: string; year?: number | undefined }[] {
  const swap = 6 + (at % 4);
  const mistyped = title.slice(0, swap) + title.slice(swap + 1);
  return [
    { title: title.replace('The ', ''), year },
    { title: mistyped, year },
    { title: title.toUpperCase(), year },
  ];
}
