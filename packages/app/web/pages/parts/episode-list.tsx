import type { Resources } from '../../core/api.ts';
import { t } from '../../core/messages.ts';
import { assetId } from '../../ui/asset-id.ts';
import { Icon } from '../../ui/icon.tsx';
import { pictureUrl } from '../../ui/tile.tsx';
import { lengthOf } from '../../ui/words.ts';
import { WatchedButton } from './marks.tsx';

type Item = Resources['Item'];

/** The number of an episode, such as `3` or `3–4`. */
export function episodeNumber(metadata: Item['metadata']): string {
  const { episode, lastEpisode } = metadata;
  if (typeof episode !== 'number') return '';
  return typeof lastEpisode === 'number' ? `${episode}–${lastEpisode}` : String(episode);
}

/** Episodes in their order, with stills, length and how far each was watched. */
export const EpisodeList = ({ items }: { readonly items: readonly Item[] }) => (
  <ol class="episodes">
    {items.map((item) => (
      <Episode key={item.id} item={item} />
    ))}
  </ol>
);

function Episode({ item }: { readonly item: Item }) {
  const { id, title, metadata, assets, playback, files } = item;
  const still = assetId(assets['thumbnail'] ?? assets['still'] ?? assets['backdrop']);
  const summary = metadata['summary'] ?? metadata['plot'] ?? metadata['overview'];
  const name = typeof metadata['episodeTitle'] === 'string' ? metadata['episodeTitle'] : title;
  const share = playback.duration > 0 ? playback.position / playback.duration : 0;
  const length = files.find(({ classification }) => classification === 'primary')?.duration;
  return (
    <li class="episode">
      <a class="still" href={`/watch/${id}`} aria-label={t('action.playTitle', { title: name })}>
        {still !== undefined && <img src={pictureUrl(still, 320)} alt="" loading="lazy" />}
        <span class="play">
          <Icon name="play" size={28} />
        </span>
        {!playback.completed && share > 0 && (
          <progress max={1} value={share} aria-label={t('state.progress')} />
        )}
      </a>
      <div>
        <h3>
          <a href={`/items/${id}`} id={`item-${id}`}>
            {episodeNumber(metadata) !== '' && (
              <span class="number">{episodeNumber(metadata)}. </span>
            )}
            <bdi>{name}</bdi>
          </a>
        </h3>
        {typeof length === 'number' && <small>{lengthOf(length)}</small>}
        {typeof summary === 'string' && (
          <p class="summary" dir="auto">
            {summary}
          </p>
        )}
      </div>
      <WatchedButton of="items" id={id} type="episode" isWatched={playback.completed} isSmall />
    </li>
  );
}
