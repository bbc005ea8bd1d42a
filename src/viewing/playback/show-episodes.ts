/**
 * The episodes of shows with the states of a profile. What an episode says of its place is read and
 * parsed once: a library number that is still the same means that no item changed since.
 */
import { LRUCache } from 'lru-cache';
import type { Database } from '../../../kernel/store/index.ts';
import type { WatchedEpisode } from './next-episode.ts';
import { readEpisodes, readLibraryNumber, readStates } from './playback-store.ts';

/** The episodes of each of these shows, by the number of the show. */
export type ShowEpisodes = (
  profileId: string,
  showNumbers: readonly number[],
) => Promise<ReadonlyMap<number, readonly WatchedEpisode[]>>;

type Episode = Pick<WatchedEpisode, 'itemId' | 'metadata'>;

/** So many episodes are kept. */
const mostEpisodes = 100_000;

export function createShowEpisodes({ read: db }: Pick<Database, 'read'>): ShowEpisodes {
  let keptAt = -1;
  const kept = new LRUCache<number, readonly Episode[]>({ maxSize: mostEpisodes });

  async function episodesOf(
    showNumbers: readonly number[],
  ): Promise<ReadonlyMap<number, readonly Episode[]>> {
    const number = await readLibraryNumber(db);
    if (number !== keptAt) kept.clear();
    keptAt = number;
    const found = new Map(showNumbers.map((no) => [no, kept.get(no)] as const));
    const missing = showNumbers.filter((no) => found.get(no) === undefined);
    const rows = missing.length === 0 ? [] : await readEpisodes(db, missing);
    const byShow = Map.groupBy(rows, (row) => row.entity_no);
    for (const no of missing) {
      const episodes = (byShow.get(no) ?? []).map(({ item_id: itemId, metadata }) => ({
        itemId,
        metadata: placeIn(metadata),
      }));
      if (keptAt === number) kept.set(no, episodes, { size: episodes.length + 1 });
      found.set(no, episodes);
    }
    return new Map([...found].map(([no, episodes = []]) => [no, episodes]));
  }

  return async (profileId, showNumbers) => {
    const shows = await episodesOf(showNumbers);
    const ids = [...shows.values()].flatMap((one) => one.map(({ itemId }) => itemId));
    const states = ids.length === 0 ? [] : await readStates(db, profileId, ids);
    const byItem = new Map(states.map((state) => [state.item_id, state]));
    const watched = (episode: Episode): WatchedEpisode => {
      const state = byItem.get(episode.itemId);
      return {
        ...episode,
        isCompleted: Boolean(state?.completed),
        isStarted: Boolean(state?.started),
        watchedAt: state === undefined ? null : Number(state.updated_at),
      };
    };
    return new Map([...shows].map(([no, episodes]) => [no, episodes.map(watched)]));
  };
}

/** The keys that decide the place of an episode. */
function placeIn(text: string): Episode['metadata'] {
  const { season, episode, episodes, absoluteEpisode, airDate } = JSON.parse(text) as Record<
    string,
    unknown
  >;
  return { season, episode, episodes, absoluteEpisode, airDate };
}
