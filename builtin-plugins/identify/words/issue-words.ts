/** What a number in the name of a comic counts. */
export type Numbered = 'volume' | 'chapter' | 'issue';

const lists: readonly (readonly [Numbered, string])[] = [
  [
    'volume',
    'v vol vols volume volumes book tome tomes tomo tomos t band bd bind tom тома том книга cilt deel #vol s season เล่ม เล่มที่ 시즌 시즌제 volumen',
  ],
  [
    'chapter',
    'c ch chs chap chaps chapter chapters chapitre chapitres chp kapitel kap capitulo capítulo cap capitolo главы глава rozdział hoofdstuk episode episodes ep บทที่ ตอนที่ ตอน bölüm bab',
  ],
  ['issue', 'issue issues no nr núm num numero número numéro № nº n° heft ausgabe выпуск nummer'],
];

/** Words before a number. */
export const issueWords: ReadonlyMap<string, Numbered> = new Map(
  lists.flatMap(([kind, list]) => list.split(' ').map((word) => [word, kind] as const)),
);

/** Words that may stand behind their number: `3 Том`. */
export const countedWords: ReadonlySet<string> = new Set(
  'том тома глава главы выпуск cilt bölüm'.split(' '),
);

/** Words for a piece of a series outside of its numbers. */
export const specialWords: ReadonlySet<string> = new Set(
  'special specials omake oneshot extra extras sp bonus prologue epilogue artbook gaiden'.split(
    ' ',
  ),
);
