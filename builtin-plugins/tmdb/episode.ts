/** What TMDB says of an episode and its show, as the server keeps it. */
import type { BundleEntity, Identification } from '../../plugin-api/index.ts';
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
import { languageIn } from '../catalogue-lookup/languages.ts';
import { textsIn } from '../catalogue-lookup/texts.ts';
import {
  actorsOf,
  crewOf,
  entity,
  idsOf,
  named,
  pathOf,
  personOf,
  picturesOf,
  ratingOf,
  source,
  textsOfWhole,
  translatedOf,
  type Viewer,
} from './parts.ts';

const titles = { title: 'name', original: 'original_name' };

/** An episode, with its show. */
export interface FoundEpisode {
  readonly id: string;
  readonly confidence: number;
  readonly show: Part;
  /** The episode, in the best language that is known of it. */
  readonly episode: Part;
  /** The episode by the languages that were looked at, best first. */
  readonly translations: ReadonlyMap<string, Part>;
  readonly season: number;
  /** Its season by the languages that were looked at. */
  readonly seasons: ReadonlyMap<string, Part>;
}

/** The identification; `null` without a name of the show. */
export function toEpisode(found: FoundEpisode, viewer: Viewer): Identification | null {
  const { id, confidence, show, episode } = found;
  const translations = [...found.translations.values()];
  const name = translatedOf(show, titles, viewer.languages)('name');
  if (name === undefined) return null;
  const still = pathOf(episode['still_path']);
  const rated = certificationOf(show);
  return {
    title: titleOf(translations) ?? name,
    metadata: present({
      overview: translations.map((one) => textOf(one['overview'])).find(Boolean),
      airDate: textOf(episode['air_date']),
      rating: ratingOf(episode),
      certification: rated,
      tmdbUrl: pageOf(id),
      ids: present({ tmdb: idOf(episode['id']) }),
    }),
    entities: entitiesOf(found, name, viewer),
    ...(still !== undefined && {
      assets: [{ type: 'thumbnail', uri: `${viewer.imageBaseUrl}/original${still}`, source }],
    }),
    confidence,
    match: { id },
    ...textsIn(viewer.textLanguages, (tag) => {
      const own = found.translations.get(languageIn(tag)) ?? {};
      return { title: isPlain(own) ? undefined : own['name'], overview: own['overview'] };
    }),
  };
}

/** An episode without a title has one such as "Folge 3" in its place. */
function titleOf(translations: readonly Part[]): string | undefined {
  const own = translations.find((one) => textOf(one['name']) !== undefined && !isPlain(one));
  return textOf((own ?? translations[0])?.['name']);
}

/** Whether the name of an episode is only its number. */
export const isPlain = ({ name, episode_number: number }: Part): boolean =>
  textOf(name)?.endsWith(` ${String(number)}`) ?? true;

function entitiesOf(
  { id, show, episode, season, seasons }: FoundEpisode,
  name: string,
  viewer: Viewer,
): NonNullable<Identification['entities']> {
  const images = viewer.imageBaseUrl;
  const cast = partOf(show['aggregate_credits'])['cast'];
  const guests = partsOf(episode['guest_stars'])
    .slice(0, 20)
    .flatMap((one) =>
      personOf(one, images, { character: textOf(one['character']), isGuest: true }),
    );
  return {
    show: [entity(name, 'show', showFacts(id, show, viewer))],
    season: [seasonOf(show, { name, season, seasons }, viewer)],
    actor: [...actorsOf(cast, images, firstCharacter), ...guests],
    ...crewOf(episode['crew'], images),
    genre: named(show['genres'], 'genre'),
    studio: named(show['networks'], 'studio'),
  };
}

/** The page of a show at TMDB. */
const pageOf = (id: string): string => `https://www.themoviedb.org/tv/${id}`;

const firstCharacter = ({ roles }: Part): unknown => partsOf(roles)[0]?.['character'];

function showFacts(id: string, show: Part, viewer: Viewer): object {
  const textFor = translatedOf(show, titles, viewer.languages);
  const { imdb_id: imdb, tvdb_id: tvdb } = partOf(show['external_ids']);
  const pictures = picturesOf(show, viewer).map(({ type, uri }) => [type, uri] as const);
  return {
    ...textsOfWhole(show, titles, viewer),
    ids: idsOf({ tmdb: id, imdb, tvdb }),
    metadata: present({
      year: yearOf(show['first_air_date']),
      originalTitle: textOf(show['original_name']),
      overview: textFor('overview'),
      tagline: textFor('tagline'),
      rating: ratingOf(show),
      tmdbUrl: pageOf(id),
      assets: Object.fromEntries(pictures),
    }),
  };
}

/** Named as names of files name it, so that both are one season. */
function seasonOf(
  show: Part,
  { name, season, seasons }: Pick<FoundEpisode, 'season' | 'seasons'> & { readonly name: string },
  { imageBaseUrl, textLanguages }: Viewer,
): BundleEntity {
  const known = partsOf(show['seasons']).find((one) => numberOf(one['season_number']) === season);
  const poster = pathOf(known?.['poster_path']);
  return entity(season === 0 ? 'Specials' : `Season ${season}`, 'season', {
    ids: idsOf({ tmdb: known?.['id'] }),
    ...textsIn(textLanguages, (tag) => {
      const own = seasons.get(languageIn(tag)) ?? {};
      return { title: own['name'], overview: own['overview'] };
    }),
    metadata: present({
      show: name,
      season,
      year: yearOf(known?.['air_date']),
      overview: textOf(known?.['overview']),
      assets: poster === undefined ? undefined : { poster: `${imageBaseUrl}/w780${poster}` },
    }),
  });
}

function certificationOf(show: Part): string | undefined {
  const countries = partsOf(partOf(show['content_ratings'])['results']);
  const rating = textOf(countries.find((one) => one['iso_3166_1'] === 'US')?.['rating']);
  return rating === undefined ? undefined : `US:${rating}`;
}
