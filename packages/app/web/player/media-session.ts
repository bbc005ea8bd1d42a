/** Tells the system what plays, so that its keys and its lock screen work. */
import { effect } from '@preact/signals';
import type { Player } from './player-state.ts';
import type { Item } from './requests.ts';
import { titleOf } from './next-episode.ts';

/** The address of the picture of an item, or of the album or show that it belongs to. */
export function pictureOf({ assets, linkedEntities, files }: Item): string | undefined {
  const own = assets['poster'] ?? assets['cover'] ?? assets['thumbnail'];
  const linked = linkedEntities
    .filter(({ type }) => ['album', 'season', 'show', 'series'].includes(type))
    .flatMap((entity) => entity.assets['poster'] ?? entity.assets['cover'] ?? []);
  return (own ?? linked[0] ?? files.flatMap((file) => file.assets['cover'] ?? [])[0])?.split(
    '?',
  )[0];
}

/** Who made it, or what it belongs to. */
export const makerOf = ({ linkedEntities, metadata }: Item): string => {
  const named = metadata['artist'] ?? metadata['author'];
  if (typeof named === 'string') return named;
  return linkedEntities.find(({ type }) => type === 'artist' || type === 'show')?.name ?? '';
};

/** Follows the player until it is stopped. */
export function followMediaSession(
  player: Player,
  { next, previous }: { readonly next?: () => void; readonly previous?: () => void },
): () => void {
  if (!('mediaSession' in navigator)) return () => {};
  const session = navigator.mediaSession;
  const set = (name: MediaSessionAction, act: MediaSessionActionHandler | null): void => {
    try {
      session.setActionHandler(name, act);
    } catch {
      // This browser does not know the action.
    }
  };
  const skip = (by: number) => (): void => player.seek(player.position.peek() + by);
  const actions: readonly (readonly [MediaSessionAction, MediaSessionActionHandler | null])[] = [
    ['play', player.play],
    ['pause', player.pause],
    ['seekbackward', skip(-10)],
    ['seekforward', skip(10)],
    ['seekto', ({ seekTime }) => seekTime !== undefined && player.seek(seekTime)],
    ['nexttrack', next ?? null],
    ['previoustrack', previous ?? null],
  ];
  for (const [name, act] of actions) set(name, act);
  const stopTelling = effect(() => {
    const item = player.item.value;
    session.playbackState = player.isPlaying.value ? 'playing' : 'paused';
    if (item === null) return;
    const picture = pictureOf(item);
    session.metadata = new MediaMetadata({
      title: titleOf(item),
      artist: makerOf(item),
      artwork: picture === undefined ? [] : [{ src: `${picture}?width=640` }],
    });
  });
  return () => {
    stopTelling();
    for (const [name] of actions) set(name, null);
    session.playbackState = 'none';
    session.metadata = null;
  };
}
