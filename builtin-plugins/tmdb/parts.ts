/** Parts of what TMDB says, which films and series have in common. */
import type { BundleEntity } from '../../plugin-api/index.ts';
import { firstText, languageIn, regionIn } from '../catalogue-lookup/languages.ts';
import {
  idOf,
  numberOf,
  partOf,
  partsOf,
  present,
  textOf,
  type Part,
} from '../catalogue-lookup/values.ts';
import { textsIn } from '../catalogue-lookup/texts.ts';

export const source = 'tmdb';
const mostActors = 40;

/** Where pictures are, and the languages, best first. */
export interface Viewer {
  readonly imageBaseUrl: string;
  readonly languages: readonly string[];
  /** Those of the library. */
  readonly textLanguages: readonly string[];
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

/** Reads a text of a film or a series in the first language that has it. */
export type Translated = (name: string) => string | undefined;

/** What a film or a series is called, which differs between both at TMDB. */
export interface TitleNames {
  readonly title: string;
  readonly original: string;
}

/**
 * The texts of a film or a series. TMDB answers with the original title where a language has none,
 * and leaves a title out of a translation that is the same as the original one, or that is missing.
 * In Latin letters it is taken for the same.
 */
export function translatedOf(
  whole: Part,
  names: TitleNames,
  languages: readonly string[],
): Translated {
  const { title, original } = names;
  const inLanguage = textReader(whole, names, languages);
  return (name) => {
    const text = firstText(languages, (tag) => inLanguage(tag, name));
    return name === title ? (text ?? textOf(whole[title]) ?? textOf(whole[original])) : text;
  };
}

/** The texts of a film or a series in the languages of the library. */
export function textsOfWhole(
  whole: Part,
  names: TitleNames,
  { languages, textLanguages }: Viewer,
): ReturnType<typeof textsIn> {
  const inLanguage = textReader(whole, names, languages);
  return textsIn(textLanguages, (tag) => ({
    title: inLanguage(tag, names.title),
    overview: inLanguage(tag, 'overview'),
  }));
}

/** Reads a text in one language. The reply itself is in the first of the languages. */
function textReader(
  whole: Part,
  { title, original }: TitleNames,
  [best]: readonly string[],
): (tag: string, name: string) => unknown {
  const all = partsOf(partOf(whole['translations'])['translations']);
  const ownLanguage = textOf(whole['original_language']);
  const dataIn = (tag: string): Part | undefined => {
    const own = all.filter((one) => one['iso_639_1'] === languageIn(tag));
    const inRegion = own.find((one) => one['iso_3166_1'] === regionIn(tag));
    return (inRegion ?? own[0]) && partOf((inRegion ?? own[0])?.['data']);
  };
  const titleIn = (tag: string): unknown => {
    if (languageIn(tag) === ownLanguage) return whole[original];
    const data = dataIn(tag);
    const same = isLatin(textOf(whole[original])) ? whole[original] : undefined;
    return data && (textOf(data[title]) ?? same);
  };
  const textIn = (tag: string, name: string): unknown =>
    (tag === best ? textOf(whole[name]) : undefined) ?? dataIn(tag)?.[name];
  return (tag, name) => (name === title ? titleIn(tag) : textIn(tag, name));
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

/** One picture of each kind: in the best language, else without text, else in another language. */
export function picturesOf(
  whole: Part,
  { imageBaseUrl, languages }: Viewer,
): readonly { readonly type: string; readonly uri: string }[] {
  const [first, ...others] = [...new Set(languages.map(languageIn))];
  return kinds.flatMap(([type, list, main, size]) => {
    const all = partsOf(partOf(whole['images'])[list]);
    const wanted = type === 'backdrop' ? [null, undefined] : [first, null, ...others];
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

const isLatin = (text = ''): boolean => /^[\p{Script=Latin}\P{L}]+$/u.test(text);

/** Whether texts in a language are to be expected; true also where TMDB does not list languages. */
export function hasTextsIn(whole: Part, tag: string): boolean {
  const all = partsOf(partOf(whole['translations'])['translations']);
  return all.length === 0 || all.some((one) => one['iso_639_1'] === languageIn(tag));
}
