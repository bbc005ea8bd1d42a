/** What TVmaze says of a show and its episodes, as the server keeps it. */
import type { BundleAsset, BundleEntity, Identification } from '../../plugin-api/index.ts';
import type { Ask } from '../catalogue-lookup/ask.ts';
import { firstText, languageIn, regionIn } from '../catalogue-lookup/languages.ts';
import { textsIn } from '../catalogue-lookup/texts.ts';
import { each, type ListedEntry, type Lookup } from '../catalogue-lookup/lookup.ts';
import {
  addressOf,
  idOf,
  numberOf,
  partOf,
  partsOf,
  plainText,
  present,
  textOf,
  textsOf,
  yearOf,
  type Part,
} from '../catalogue-lookup/values.ts';

/** The catalogue, where its pictures are, and the languages of names, best first. */
export interface Catalogue {
  readonly ask: Ask;
  readonly imageBaseUrl: string;
  readonly languages: readonly string[];
  /** Those of the library. */
  readonly textLanguages: readonly string[];
}

const source = 'tvmaze';
const publicImages = /^https?:\/\/static\.tvmaze\.com(?=\/)/;

/** Where TVmaze has a show by an id. */
const lookups: Readonly<Record<string, (id: string) => string>> = {
  tvmaze: (id) => `/shows/${id}`,
  tvdb: (id) => `/lookup/shows?thetvdb=${id}`,
  imdb: (id) => `/lookup/shows?imdb=${id}`,
};

/** The ids by which a show can be asked for. */
function idsIn(ids: Part = {}): Readonly<Record<string, string>> {
  const known = Object.keys(lookups).flatMap((provider) => {
    const id = idOf(partOf(ids[provider])['id']);
    return id !== undefined && /^(?:tt)?\d{1,12}$/.test(id) ? [[provider, id] as const] : [];
  });
  return Object.fromEntries(known);
}

/** Shows of TVmaze, which are asked for by the name of a series. */
export function showLookup(catalogue: Catalogue): Lookup {
  return {
    questionOf: ({ known }) => {
      const title = textOf(known?.metadata['series']);
      return title === undefined
        ? null
        : { title, year: numberOf(known?.metadata['year']), ids: idsIn(known?.showIds) };
    },
    search: each(async ({ title, question }) => {
      for (const [provider, id] of Object.entries(question.ids ?? {})) {
        const show = partOf(await catalogue.ask(lookups[provider]?.(id) ?? ''));
        const known = listed(show, catalogue);
        if (known.length > 0) return known.map((one) => ({ ...one, ids: { [provider]: id } }));
      }
      const found = await catalogue.ask(`/search/shows?q=${encodeURIComponent(title)}`);
      return partsOf(found).flatMap(({ show }) => listed(partOf(show), catalogue));
    }),
    write: each(async ({ id, confidence, file }) => {
      const show = partOf(await catalogue.ask(showPath(id)));
      const episode = episodeOf(show, file.known?.metadata ?? {});
      if (textOf(show['name']) === undefined || episode === undefined) return null;
      return toIdentification({ id, show, episode, confidence }, catalogue);
    }),
  };
}

function listed(show: Part, catalogue: Catalogue): readonly ListedEntry[] {
  const [id, title] = [idOf(show['id']), textOf(show['name'])];
  if (id === undefined || title === undefined) return [];
  const more = present({
    year: yearOf(show['premiered']),
    overview: plainText(show['summary']),
    url: addressOf(show['url']),
    imageUrl: pictureOf(show['image'], catalogue),
  });
  return [{ id, title, ...more }];
}

const embedded = ['episodes', 'cast', 'akas', 'images'].map((name) => `embed[]=${name}`).join('&');
const showPath = (id: string): string => `/shows/${encodeURIComponent(id)}?${embedded}`;

const embeddedIn = (show: Part, name: string): readonly Part[] =>
  partsOf(partOf(show['_embedded'])[name]);

/** The episode by its numbers, or by its day. */
function episodeOf(show: Part, facts: Part): Part | undefined {
  const [season, episode, airDate] = [facts['season'], facts['episode'], facts['airDate']];
  const all = embeddedIn(show, 'episodes');
  if (typeof episode !== 'number') return all.find((one) => one['airdate'] === airDate);
  const wanted = typeof season === 'number' ? season : 1;
  return all.find((one) => one['season'] === wanted && one['number'] === episode);
}

interface Found {
  readonly id: string;
  readonly show: Part;
  readonly episode: Part;
  readonly confidence: number;
}

function toIdentification(found: Found, catalogue: Catalogue): Identification {
  const { id, show, episode, confidence } = found;
  const still = pictureOf(episode['image'], catalogue);
  const metadata = present({
    overview: plainText(episode['summary']),
    airDate: textOf(episode['airdate']),
    rating: numberOf(partOf(episode['rating'])['average']),
    ids: present({ tvmaze: idOf(episode['id']) }),
  });
  return {
    title: textOf(episode['name']) ?? textOf(show['name']) ?? '',
    metadata,
    entities: entitiesOf(found, catalogue),
    ...(still !== undefined && { assets: [{ type: 'thumbnail', uri: still, source }] }),
    confidence,
    match: { id },
  };
}

