/** Items that look like those of a real library, the same in every run. */
import type { NewFakeItem } from './fake-item.ts';

/** How many there are of each kind; a few when absent. */
export interface FakeLibraryPlan {
  /** 6 when absent. */
  readonly movies?: number;
  /** Of one series; 4 when absent. */
  readonly episodes?: number;
  /** Of one album; 3 when absent. */
  readonly tracks?: number;
  /** 2 when absent. */
  readonly books?: number;
  /** 2 when absent. */
  readonly photos?: number;
  /** Beside them, or alone where the counts are 0. */
  readonly items?: readonly NewFakeItem[];
}

const adjectives = ['Silent', 'Northern', 'Paper', 'Second', 'Hollow', 'Golden', 'Late', 'Distant'];
const nouns = ['Harbour', 'Winter', 'Orchard', 'Signal', 'Kingdom', 'Letter', 'River', 'Garden'];
const people = ['Ada Brandt', 'Jun Okafor', 'Mira Lindqvist', 'Tomás Reyes', 'Noor Haddad'];
const genres = ['Drama', 'Comedy', 'Thriller', 'Documentary'];

const pick = (list: readonly string[], at: number): string => list[at % list.length] ?? '';

function titleOf(at: number): string {
  const round = Math.floor(at / (adjectives.length * nouns.length));
  const title = `${pick(adjectives, at)} ${pick(nouns, at * 3 + Math.floor(at / adjectives.length))}`;
  return round === 0 ? title : `${title} ${round + 1}`;
}

const many = <Item>(count: number, make: (at: number) => Item): readonly Item[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** All items of a plan. */
export function madeItems(plan: FakeLibraryPlan): readonly NewFakeItem[] {
  return [
    ...many(plan.movies ?? 6, movie),
    ...many(plan.episodes ?? 4, episode),
    ...many(plan.tracks ?? 3, track),
    ...many(plan.books ?? 2, book),
    ...many(plan.photos ?? 2, photo),
    ...(plan.items ?? []),
  ];
}

function movie(at: number): NewFakeItem {
  const title = titleOf(at);
  const year = 1960 + ((at * 7) % 60);
  const name = `${title} (${year})`;
  const nfo = `<movie><title>${title}</title><year>${year}</year></movie>\n`;
  return {
    title,
    libraryType: 'movies',
    metadata: { year, genres: [pick(genres, at)], resolution: at % 3 === 0 ? '2160p' : '1080p' },
    entities: [
      { type: 'person', name: pick(people, at), role: 'director' },
      { type: 'genre', name: pick(genres, at), role: 'genre' },
    ],
    files: [
      { path: `${name}/${name} [${at % 3 === 0 ? '2160p HDR' : '1080p'}].mkv`, size: 4e9 + at },
      { path: `${name}/${name}.nfo`, content: nfo },
      { path: `${name}/${name}.en.srt`, content: '1\n00:00:01,000 --> 00:00:02,000\nHello.\n' },
    ],
  };
}

function episode(at: number): NewFakeItem {
  const series = 'The Lighthouse Keepers';
  const [season, number] = [Math.floor(at / 10) + 1, (at % 10) + 1];
  const code = `S${String(season).padStart(2, '0')}E${String(number).padStart(2, '0')}`;
  return {
    title: titleOf(at + 20),
    libraryType: 'tv',
    metadata: { series, season, episode: number },
    entities: [{ type: 'series', name: series, role: 'series' }],
    files: [{ path: `${series}/Season ${season}/${series} ${code}.mkv`, size: 1.2e9 + at }],
  };
}

function track(at: number): NewFakeItem {
  const [artist, album, title] = ['Mira Lindqvist', 'Tide Tables', titleOf(at + 40)];
  const name = `${String(at + 1).padStart(2, '0')} ${title}.flac`;
  return {
    title,
    libraryType: 'music',
    metadata: { artist, album, track: at + 1, year: 2014 },
    entities: [
      { type: 'artist', name: artist, role: 'artist' },
      { type: 'album', name: album, role: 'album' },
    ],
    files: [{ path: `${artist}/${album}/${name}`, size: 3e7 + at }],
  };
}

function book(at: number): NewFakeItem {
  const [author, title] = [pick(people, at + 1), titleOf(at + 50)];
  return {
    title,
    libraryType: 'books',
    metadata: { author, year: 1990 + at },
    entities: [{ type: 'person', name: author, role: 'author' }],
    files: [{ path: `${author}/${title}.epub`, size: 900_000 + at }],
  };
}

function photo(at: number): NewFakeItem {
  const title = `IMG_${String(4711 + at)}`;
  return {
    title,
    libraryType: 'photos',
    files: [{ path: `2024/Harbour walk/${title}.jpg`, size: 2_400_000 + at }],
  };
}
