import { call, type Resources } from '../../core/api.ts';
import { t } from '../../core/messages.ts';
import { playQueue } from '../../player/queue.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { attempt } from '../../ui/toast.tsx';
import { episodeToPlay, isBegun } from './episode-to-play.ts';

type Item = Resources['Item'];

/** Songs of one artist that are played at once. */
const mostSongs = 500;

/** Plays the episode that comes next, and names it. */
export function PlayEpisode({ items }: { readonly items: readonly Item[] }) {
  const next = episodeToPlay(items);
  if (next === undefined) return null;
  const { season, episode } = next.metadata;
  return (
    <a class="button primary" id="play" href={`/watch/${next.id}`}>
      <Icon name="play" />
      {isBegun(next) ? t('action.resume') : t('action.play')}
      {typeof season === 'number' && typeof episode === 'number' && (
        <small>{t('item.episode', { season, episode })}</small>
      )}
    </a>
  );
}

/** Plays songs in their order, or shuffled. `songs` reads them when a button is pressed. */
export function PlaySongs({
  songs,
}: {
  readonly songs: () => Promise<readonly Pick<Item, 'id' | 'title'>[]>;
}) {
  const play = (shuffle: boolean) => () =>
    void attempt(async () => {
      const queued = (await songs()).map(({ id, title }) => ({ id, title }));
      if (queued.length > 0) await playQueue(queued, 0, { shuffle });
    });
  return (
    <>
      <Button kind="primary" id="play" onClick={play(false)}>
        <Icon name="play" />
        {t('action.play')}
      </Button>
      <Button onClick={play(true)}>
        <Icon name="shuffle" />
        {t('player.shuffle')}
      </Button>
    </>
  );
}

/** The songs of an artist. */
export const songsOf =
  (id: string) => async (): Promise<readonly { id: string; title: string }[]> =>
    (
      await call('get', '/api/entities/{id}/items', {
        path: { id },
        query: { limit: mostSongs, fields: 'tile' },
      })
    ).items;
