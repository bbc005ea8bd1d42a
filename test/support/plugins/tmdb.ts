/** TMDB as its documentation describes it, on the loopback: films and series that are made up. */
import { hasWordOf, startMadeService, type MadeService } from './made-service.ts';

/** A film that it knows. */
export interface MadeFilm {
  readonly id: number;
  readonly title: string;
  readonly year: number;
  readonly imdb?: string;
  /** Its texts in other languages than English. */
  readonly translated?: Readonly<
    Record<string, { readonly title: string; readonly overview: string }>
  >;
}

/** A series that it knows. */
export interface MadeSeries {
  readonly id: number;
  readonly name: string;
  readonly year: number;
  /** Titles of the episodes, by season: the first list is season 1. */
  readonly seasons: readonly (readonly string[])[];
  /** Its names in other languages. */
  readonly names?: Readonly<Record<string, string>>;
}

/** The key that it wants. */
export const madeKey = 'a key of ours';

const page = (results: readonly object[]): object => ({
  page: 1,
  results,
  total_pages: 1,
  total_results: results.length,
});

/** Starts it: the API below `/3`, pictures below `/t/p`. */
export function startTmdb(
  { films = [], series = [] }: { films?: readonly MadeFilm[]; series?: readonly MadeSeries[] },
  picture: Uint8Array,
): Promise<MadeService> {
  return startMadeService({
    picture,
    pictures: '/t/p/',
    notFound: { success: false, status_code: 34, status_message: 'Not found.' },
    answer: ({ path, query }) => {
      if (query.get('api_key') !== madeKey) return 401;
      const [, , kind, name, ...rest] = path.split('/');
      if (kind === 'find') {
        const found = films.filter(({ imdb }) => imdb === name);
        return { movie_results: found.map(briefFilm), tv_results: [], tv_episode_results: [] };
      }
      const wanted = query.get('query') ?? '';
      const year = query.get('year') ?? query.get('first_air_date_year');
      const fits = (one: { readonly year: number }, title: string): boolean =>
        hasWordOf(title, wanted) && (year === null || year === String(one.year));
      if (kind === 'search' && name === 'movie')
        return page(films.filter((one) => fits(one, one.title)).map(briefFilm));
      if (kind === 'search' && name === 'tv')
        return page(series.filter((one) => fits(one, one.name)).map(briefSeries));
      if (kind === 'movie') return wholeFilm(films.find(({ id }) => String(id) === name));
      const show = kind === 'tv' ? series.find(({ id }) => String(id) === name) : undefined;
      return rest[0] === 'season' ? season(show, Number(rest[1])) : wholeSeries(show);
    },
  });
}

const briefFilm = ({ id, title, year }: MadeFilm): object => ({
  id,
  title,
  original_title: title,
  release_date: `${year}-05-06`,
  overview: `All about ${title}.`,
  poster_path: `/poster${id}.png`,
  vote_average: 7.25,
});

const wholeFilm = (film: MadeFilm | undefined): object | undefined =>
  film && {
    ...briefFilm(film),
    genres: [{ id: 18, name: 'Drama' }],
    production_companies: [{ id: 1, name: 'Quay Pictures' }],
    external_ids: { imdb_id: film.imdb ?? null },
    ...(film.translated !== undefined && { original_language: 'en' }),
    translations: translationsOf(film),
    release_dates: { results: [] },
    credits: {
      cast: [{ id: 1000 + film.id, name: `Player ${film.id}`, character: 'Captain' }],
      crew: [{ id: 1, name: 'Ada Reed', job: 'Director' }],
    },
    images: { posters: [], backdrops: [], logos: [] },
  };

/** TMDB lists a translation of its own for the original language, without a title. */
const translationsOf = ({ title, translated }: MadeFilm): object => ({
  translations: [
    ...(translated === undefined
      ? []
      : [{ iso_639_1: 'en', iso_3166_1: 'US', data: { overview: `All about ${title}.` } }]),
    ...Object.entries(translated ?? {}).map(([language, data]) => ({
      iso_639_1: language,
      iso_3166_1: language.toUpperCase(),
      data,
    })),
  ],
});

const briefSeries = ({ id, name, year }: MadeSeries): object => ({
  id,
  name,
  original_name: name,
  first_air_date: `${year}-05-06`,
  overview: `All about ${name}.`,
  poster_path: `/show${id}.png`,
});

const wholeSeries = (show: MadeSeries | undefined): object | undefined =>
  show && {
    ...briefSeries(show),
    genres: [{ id: 18, name: 'Drama' }],
    networks: [{ id: 2, name: 'Channel 9' }],
    external_ids: { imdb_id: `tt${7_000_000 + show.id}`, tvdb_id: 300 + show.id },
    content_ratings: { results: [{ iso_3166_1: 'US', rating: 'TV-14' }] },
    translations: {
      translations: Object.entries(show.names ?? {}).map(([language, name]) => ({
        iso_639_1: language,
        data: { name, overview: `${name}.` },
      })),
    },
    images: { posters: [], backdrops: [], logos: [] },
    aggregate_credits: {
      cast: [{ id: 77, name: 'Bo Lind', roles: [{ character: 'The pilot', episode_count: 9 }] }],
    },
    seasons: show.seasons.map((titles, at) => ({
      id: show.id * 10 + at,
      season_number: at + 1,
      episode_count: titles.length,
      air_date: `${show.year + at}-05-06`,
      name: `Season ${at + 1}`,
      poster_path: `/season${at + 1}.png`,
    })),
  };

function season(show: MadeSeries | undefined, number: number): object | undefined {
  const titles = show?.seasons[number - 1];
  return (
    titles && {
      season_number: number,
      episodes: titles.map((name, at) => ({
        id: number * 100 + at,
        name,
        overview: `${name} happens.`,
        episode_number: at + 1,
        season_number: number,
        air_date: `${(show?.year ?? 0) + number - 1}-05-${String(at + 6).padStart(2, '0')}`,
        still_path: `/still${number}x${at + 1}.png`,
        guest_stars: [],
        crew: [{ id: 1, name: 'Ada Reed', job: 'Director' }],
      })),
    }
  );
}
