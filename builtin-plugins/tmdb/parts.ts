/** Parts of what TMDB says, which films and series have in common. */
import type { BundleEntity } from '../../plugin-api/index.ts';
import {
  idOf,
  numberOf,
  partOf,
  partsOf,
  present,
  textOf,
  type Part,
} from '../catalogue-lookup/values.ts';

export const source = 'tmdb';
const mostActors = 40;

/** Where pictures are, and the language that is preferred. */
export interface Viewer {
  readonly imageBaseUrl: string;
  readonly language: string;
}

/** An entity that TMDB knows. */
export const entity = (name: string, type: string, more: object = {}): BundleEntity => ({
  name,
  type,
  status: 'complete',
  source,
  ...more,
});

/** Ids as an entity has them, without those that are missing. */
export const idsOf = (ids: Part): NonNullable<BundleEntity['ids']> =>
  Object.fromEntries(
    Object.entries(ids).flatMap(([provider, value]) => {
      const id = idOf(value);
      return id === undefined ? [] : [[provider, { id }] as const];
    }),
  );

/** The English texts, for those that the language does not have. */
export function englishOf(whole: Part): Part {
  const all = partsOf(partOf(whole['translations'])['translations']);
  return partOf(all.find((one) => one['iso_639_1'] === 'en')?.['data']);
}

/** 0 means that nobody voted. */
export function ratingOf(whole: Part): number | undefined {
  const rating = numberOf(whole['vote_average']);
  return rating === undefined || rating <= 0 ? undefined : Math.round(rating * 10) / 10;
}

/** Entities of the names in a list. */
export const named = (list: unknown, type: string): readonly BundleEntity[] =>
  partsOf(list).flatMap(({ name }) => {
    const text = textOf(name);
    return text === undefined ? [] : [entity(text, type)];
  });

/** A person, with facts of the part in this item. */
export function personOf(person: Part, images: string, facts: Part): readonly BundleEntity[] {
  const [name, id] = [textOf(person['name']), idOf(person['id'])];
  const photo = pathOf(person['profile_path']);
  if (name === undefined) return [];
  const metadata = present({ ...facts, imageUrl: photo && `${images}/w342${photo}` });
  return [entity(name, 'person', { ...(id && { ids: { tmdb: { id } } }), metadata })];
}

/** The cast, in its order. */
export const actorsOf = (
  cast: unknown,
  images: string,
  characterOf: (one: Part) => unknown,
): readonly BundleEntity[] =>
  partsOf(cast)
    .slice(0, mostActors)
    .flatMap((one, order) => personOf(one, images, { character: textOf(characterOf(one)), order }));

const roleOf: Readonly<Record<string, string>> = {
  Director: 'director',
  Screenplay: 'writer',
  Writer: 'writer',
  'Original Music Composer': 'composer',
};

/** Directors, writers and composers. */
export function crewOf(
  crew: unknown,
  images: string,
): Readonly<Record<string, readonly BundleEntity[]>> {
  const roles: Record<string, BundleEntity[]> = {};
  for (const one of partsOf(crew)) {
    const role = roleOf[textOf(one['job']) ?? ''];
    if (role !== undefined) (roles[role] ??= []).push(...personOf(one, images, {}));
  }
  return roles;
}

const kinds = [
  ['poster', 'posters', 'poster_path', 'w780'],
  ['backdrop', 'backdrops', 'backdrop_path', 'w1280'],
  ['logo', 'logos', '', 'w500'],
] as const;

/** One picture of each kind: in the language of the viewer, else without text, else in English. */
export function picturesOf(
  whole: Part,
  { imageBaseUrl, language }: Viewer,
): readonly { readonly type: string; readonly uri: string }[] {
  return kinds.flatMap(([type, list, main, size]) => {
    const all = partsOf(partOf(whole['images'])[list]);
    const wanted = type === 'backdrop' ? [null, undefined] : [language.slice(0, 2), null, 'en'];
    const best = wanted
      .map((one) => all.find((picture) => picture['iso_639_1'] === one))
      .find((one) => one !== undefined);
    const path = pathOf(best?.['file_path']) ?? pathOf(whole[main]);
    return path === undefined ? [] : [{ type, uri: `${imageBaseUrl}/${size}${path}` }];
  });
}

/** The path of a picture. */
export const pathOf = (value: unknown): string | undefined => {
  const text = textOf(value);
  return text !== undefined && /^\/[\w.-]+$/.test(text) ? text : undefined;
};
