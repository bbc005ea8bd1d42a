import { describe, expect, test } from 'vitest';
import { nextEpisodes, type WatchedEpisode } from './next-episode.ts';

const unseen = (metadata: object): WatchedEpisode => ({
  itemId: JSON.stringify(metadata),
  metadata: { ...metadata },
  isCompleted: false,
  isStarted: false,
  watchedAt: null,
});
const seen = (metadata: object, watchedAt: number): WatchedEpisode => ({
  ...unseen(metadata),
  isCompleted: true,
  watchedAt,
});
const begun = (metadata: object, watchedAt: number): WatchedEpisode => ({
  ...unseen(metadata),
  isStarted: true,
  watchedAt,
});
const episode = (season: number, number: number) => ({ season, episode: number });

const next = (...episodes: readonly WatchedEpisode[]) =>
  nextEpisodes(episodes).map(({ metadata }) => metadata);

describe('the next episode of a show', () => {
  test('does not exist while no episode was finished', () => {
    expect(next(unseen(episode(1, 1)), begun(episode(1, 2), 5))).toEqual([]);
  });

  test('is the first unseen one after the last finished one, also in the next season', () => {
    expect(
      next(
        unseen(episode(2, 1)),
        unseen(episode(1, 3)),
        seen(episode(1, 2), 9),
        unseen(episode(1, 1)),
      ),
    ).toEqual([episode(1, 3), episode(2, 1)]);
  });

  test('depends on what was watched last, not on the furthest one', () => {
    expect(next(seen(episode(3, 1), 1), seen(episode(1, 1), 9), unseen(episode(1, 2)))).toEqual([
      episode(1, 2),
    ]);
  });

  test('may be a recap between two others', () => {
    const unwatched = [14, 13.5].map((number) => unseen(episode(1, number)));
    expect(next(seen(episode(1, 13), 9), ...unwatched)).toEqual([episode(1, 13.5), episode(1, 14)]);
  });

  test('comes after the last of several episodes that were marked at once', () => {
    expect(next(seen(episode(1, 1), 9), seen(episode(1, 2), 9), unseen(episode(1, 3)))).toEqual([
      episode(1, 3),
    ]);
  });

  test('does not exist while a later started one is unfinished', () => {
    const finished = seen(episode(1, 1), 3);

    expect(next(finished, begun(episode(1, 2), 4), unseen(episode(1, 3)))).toEqual([]);
    expect(next(finished, begun(episode(1, 2), 2), unseen(episode(1, 3)))).toEqual([
      episode(1, 2),
      episode(1, 3),
    ]);
  });

  test('is not a special, except after a special', () => {
    expect(next(seen(episode(1, 1), 1), unseen(episode(0, 1)), unseen(episode(1, 2)))).toEqual([
      episode(1, 2),
    ]);
    expect(next(seen(episode(0, 1), 1), unseen(episode(0, 2)), unseen(episode(1, 1)))).toEqual([
      episode(0, 2),
    ]);
  });

  test('comes after all episodes of a file, by absolute numbers, and by dates', () => {
    const double = { season: 1, episode: 1, episodes: [1, 2] };
    expect(next(seen(double, 1), unseen(episode(1, 2)), unseen(episode(1, 3)))).toEqual([
      episode(1, 3),
    ]);
    expect(next(seen({ absoluteEpisode: 26 }, 1), unseen({ absoluteEpisode: 27 }))).toHaveLength(1);
    expect(
      next(
        seen({ airDate: '2014-10-31' }, 1),
        unseen({ airDate: '2014-11-03' }),
        unseen({ airDate: '2014-10-30' }),
      ),
    ).toEqual([{ airDate: '2014-11-03' }]);
  });
});
