import type { BundleEntity } from '../../../plugin-api/index.ts';
import { pendingEntity } from './pending-entity.ts';

/** What names say of a show. */
interface NamedShow {
  readonly series: string;
  readonly year: number | undefined;
  readonly ids?: BundleEntity['ids'];
}

/** A show and one of its seasons, by their roles. */
export function showEntities(
  { series, year, ids }: NamedShow,
  season: number | undefined,
): Readonly<Record<string, readonly BundleEntity[]>> {
  const named = pendingEntity('show', series, { year });
  const show = ids === undefined ? named : { ...named, ids };
  if (season === undefined) return { show: [show] };
  const name = season === 0 ? 'Specials' : `Season ${String(season)}`;
  return { show: [show], season: [pendingEntity('season', name, { show: series, season })] };
}

/** Ids from a name as entities have them; undefined when there are none. */
export function entityIds(ids: Readonly<Record<string, string>>): BundleEntity['ids'] {
  const known = Object.entries(ids).map(([provider, id]) => [provider, { id }] as const);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

const pad = (value: number): string => (value < 10 ? `0${String(value)}` : String(value));

/** `Harbour S01E02`: the title of an episode without one; undefined without a series. */
export function episodeTitleOf(metadata: Readonly<Record<string, unknown>>): string | undefined {
  const { series } = metadata;
  if (typeof series !== 'string') return undefined;
  return [series, episodeLabel(metadata)].filter(Boolean).join(' ');
}

/** `S01E02`, `E02`, `2014-10-31`, `S01`: the shortest name of an episode within its series. */
export function episodeLabel(metadata: Readonly<Record<string, unknown>>): string {
  const { season, episode, absoluteEpisode, airDate } = metadata;
  const seasonLabel = typeof season === 'number' ? `S${pad(season)}` : '';
  if (typeof episode === 'number') return `${seasonLabel}E${pad(episode)}`;
  if (typeof absoluteEpisode === 'number') return `E${pad(absoluteEpisode)}`;
  return typeof airDate === 'string' ? airDate : seasonLabel;
}
