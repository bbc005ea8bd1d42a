/** With which episode a show goes on. */
import type { Resources } from '../../core/api.ts';

type Playback = Pick<Resources['Item'], 'playback'>;

/** Whether an episode was begun and not watched to its end. */
export const isBegun = ({ playback: { position, completed } }: Playback): boolean =>
  position > 0 && !completed;

/** The episode that is begun, else the first one that was not watched, else the first one. */
export const episodeToPlay = <Episode extends Playback>(
  episodes: readonly Episode[],
): Episode | undefined =>
  episodes.find(isBegun) ?? episodes.find(({ playback }) => !playback.completed) ?? episodes[0];

/** What the server calls the season of a show with its extras. */
const extras = 'Extras';

/**
 * The first season of which an episode is left, else the first one. The server has the specials last.
 * Extras are played only where a show has nothing else.
 */
export function seasonToPlay<
  Season extends { readonly name?: string; readonly unwatchedCount: number },
>(seasons: readonly Season[]): Season | undefined {
  const own = seasons.filter(({ name }) => name !== extras);
  return own.find(({ unwatchedCount }) => unwatchedCount > 0) ?? own[0] ?? seasons[0];
}
