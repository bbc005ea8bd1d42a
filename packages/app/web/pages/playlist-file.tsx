import { call } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { preload, useResource } from '../core/resource.ts';
import type { PageProps } from '../core/router.ts';
import { playQueue } from '../player/queue.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { PageReady } from '../ui/page-ready.tsx';
import { Empty } from '../ui/states.tsx';
import { tilePath } from '../ui/tile.tsx';
import { useTitle } from '../ui/title.ts';
import { lengthOf } from '../ui/words.ts';

const keyOf = ({ parameters: { id = '', fileId = '' } }: PageProps) =>
  [`playlist:${fileId}`, [`library:${id}`]] as const;
const loadOf =
  ({ parameters: { id = '', fileId = '' } }: PageProps) =>
  () =>
    call('get', '/api/libraries/{id}/playlists/{fileId}', { path: { id, fileId } });

/** Reads the playlist before it is shown. */
export const prepare = (props: PageProps): Promise<void> => preload(...keyOf(props), loadOf(props));

/** A playlist that is a file of a library: its titles in order, and what of it the library has not. */
export default function PlaylistFilePage(props: PageProps) {
  const found = useResource(...keyOf(props), loadOf(props));
  useTitle(found.value.value?.playlist.name);
  return (
    <PageReady of={found}>
      {({ playlist, entries }) => {
        const tiles = entries.flatMap(({ item }) => item ?? []);
        const sounds = tiles.filter(({ type }) => type === 'track').map(({ id }) => id);
        return (
          <div class="page">
            <header class="page-header">
              <h1>
                <bdi>{playlist.name}</bdi>
              </h1>
              <small>{t('count.items', { count: tiles.length })}</small>
              {sounds.length > 0 && (
                <Button kind="primary" id="play" act={() => playQueue(sounds, 0)}>
                  <Icon name="play" />
                  {t('action.play')}
                </Button>
              )}
            </header>
            {tiles.length === 0 && <Empty title={t('playlist.empty')} />}
            <ol class="lines">
              {entries.map(({ title, duration, item, problem }, at) => (
                <li key={at}>
                  {item === null ? (
                    <span class="fine">
                      <bdi>{title}</bdi>
                    </span>
                  ) : (
                    <a href={tilePath(item)}>
                      <bdi>{item.title}</bdi>
                    </a>
                  )}
                  <small>
                    {problem !== null
                      ? t(`playlist.${problem}`)
                      : (item?.subtitle ?? (duration === null ? '' : lengthOf(duration)))}
                  </small>
                </li>
              ))}
            </ol>
          </div>
        );
      }}
    </PageReady>
  );
}
