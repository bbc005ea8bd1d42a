/** What AniList says of an anime, as the server keeps it. */
import type { BundleEntity, Identification } from '../../plugin-api/index.ts';
import { firstText, languageIn } from '../catalogue-lookup/languages.ts';
import { textsIn } from '../catalogue-lookup/texts.ts';
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
  type Part,
} from '../catalogue-lookup/values.ts';
import { episodeTitle, hasPrequel, type Place } from './parts.ts';

/** How titles and pictures are wanted. */
export interface Viewer {
  /** `english`, `romaji` or `native`: where no language has a title. */
  readonly titles: string;
  /** BCP 47 tags, best first. */
  readonly languages: readonly string[];
  /** Those of the library. */
  readonly textLanguages: readonly string[];
  /** The address of a picture, at a mirror where there is one. */
  readonly pictureOf: (address: unknown) => string | undefined;
}

/** An episode that was found. */
export interface FoundEpisode {
  readonly id: string;
  readonly confidence: number;
  /** The entry that the title means. */
  readonly first: Part;
  readonly place: Place;
  /** As the file is called by now: AniList knows the titles of few episodes. */
  readonly title: string;
}

const source = 'anilist';

/** The title in the first language that it has, else in the wanted form, else in another one. */
export function titleOf(entry: Part, { titles, languages }: Viewer): string | undefined {
  const all = partOf(entry['title']);
  const inLanguages = languages.flatMap((tag) => formIn(tag, entry) ?? []);
  return firstText([...inLanguages, titles, 'english', 'romaji', 'native'], (form) => all[form]);
}

/** Languages of the countries that anime are from. */
const native: Readonly<Record<string, string>> = { JP: 'ja', KR: 'ko', CN: 'zh', TW: 'zh' };

/** AniList has titles in English, in the language of the country, and that one in Latin letters. */
function formIn(tag: string, { countryOfOrigin: country }: Part): string | undefined {
  const language = languageIn(tag);
  if (language === 'en') return 'english';
  if (language !== native[textOf(country) ?? 'JP']) return undefined;
  return tag.includes('-Latn') ? 'romaji' : 'native';
}

export function toIdentification(found: FoundEpisode, viewer: Viewer): Identification {
  const { id, confidence, first, place, title } = found;
  // Of a part in the middle, the number of the season is not known.
  const isWhole = !hasPrequel(first);
  const { season, episode, absolute } = place;
  return {
    title: episodeTitle(place.part, episode) ?? title,
    metadata: present({
      season: isWhole ? season : undefined,
      episode: isWhole ? episode : undefined,
      absoluteEpisode: isWhole && Number.isFinite(absolute) ? absolute : undefined,
      anilistUrl: addressOf(place.part['siteUrl']),
    }),
    entities: entitiesOf(found, isWhole, viewer),
    confidence,
    match: { id },
  };
}

const entity = (name: string, type: string, more: object = {}): BundleEntity => ({
  name,
  type,
  status: 'complete',
  source,
  ...more,
});

function entitiesOf(
  { first, place }: FoundEpisode,
  isWhole: boolean,
  viewer: Viewer,
): NonNullable<Identification['entities']> {
  const show = titleOf(first, viewer) ?? '';
  const season = {
    ...factsOf(place.part, viewer),
    show,
    season: place.season,
    partTitle: titleOf(place.part, viewer),
  };
  const anilist = idOf(place.part['id']);
  return {
    show: [
      entity(show, 'show', {
        ids: idsOf(first),
        metadata: factsOf(first, viewer),
        ...textsIn(viewer.textLanguages, (tag) => ({
          title: partOf(first['title'])[formIn(tag, first) ?? ''],
          overview: languageIn(tag) === 'en' ? plainText(first['description']) : undefined,
        })),
      }),
    ],
    ...(isWhole && {
      season: [
        entity(`Season ${place.season}`, 'season', {
          ...(anilist && { ids: { anilist: { id: anilist } } }),
          metadata: present(season),
        }),
      ],
    }),
    actor: voicesOf(place.part, viewer),
    ...staffOf(place.part, viewer),
    genre: textsOf(first['genres']).map((name) => entity(name, 'genre')),
    studio: partsOf(partOf(first['studios'])['nodes']).flatMap(({ name }) => {
      const text = textOf(name);
      return text === undefined ? [] : [entity(text, 'studio')];
    }),
  };
}

const idsOf = ({ id, idMal }: Part): Readonly<Record<string, { readonly id: string }>> =>
  Object.fromEntries(
    Object.entries({ anilist: idOf(id), mal: idOf(idMal) }).flatMap(([provider, value]) =>
      value === undefined ? [] : [[provider, { id: value }] as const],
    ),
  );

function factsOf(entry: Part, { pictureOf }: Viewer): Part {
  const score = numberOf(entry['averageScore']);
  const cover = partOf(entry['coverImage']);
  const assets = present({
    poster: pictureOf(cover['extraLarge'] ?? cover['large']),
    banner: pictureOf(entry['bannerImage']),
  });
  return present({
    year: numberOf(partOf(entry['startDate'])['year']),
    originalTitle: textOf(partOf(entry['title'])['native']),
    overview: plainText(entry['description']),
    rating: score === undefined ? undefined : score / 10,
    anilistUrl: addressOf(entry['siteUrl']),
    assets,
  });
}

function personOf(person: Part, facts: Part, { pictureOf }: Viewer): readonly BundleEntity[] {
  const [name, id] = [textOf(partOf(person['name'])['full']), idOf(person['id'])];
  if (name === undefined) return [];
  const imageUrl = pictureOf(partOf(person['image'])['large']);
  const ids = id === undefined ? {} : { ids: { anilist: { id } } };
  return [entity(name, 'person', { ...ids, metadata: present({ ...facts, imageUrl }) })];
}

/** The Japanese voices, with their characters. */
const voicesOf = (part: Part, viewer: Viewer): readonly BundleEntity[] =>
  partsOf(partOf(part['characters'])['edges']).flatMap(({ node, voiceActors }, order) => {
    const character = textOf(partOf(partOf(node)['name'])['full']);
    return partsOf(voiceActors)
      .slice(0, 1)
      .flatMap((one) => personOf(one, { character, order }, viewer));
  });

const roleOf: Readonly<Record<string, string>> = {
  Director: 'director',
  'Series Composition': 'writer',
  Script: 'writer',
  Music: 'composer',
};

function staffOf(part: Part, viewer: Viewer): Readonly<Record<string, readonly BundleEntity[]>> {
  const roles: Record<string, BundleEntity[]> = {};
  for (const { role, node } of partsOf(partOf(part['staff'])['edges'])) {
    const own = roleOf[textOf(role) ?? ''];
    if (own !== undefined) (roles[own] ??= []).push(...personOf(partOf(node), {}, viewer));
  }
  return roles;
}
