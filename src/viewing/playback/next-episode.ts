/** An episode of a show, with its playback state for the profile. */
export interface WatchedEpisode {
  readonly itemId: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly isCompleted: boolean;
  /** Started, and not finished. */
  readonly isStarted: boolean;
  /** Unix milliseconds; `null` = never played. */
  readonly watchedAt: number | null;
}

/**
 * The next episodes of a show, nearest first: the unseen episodes after the one that was finished
 * last, in the order of seasons. Empty while an episode that was started later is unfinished, since
 * that one is to be continued. Specials follow only specials.
 */
export function nextEpisodes(episodes: readonly WatchedEpisode[]): readonly WatchedEpisode[] {
  const latest = lastWatched(episodes.filter(({ isCompleted }) => isCompleted));
  if (latest === undefined) return [];
  const begun = lastWatched(episodes.filter(({ isStarted }) => isStarted));
  if ((begun?.watchedAt ?? -1) > (latest.watchedAt ?? 0)) return [];
  const isSpecial = placeOf(latest)[0] === 0;
  return episodes
    .filter(
      (one) =>
        !one.isCompleted &&
        (placeOf(one)[0] === 0) === isSpecial &&
        comparePlaces(placeOf(one), placeOf(latest)) > 0,
    )
    .toSorted((a, b) => comparePlaces(placeOf(a), placeOf(b)));
}

function lastWatched(episodes: readonly WatchedEpisode[]): WatchedEpisode | undefined {
  return episodes.toSorted((a, b) => {
    const byTime = (b.watchedAt ?? 0) - (a.watchedAt ?? 0);
    // Of several that were marked at once, the furthest one.
    return byTime === 0 ? comparePlaces(placeOf(b), placeOf(a)) : byTime;
  })[0];
}

/**
 * Season, last episode in the file, air date. A show without seasons uses absolute numbers, or
 * dates.
 */
type Place = readonly [season: number, episode: number, airDate: string];

function placeOf({ metadata }: WatchedEpisode): Place {
  const { season, episode, episodes, absoluteEpisode, airDate } = metadata;
  const last: unknown = Array.isArray(episodes) ? episodes.at(-1) : episode;
  const number = [last, episode, absoluteEpisode].find((one) => typeof one === 'number');
  return [
    typeof season === 'number' ? season : 1,
    typeof number === 'number' ? number : 0,
    typeof airDate === 'string' ? airDate : '',
  ];
}

function comparePlaces(a: Place, b: Place): number {
  return a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : Number(a[2] > b[2]));
}
