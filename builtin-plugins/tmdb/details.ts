/** What TMDB says of a film, as the server keeps it. */
import type { BundleAsset, BundleEntity, Identification } from '../../plugin-api/index.ts';
import {
  idOf,
  numberOf,
  partOf,
  partsOf,
  present,
  textOf,
  yearOf,
  type Part,
} from '../catalogue-lookup/values.ts';

/** A film with all that was appended to it. */
export interface FoundFilm {
  readonly id: string;
  readonly film: Part;
  readonly confidence: number;
}

const source = 'tmdb';
const mostActors = 40;

/** The identification; `null` without a title. */
export function toIdentification(
  { id, film, confidence }: FoundFilm,
  { imageBaseUrl, language }: { readonly imageBaseUrl: string; readonly language: string },
): Identification | null {
  const english = englishOf(film);
  const title = textOf(film['title']) ?? textOf(english['title']);
  if (title === undefined) return null;
  return {
    title,
    metadata: present({
      originalTitle: textOf(film['original_title']),
      year: yearOf(film['release_date']),
      overview: textOf(film['overview']) ?? textOf(english['overview']),
      tagline: textOf(film['tagline']) ?? textOf(english['tagline']),
      rating: ratingOf(film),
      certification: certificationOf(film),
      ids: present({ tmdb: id, imdb: idOf(partOf(film['external_ids'])['imdb_id']) }),
    }),
    entities: entitiesOf(film, imageBaseUrl),
    assets: assetsOf(film, { imageBaseUrl, language }),
    confidence,
    match: { id },
  };
}

function englishOf(film: Part): Part {
  const all = partsOf(partOf(film['translations'])['translations']);
  return partOf(all.find((one) => one['iso_639_1'] === 'en')?.['data']);
}

/** 0 means that nobody voted. */
function ratingOf(film: Part): number | undefined {
  const rating = numberOf(film['vote_average']);
  return rating === undefined || rating <= 0 ? undefined : Math.round(rating * 10) / 10;
}

function certificationOf(film: Part): string | undefined {
  const countries = partsOf(partOf(film['release_dates'])['results']);
  const american = countries.find((one) => one['iso_3166_1'] === 'US');
  const releases = partsOf(american?.['release_dates']);
  const rated = releases.map((one) => textOf(one['certification'])).find(Boolean);
  return rated === undefined ? undefined : `US:${rated}`;
}

const entity = (name: string, type: string, more: object = {}): BundleEntity => ({
  name,
  type,
  status: 'complete',
  source,
  ...more,
});

const roleOf: Readonly<Record<string, string>> = {
  Director: 'director',
  Screenplay: 'writer',
  Writer: 'writer',
  'Original Music Composer': 'composer',
};

function entitiesOf(film: Part, images: string): NonNullable<Identification['entities']> {
  const credits = partOf(film['credits']);
  const actors = partsOf(credits['cast'])
    .slice(0, mostActors)
    .flatMap((one, order) => personOf(one, images, { character: textOf(one['character']), order }));
  const roles: Record<string, BundleEntity[]> = { actor: actors };
  for (const one of partsOf(credits['crew'])) {
    const role = roleOf[textOf(one['job']) ?? ''];
    if (role !== undefined) (roles[role] ??= []).push(...personOf(one, images, {}));
  }
  const named = (list: unknown, type: string): BundleEntity[] =>
    partsOf(list).flatMap(({ name }) => {
      const text = textOf(name);
      return text === undefined ? [] : [entity(text, type)];
    });
  return {
    ...roles,
    genre: named(film['genres'], 'genre'),
    studio: named(film['production_companies'], 'studio'),
  };
}

function personOf(person: Part, images: string, facts: Part): BundleEntity[] {
  const [name, id] = [textOf(person['name']), idOf(person['id'])];
  const photo = pathOf(person['profile_path']);
  if (name === undefined) return [];
  const metadata = present({ ...facts, imageUrl: photo && `${images}/w342${photo}` });
  return [entity(name, 'person', { ...(id && { ids: { tmdb: { id } } }), metadata })];
}

const kinds = [
  ['poster', 'posters', 'poster_path', 'w780'],
  ['backdrop', 'backdrops', 'backdrop_path', 'w1280'],
  ['logo', 'logos', '', 'w500'],
] as const;

/** One picture of each kind: in the language of the viewer, else without text, else in English. */
function assetsOf(
  film: Part,
  { imageBaseUrl, language }: { readonly imageBaseUrl: string; readonly language: string },
): readonly BundleAsset[] {
  return kinds.flatMap(([type, list, main, size]) => {
    const all = partsOf(partOf(film['images'])[list]);
    const wanted = type === 'backdrop' ? [null, undefined] : [language.slice(0, 2), null, 'en'];
    const best = wanted
      .map((one) => all.find((picture) => picture['iso_639_1'] === one))
      .find((one) => one !== undefined);
    const path = pathOf(best?.['file_path']) ?? pathOf(film[main]);
    return path === undefined ? [] : [{ type, uri: `${imageBaseUrl}/${size}${path}`, source }];
  });
}

const pathOf = (value: unknown): string | undefined => {
  const text = textOf(value);
  return text !== undefined && /^\/[\w.-]+$/.test(text) ? text : undefined;
};
