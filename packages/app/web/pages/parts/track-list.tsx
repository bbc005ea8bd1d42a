import type { Resources } from '../../core/api.ts';
import { t } from '../../core/messages.ts';
import { playQueue } from '../../player/queue.ts';
import { Icon } from '../../ui/icon.tsx';
import { clockOf } from '../../ui/words.ts';

type Item = Resources['Item'];

const lengthOfItem = (item: Item): number =>
  item.files
    .filter(({ classification }) => classification === 'primary')
    .reduce((sum, { duration }) => sum + (duration ?? 0), 0);

/** The first of these fields that is a number. */
function numberOf(metadata: Item['metadata'], ...keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const value = metadata[key];
    if (typeof value === 'number') return value;
  }
  return undefined;
}

/** The tracks of an album by disc; each plays the album from there. */
export function TrackList({
  items,
  album,
}: {
  readonly items: readonly Item[];
  readonly album: Resources['EntityDetail'];
}) {
  const discs = new Set(
    items.map(({ metadata }) => metadata['disc'] ?? metadata['discNumber'] ?? 1),
  );
  const queued = items.map(({ id, title }) => ({ id, title }));
  return (
    <ol class="tracks" aria-label={album.name}>
      {items.map((item, at) => {
        const { id, title, metadata } = item;
        const number = numberOf(metadata, 'track', 'trackNumber') ?? at + 1;
        const disc = numberOf(metadata, 'disc', 'discNumber') ?? 1;
        const artist = metadata['artist'];
        return (
          <li key={id} class="track-line">
            <button
              type="button"
              onClick={() => void playQueue(queued, at)}
              aria-label={t('action.playTitle', { title })}
            >
              <span class="number">{discs.size > 1 ? `${disc}-${number}` : number}</span>
              <span class="title">
                <bdi>{title}</bdi>
                {typeof artist === 'string' &&
                  !album.artists.some(({ name }) => name === artist) && <small>{artist}</small>}
              </span>
              <span class="length">{clockOf(lengthOfItem(item))}</span>
            </button>
            <a
              class="icon-button"
              href={`/items/${id}`}
              aria-label={t('action.detailsOf', { title })}
              id={`item-${id}`}
            >
              <Icon name="info" />
            </a>
          </li>
        );
      })}
    </ol>
  );
}