function entitiesOf(
  { id, show }: Found,
  catalogue: Catalogue,
): NonNullable<Identification['entities']> {
  const entity = (name: string, type: string, more: object = {}): BundleEntity => ({
    name,
    type,
    status: 'complete',
    source,
    ...more,
  });
  const network = textOf(partOf(show['network'])['name'] ?? partOf(show['webChannel'])['name']);
  const actors = embeddedIn(show, 'cast').flatMap(({ person, character }, order) => {
    const one = partOf(person);
    const [name, personId] = [textOf(one['name']), idOf(one['id'])];
    if (name === undefined) return [];
    const metadata = present({
      character: textOf(partOf(character)['name']),
      imageUrl: pictureOf(one['image'], catalogue),
      order,
    });
    return [
      entity(name, 'person', { ...(personId && { ids: { tvmaze: { id: personId } } }), metadata }),
    ];
  });
  return {
    show: [entity(nameOf(show, catalogue) ?? '', 'show', showFacts(id, show, catalogue))],
    actor: actors,
    genre: textsOf(show['genres']).map((name) => entity(name, 'genre')),
    studio: network === undefined ? [] : [entity(network, 'studio')],
  };
}

/** The country whose names are in a language, where its code is another one. */
const countries: Readonly<Record<string, string>> = {
  cs: 'CZ',
  da: 'DK',
  el: 'GR',
  en: 'US',
  et: 'EE',
  he: 'IL',
  ja: 'JP',
  ko: 'KR',
  pt: 'PT',
  sl: 'SI',
  sv: 'SE',
  uk: 'UA',
  zh: 'CN',
};

/** The name in the first language that has one: TVmaze knows names by the countries where they are used. */
function nameOf(show: Part, { languages }: Catalogue): string | undefined {
  return firstText(languages, (tag) => nameIn(tag, show)) ?? textOf(show['name']);
}

function nameIn(tag: string, show: Part): unknown {
  const isEnglish = (textOf(show['language']) ?? 'English') === 'English';
  if (tag === 'en' && isEnglish) return show['name'];
  const country = regionIn(tag) ?? countries[tag] ?? tag.toUpperCase();
  const known = embeddedIn(show, 'akas').find(
    ({ country: one }) => partOf(one)['code'] === country,
  );
  return known?.['name'];
}

function showFacts(id: string, show: Part, catalogue: Catalogue): object {
  const { imdb, thetvdb } = partOf(show['externals']);
  const own = textOf(show['name']);
  const ids = present({ tvmaze: id, imdb: idOf(imdb), tvdb: idOf(thetvdb) });
  return {
    ...textsIn(catalogue.textLanguages, (tag) => ({
      title: nameIn(tag, show),
      overview: languageIn(tag) === 'en' ? plainText(show['summary']) : undefined,
    })),
    ids: Object.fromEntries(Object.entries(ids).map(([key, value]) => [key, { id: value }])),
    metadata: present({
      year: yearOf(show['premiered']),
      originalTitle: own === nameOf(show, catalogue) ? undefined : own,
      overview: plainText(show['summary']),
      rating: numberOf(partOf(show['rating'])['average']),
      tvmazeUrl: addressOf(show['url']),
      assets: picturesOf(show, catalogue),
    }),
  };
}

const kinds: Readonly<Record<string, string>> = {
  poster: 'poster',
  background: 'backdrop',
  banner: 'banner',
  typography: 'logo',
};

/** One picture of each kind; the one that TVmaze calls the main one comes first. */
function picturesOf(show: Part, catalogue: Catalogue): Readonly<Record<string, string>> {
  const pictures = embeddedIn(show, 'images')
    .toSorted((one, other) => Number(other['main'] === true) - Number(one['main'] === true))
    .flatMap(({ type, resolutions }): readonly BundleAsset[] => {
      const kind = kinds[textOf(type) ?? ''];
      const { original } = partOf(resolutions);
      const uri = moved(addressOf(partOf(original)['url']), catalogue);
      return kind === undefined || uri === undefined ? [] : [{ type: kind, uri, source }];
    });
  const poster = pictureOf(show['image'], catalogue);
  const byKind = pictures.toReversed().map(({ type, uri }) => [type, uri] as const);
  return Object.fromEntries([
    ...byKind,
    ...(poster === undefined ? [] : [['poster', poster] as const]),
  ]);
}

const pictureOf = (image: unknown, catalogue: Catalogue): string | undefined =>
  moved(addressOf(partOf(image)['original'] ?? partOf(image)['medium']), catalogue);

/** The address of a picture at the mirror. */
const moved = (url: string | undefined, { imageBaseUrl }: Catalogue): string | undefined =>
  url?.replace(publicImages, imageBaseUrl);
