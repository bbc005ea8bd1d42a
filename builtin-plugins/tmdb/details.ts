/** What TMDB says of a film, as the server keeps it. */
import type { Identification } from '../../plugin-api/index.ts';
import {
  idOf,
  partOf,
  partsOf,
  present,
  textOf,
  yearOf,
  type Part,
} from '../catalogue-lookup/values.ts';
import {
  actorsOf,
  crewOf,
  named,
  picturesOf,
  ratingOf,
  source,
  textsOfWhole,
  translatedOf,
  type Viewer,
} from './parts.ts';

const titles = { title: 'title', original: 'original_title' };

/** A film with all that was appended to it. */
export interface FoundFilm {
  readonly id: string;
  readonly film: Part;
  readonly confidence: number;
}

/** The identification; `null` without a title. */
export function toIdentification(
  { id, film, confidence }: FoundFilm,
  viewer: Viewer,
): Identification | null {
  const textFor = translatedOf(film, titles, viewer.languages);
  const title = textFor('title');
  if (title === undefined) return null;
  const credits = partOf(film['credits']);
  const images = viewer.imageBaseUrl;
  return {
    title,
    metadata: present({
      originalTitle: textOf(film['original_title']),
      year: yearOf(film['release_date']),
      overview: textFor('overview'),
      tagline: textFor('tagline'),
      rating: ratingOf(film),
      certification: certificationOf(film),
      tmdbUrl: `https://www.themoviedb.org/movie/${id}`,
      ids: present({ tmdb: id, imdb: idOf(partOf(film['external_ids'])['imdb_id']) }),
    }),
    entities: {
      actor: actorsOf(credits['cast'], images, ({ character }) => character),
      ...crewOf(credits['crew'], images),
      genre: named(film['genres'], 'genre'),
      studio: named(film['production_companies'], 'studio'),
    },
    assets: picturesOf(film, viewer).map((one) => ({ ...one, source })),
    confidence,
    match: { id },
    ...textsOfWhole(film, titles, viewer),
  };
}

function certificationOf(film: Part): string | undefined {
  const countries = partsOf(partOf(film['release_dates'])['results']);
  const american = countries.find((one) => one['iso_3166_1'] === 'US');
  const releases = partsOf(american?.['release_dates']);
  const rated = releases.map((one) => textOf(one['certification'])).find(Boolean);
  return rated === undefined ? undefined : `US:${rated}`;
}
