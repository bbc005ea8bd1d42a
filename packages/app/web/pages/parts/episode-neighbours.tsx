import { t } from '../../core/messages.ts';
import { useResource } from '../../core/resource.ts';
import { titleOf } from '../../player/next-episode.ts';
import { Icon } from '../../ui/icon.tsx';
import { episodesKey, episodesTopics, loadEpisodes } from './episodes.ts';

/** The pages of the episodes before and after one of a season. */
export function EpisodeNeighbours({
  id,
  seasonId,
}: {
  readonly id: string;
  readonly seasonId: string;
}) {
  const key = episodesKey(seasonId);
  const episodes = useResource(key, episodesTopics(seasonId), loadEpisodes(seasonId));
  const all = episodes.value.value ?? [];
  const at = all.findIndex((one) => one.id === id);
  const [before, after] = at === -1 ? [] : [all[at - 1], all[at + 1]];
  if (before === undefined && after === undefined) return null;
  return (
    <nav class="neighbours" aria-label={t('item.episodes')}>
      {before !== undefined && (
        <a href={`/items/${before.id}`} rel="prev">
          <Icon name="left" />
          <bdi>{titleOf(before)}</bdi>
        </a>
      )}
      {after !== undefined && (
        <a href={`/items/${after.id}`} rel="next">
          <bdi>{titleOf(after)}</bdi>
          <Icon name="right" />
        </a>
      )}
    </nav>
  );
}
