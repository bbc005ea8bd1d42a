/** What Wikidata says of a film, as the server keeps it. */
import type { BundleAsset, BundleEntity, Identification } from '../../plugin-api/index.ts';
import { textsIn } from '../catalogue-lookup/texts.ts';
import { partOf, present, textOf, type Part } from '../catalogue-lookup/values.ts';
import { itemsOf, labelIn, labelOf, plainOf, valuesOf, yearIn } from './entities.ts';
import type { Known } from './names.ts';
import type { Summaries } from './wikipedia.ts';

const source = 'wikidata';

/** Properties that name people, with their roles and how many of them count. */
const roles = [
  ['actor', 'P161', 8],
  ['director', 'P57', 3],
  ['writer', 'P58', 3],
  ['composer', 'P86', 2],
] as const;

/** Other properties that name items. */
const others = [
  ['genre', 'P136', 5],
  ['studio', 'P272', 3],
] as const;

/** Ids of other catalogues. */
const foreign = [
  ['imdb', 'P345', /^tt\d+$/],
  ['tmdb', 'P4947', /^\d+$/],
] as const;

/** The items that films name, whose names are needed. */
export const namedItems = (films: readonly Part[]): readonly string[] =>
  films.flatMap((film) =>
    [...roles, ...others].flatMap(([, property, most]) => itemsOf(film, property).slice(0, most)),
  );

/** A film that was found. */
export interface FoundFilm {
  readonly id: string;
  readonly confidence: number;
  readonly film: Part | undefined;
}

/** What else is known by now. */
export interface Texts extends Known {
  readonly summaries: Summaries;
  readonly imageBaseUrl: string;
  readonly languages: readonly string[];
  readonly textLanguages: readonly string[];
}

/** The identification; `null` without a title. */
export function toIdentification(
  { id, confidence, film }: FoundFilm,
  texts: Texts,
): Identification | null {
  const title = labelOf(film, texts.languages);
  if (film === undefined || title === undefined) return null;
  const summary = texts.summaries.best(id);
  const ids = Object.fromEntries(
    foreign.flatMap(([provider, property, form]) => {
      const value = plainOf(film, property);
      return value !== undefined && form.test(value) ? [[provider, value] as const] : [];
    }),
  );
  return {
    title,
    metadata: present({
      originalTitle: textOf(partOf(valuesOf(film, 'P1476')[0])['text']),
      year: yearIn(film, 'P577'),
      overview: summary?.text,
      wikipediaUrl: summary?.url,
      ids: { wikidata: id, ...ids },
    }),
    entities: entitiesOf(film, texts),
    assets: assetsOf(film, texts),
    confidence,
    match: { id },
    ...textsIn(texts.textLanguages, (tag) => ({
      title: labelIn(film, tag),
      overview: texts.summaries.inLanguage(id, tag)?.text,
    })),
  };
}

function entitiesOf(film: Part, texts: Texts): NonNullable<Identification['entities']> {
  const all = [
    ...roles.map((one) => [...one, 'person'] as const),
    ...others.map((one) => [...one, one[0]] as const),
  ];
  return Object.fromEntries(
    all.map(([role, property, most, type]) => [
      role,
      itemsOf(film, property)
        .slice(0, most)
        .flatMap((id, order) => named(id, { type, order }, texts)),
    ]),
  );
}

function named(
  id: string,
  { type, order }: { readonly type: string; readonly order: number },
  { names, photos, imageBaseUrl }: Texts,
): readonly BundleEntity[] {
  const name = names.get(id);
  if (name === undefined) return [];
  const photo = photos.get(id);
  const metadata =
    type === 'person'
      ? present({
          order,
          imageUrl: photo && fileAddress(imageBaseUrl, photo, 320),
        })
      : {};
  return [
    {
      name,
      type,
      status: 'complete',
      source,
      ids: { wikidata: { id } },
      metadata,
    },
  ];
}

/** P3383 is a poster, P18 a picture of another kind: often a scene or the place. */
const kinds = [
  ['poster', 'P3383', 780],
  ['backdrop', 'P18', 1280],
  ['logo', 'P154', 500],
] as const;

const assetsOf = (film: Part, { imageBaseUrl }: Texts): readonly BundleAsset[] =>
  kinds.flatMap(([type, property, width]) => {
    const name = plainOf(film, property);
    if (name === undefined) return [];
    return [{ type, uri: fileAddress(imageBaseUrl, name, width), source }];
  });

/** The address of a file of Commons, made smaller there. */
const fileAddress = (base: string, name: string, width: number): string =>
  `${base}/${encodeURIComponent(name.replaceAll(' ', '_'))}?width=${width}`;
