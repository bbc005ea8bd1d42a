/** The episodes of a season, which the pages of a show and of an episode share. */
import { call, type Resources } from '../../core/api.ts';

type Item = Resources['Item'];

/** More episodes or tracks than this are not listed at once. */
export const mostItems = 200;

export const episodesKey = (seasonId: string): string => `season:${seasonId}`;
export const episodesTopics = (seasonId: string): readonly string[] => [
  `entity:${seasonId}`,
  'library',
  'playback',
];
/** Reads them. */
export const loadEpisodes = (id: string) => async (): Promise<readonly Item[]> =>
  (await call('get', '/api/entities/{id}/items', { path: { id }, query: { limit: mostItems } }))
    .items as readonly Item[];
