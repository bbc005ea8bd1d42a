import { useSignal } from '@preact/signals';
import type { Resources } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { Icon, type IconName } from './icon.tsx';
import { takenIn } from './taken-in.ts';

/** What a tile shows: an item, an entity or a collection. */
export type TileData = Resources['Tile'] & Partial<Resources['HomeTile']>;

const pages: Readonly<Record<string, string>> = {
  show: 'shows',
  season: 'seasons',
  album: 'albums',
  artist: 'artists',
  person: 'people',
  genre: 'genres',
  series: 'series',
  studio: 'studios',
};

/** The address of the page of an entity. */
export const entityPath = (type: string, id: string): string =>
  `/${pages[type] ?? 'entities'}/${encodeURIComponent(id)}`;

/** The address of the page of a tile. */
export function tilePath({ id, kind = 'item', type }: TileData): string {
  if (kind === 'entity') return entityPath(type, id);
  if (kind === 'item' && type === 'photo') return `/photos/${id}`;
  return kind === 'collection' ? `/lists/${id}` : `/items/${id}`;
}

/** The address of a picture in a width of the server: 160, 320, 640, 1280 or 1920. */
export const pictureUrl = (id: string, width: 160 | 320 | 640 | 1280 | 1920): string =>
  `/api/assets/${encodeURIComponent(id)}?width=${width}`;

const shapes: Readonly<Record<string, 'portrait' | 'square' | 'landscape'>> = {
  track: 'square',
  album: 'square',
  artist: 'square',
  music: 'square',
  audiobook: 'square',
  audiobooks: 'square',
  photo: 'square',
  genre: 'square',
  playlist: 'square',
  collection: 'square',
};

/** The shape of tiles of a type; a row has one shape, so that it has one height. */
export const shapeOf = (type: string): 'portrait' | 'square' | 'landscape' =>
  shapes[type] ?? 'portrait';

const icons: Readonly<Record<string, IconName>> = {
  film: 'film',
  show: 'tv',
  season: 'tv',
  episode: 'tv',
  track: 'music',
  album: 'music',
  artist: 'users',
  person: 'user',
  audiobook: 'audiobook',
  book: 'book',
  series: 'book',
  photo: 'photo',
  playlist: 'queue',
  collection: 'list',
};

/** The icon of a type of item, entity or collection. */
export const iconOf = (type: string): IconName => icons[type] ?? 'film';

function aboutOf({ subtitle, year, unwatchedCount, itemCount, kind, type }: TileData): string {
  if (subtitle !== null) return subtitle;
  if (kind !== undefined && kind !== 'item' && typeof itemCount === 'number') {
    const count = t('count.items', { count: itemCount });
    return unwatchedCount === 0 ? `${count} · ${takenIn(type)}` : count;
  }
  return year === null ? '' : String(year);
}

/** The tile of an entity of a list. */
export const tileOfEntity = (entity: Resources['ListedEntity']): TileData => ({
  id: entity.id,
  kind: 'entity',
  type: entity.type,
  title: entity.name,
  subtitle: entity.artists.length > 0 ? entity.artists.map(({ name }) => name).join(', ') : null,
  year: entity.year,
  picture: entity.picture,
  progress: entity.itemCount === 0 ? 0 : 1 - entity.unwatchedCount / entity.itemCount,
  watched: entity.unwatchedCount === 0,
  favourite: entity.favourite,
  badges: [],
  itemCount: entity.itemCount,
  unwatchedCount: entity.unwatchedCount,
});

interface TileProps {
  readonly tile: TileData;
  readonly shape?: 'portrait' | 'square' | 'landscape';
  readonly id?: string;
  readonly isEager?: boolean;
}

/** One title of a grid or row: its picture, its name, how far it was watched. */
export function Tile({ tile, shape = shapeOf(tile.type), id, isEager = false }: TileProps) {
  const { title, picture, progress, watched, favourite, badges } = tile;
  const failed = useSignal('');
  const isRound = tile.type === 'artist' || tile.type === 'person';
  const unwatched = tile.unwatchedCount ?? 0;
  const hasPicture = picture !== null && picture.id !== failed.value;
  const hasMarks = favourite || badges.length > 0 || watched || unwatched > 0 || progress > 0;
  // The place of the picture is the stand-in itself where nothing lies on it: a grid has many of them.
  const isBare = !hasPicture && !hasMarks;
  const standIn = hasPicture ? null : (
    <>
      <Icon name={iconOf(tile.type)} size={32} />
      {title}
    </>
  );
  return (
    <a class={`tile ${shape}${isRound ? ' round' : ''}`} href={tilePath(tile)} id={id}>
      <span
        class={isBare ? 'picture no-picture' : 'picture'}
        aria-hidden={isBare ? 'true' : undefined}
        style={picture?.color == null ? undefined : { backgroundColor: picture.color }}
      >
        {hasPicture ? (
          <img
            src={pictureUrl(picture.id, 320)}
            alt=""
            loading={isEager ? 'eager' : 'lazy'}
            decoding="async"
            onError={() => (failed.value = picture.id)}
          />
        ) : isBare ? (
          standIn
        ) : (
          <span class="no-picture" aria-hidden="true">
            {standIn}
          </span>
        )}
        {(favourite || badges.length > 0) && (
          <span class="marks">
            {favourite && <Icon name="heart" size={16} />}
            {badges.slice(0, 2).map((badge) => (
              <span key={badge} class="badge">
                {badge}
              </span>
            ))}
          </span>
        )}
        {watched ? (
          <span class="watched" role="img" aria-label={takenIn(tile.type)}>
            <Icon name="check" size={14} />
          </span>
        ) : unwatched > 0 ? (
          <span class="unwatched">{unwatched}</span>
        ) : null}
        {!watched && progress > 0 && (
          <progress max={1} value={progress} aria-label={t('state.progress')} />
        )}
      </span>
      <bdi class="title">{title}</bdi>
      <small dir="auto">{aboutOf(tile)}</small>
    </a>
  );
}
