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
import {
  actorsOf,
  crewOf,
  englishOf,
  entity,
  idsOf,
  named,
  pathOf,
  personOf,
  picturesOf,
  ratingOf,
  source,
  type Viewer,
} from './parts.ts';

/** An episode, with its show. */
export interface FoundEpisode {
  readonly id: string;
  readonly confidence: number;
  readonly show: Part;
  readonly episode: Part;
  /** The episode in English, where the language has no text of it. */
  readonly english: Part;
  readonly season: number;
}

/** The identification; `null` without a name of the show. */
export function toEpisode(found: FoundEpisode, viewer: Viewer): Identification | null {
  const { id, confidence, show, episode, english } = found;
  const name = nameOf(show);
  if (name === undefined) return null;
  const still = pathOf(episode['still_path']);
  const rated = certificationOf(show);
  return {
    title: titleOf(episode, english) ?? name,
    metadata: present({
      overview: textOf(episode['overview']) ?? textOf(english['overview']),
      airDate: textOf(episode['air_date']),
      rating: ratingOf(episode),
      certification: rated,
      ids: present({ tmdb: idOf(episode['id']) }),
    }),
    entities: entitiesOf(found, name, viewer),
    ...(still !== undefined && {
      assets: [{ type: 'thumbnail', uri: `${viewer.imageBaseUrl}/original${still}`, source }],
    }),
    confidence,
    match: { id },
  };
}

/** An episode without a title has one such as "Folge 3" in its place. */
function titleOf(episode: Part, english: Part): string | undefined {
  const own = textOf(episode['name']);
  const isPlain = own?.endsWith(` ${String(episode['episode_number'])}`) ?? true;
  return isPlain ? (textOf(english['name']) ?? own) : own;
}

const nameOf = (show: Part): string | undefined =>
  textOf(show['name']) ?? textOf(englishOf(show)['name']) ?? textOf(show['original_name']);

function entitiesOf(
  { id, show, episode, season }: FoundEpisode,
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
    season: [seasonOf(show, { name, season }, viewer)],
    actor: [...actorsOf(cast, images, firstCharacter), ...guests],
    ...crewOf(episode['crew'], images),
    genre: named(show['genres'], 'genre'),
    studio: named(show['networks'], 'studio'),
  };
}

const firstCharacter = ({ roles }: Part): unknown => partsOf(roles)[0]?.['character'];

function showFacts(id: string, show: Part, viewer: Viewer): object {
  const english = englishOf(show);
  const { imdb_id: imdb, tvdb_id: tvdb } = partOf(show['external_ids']);
  const pictures = picturesOf(show, viewer).map(({ type, uri }) => [type, uri] as const);
  return {
    ids: idsOf({ tmdb: id, imdb, tvdb }),
    metadata: present({
      year: yearOf(show['first_air_date']),
      originalTitle: textOf(show['original_name']),
      overview: textOf(show['overview']) ?? textOf(english['overview']),
      tagline: textOf(show['tagline']),
      rating: ratingOf(show),
      assets: Object.fromEntries(pictures),
    }),
  };
}

/** Named as names of files name it, so that both are one season. */
function seasonOf(
  show: Part,
  { name, season }: { readonly name: string; readonly season: number },
  { imageBaseUrl }: Viewer,
): BundleEntity {
  const known = partsOf(show['seasons']).find((one) => numberOf(one['season_number']) === season);
  const poster = pathOf(known?.['poster_path']);
  return entity(season === 0 ? 'Specials' : `Season ${season}`, 'season', {
    ids: idsOf({ tmdb: known?.['id'] }),
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
