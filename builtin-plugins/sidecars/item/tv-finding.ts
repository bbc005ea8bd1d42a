import type { BundleAsset, BundleEntity } from '../../../plugin-api/index.ts';
import type { Finding } from '../findings/finding.ts';
import type { Described } from '../nfo/described.ts';
import { readNfo, rootOf } from '../nfo/nfo-document.ts';
import {
  episodeOf,
  readSeason,
  readShow,
  seasonEntity,
  seasonNameIn,
  seasonPicturesIn,
  showEntity,
  type Show,
} from '../nfo/show-nfo.ts';

/** A text and its folder. */
export interface Source {
  readonly text: string;
  readonly path: string;
}

/** The texts in the folders above an episode. */
export interface TvSources {
  readonly show: Source | undefined;
  readonly season: Source | undefined;
  readonly showPictures: readonly BundleAsset[];
  readonly seasonPictures: readonly BundleAsset[];
}

/** What is already known of the episode, from the best source. */
export interface KnownEpisode {
  readonly series: string | undefined;
  readonly season: number | undefined;
}

/** What the show and the season say of their episode, and of themselves. */
export function tvFindings(sources: TvSources, known: KnownEpisode): Finding[] {
  const document = sources.show && readNfo(sources.show.text, sources.show.path);
  const element = document && rootOf(document, 'tvshow');
  const show = element && readShow(element);
  const described = describeShow(sources, show, document?.ids);
  const season = describeSeason(sources, show, known.season);
  const name = show?.name ?? known.series;
  return [
    { assets: season?.described.pictures ?? [] },
    { entities: entitiesOf(name, described, season), assets: described?.pictures ?? [] },
    show === undefined ? {} : episodeOf(show),
  ];
}

function describeShow(
  { showPictures }: TvSources,
  show: Show | undefined,
  addressIds: Described['ids'] = {},
): Described | null {
  const ids = { ...addressIds, ...show?.ids };
  if (!show && showPictures.length === 0 && Object.keys(ids).length === 0) return null;
  return {
    name: show?.name ?? null,
    isComplete: show !== undefined,
    ids,
    metadata: show?.metadata ?? {},
    pictures: [...showPictures, ...(show?.pictures ?? [])],
  };
}

interface SeasonOfEpisode {
  readonly number: number;
  readonly described: Described;
}

function describeSeason(
  sources: TvSources,
  show: Show | undefined,
  known: number | undefined,
): SeasonOfEpisode | null {
  const { season: source, seasonPictures } = sources;
  const element = source && rootOf(readNfo(source.text, source.path), 'season');
  const season = element && readSeason(element);
  const number = known ?? season?.number;
  if (number === undefined) return null;
  const named = show && seasonNameIn(show, number);
  const pictures = [
    ...seasonPictures,
    ...(season?.pictures ?? []),
    ...(show === undefined ? [] : seasonPicturesIn(show, number)),
  ];
  if (!season && named === undefined && pictures.length === 0) return null;
  return {
    number,
    described: {
      name: season?.name ?? named ?? null,
      isComplete: season !== undefined,
      ids: season?.ids ?? {},
      metadata: season?.metadata ?? {},
      pictures,
    },
  };
}

function entitiesOf(
  name: string | undefined,
  show: Described | null,
  season: SeasonOfEpisode | null,
): Record<string, readonly BundleEntity[]> {
  if (name === undefined) return {};
  return {
    ...(show && { show: [showEntity(name, show)] }),
    ...(season && { season: [seasonEntity(name, season.number, season.described)] }),
  };
}
