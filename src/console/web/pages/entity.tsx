import { useSignal } from '@preact/signals';
import { call, type Resources } from '../core/api.ts';
import { findMessage, t } from '../core/messages.ts';
import { invalidate, preload, useResource } from '../core/resource.ts';
import type { PageProps } from '../core/router.ts';
import { isAdmin } from '../core/session.ts';
import { Icon } from '../ui/icon.tsx';
import { lazy } from '../ui/lazy.tsx';
import { TileRow } from '../ui/row.tsx';
import { Ready } from '../ui/states.tsx';
import { entityPath, pictureUrl, Tile, tileOfEntity, type TileData } from '../ui/tile.tsx';
import { attempt } from '../ui/toast.tsx';
import { lengthOf } from '../ui/words.ts';
import { useTitle } from '../ui/title.ts';
import { AddToList } from './add-to-list.tsx';
import { EpisodeList } from './episode-list.tsx';
import { TrackList } from './track-list.tsx';
import { markWords } from '../ui/taken-in.ts';
import { SourceLinks } from './source-links.tsx';

/** Loaded after the page is shown. */
const KeepAllButton = lazy(async () => (await import('../downloads/keep-all-button.tsx')).default);

const PhotoAlbum = lazy(async () => (await import('./photos/photo-album.tsx')).default);

/** Whether an album is a folder of photos. */
const isOfPhotos = (items: readonly Resources['Item'][]): boolean =>
  items[0]?.files.some(({ mediaKind }) => mediaKind === 'image') === true;

type Entity = Resources['EntityDetail'];

/** What the page of an entity shows. */
interface EntityData {
  readonly entity: Entity;
  readonly children: readonly Resources['ListedEntity'][];
  readonly tiles: readonly TileData[];
  readonly items: readonly Resources['Item'][];
}

/** More episodes or tracks than this are reached by their season or album. */
const mostItems = 200;

const keyOf = (id: string): string => `entity:${id}`;
const topicsOf = (id: string): readonly string[] => [`entity:${id}`, 'library', 'playback'];

const loadOf = (id: string) => async (): Promise<EntityData> => {
  const path = { id };
  const [{ entity }, children] = await Promise.all([
    call('get', '/api/entities/{id}', { path }),
    call('get', '/api/entities/{id}/children', { path, query: { limit: 200 } }),
  ]);
  const isList = ['season', 'album', 'show'].includes(entity.type);
  const listed = isList && (entity.type !== 'show' || children.entities.length === 0);
  const reply = listed
    ? await call('get', '/api/entities/{id}/items', { path, query: { limit: mostItems } })
    : { items: [] };
  // What the list of an album or a season shows is not shown once more as tiles.
  const tiles = listed
    ? []
    : children.entities.length > 0
      ? children.items
      : ((
          await call('get', '/api/entities/{id}/items', {
            path,
            query: { fields: 'tile', limit: mostItems },
          })
        ).items as readonly TileData[]);
  return {
    entity,
    children: children.entities,
    tiles,
    items: reply.items as readonly Resources['Item'][],
  };
};

/** Reads the entity before its page is shown. */
export const prepare = ({ parameters: { id = '' } }: PageProps): Promise<void> =>
  preload(keyOf(id), topicsOf(id), loadOf(id));

/** A show, season, album, artist, person, genre or series: what it is, and what belongs to it. */
export default function EntityPage({ parameters: { id = '' }, query }: PageProps) {
  const data = useResource(keyOf(id), topicsOf(id), loadOf(id));
  useTitle(data.value.value?.entity.name);
  return <Ready of={data}>{(value) => <EntityView data={value} query={query} />}</Ready>;
}

function EntityView({
  data,
  query,
}: {
  readonly data: EntityData;
  readonly query: URLSearchParams;
}) {
  const { entity, children, tiles, items } = data;
  const seasons = children.filter(({ type }) => type === 'season');
  const others = children.filter(({ type }) => type !== 'season');
  const wanted = query.get('season');
  const season =
    seasons.find(({ id }) => id === wanted) ??
    seasons.find(({ unwatchedCount }) => unwatchedCount > 0) ??
    seasons[0];
  return (
    <div class="page entity">
      <EntityHeader entity={entity} items={items} />
      <SourceLinks metadata={entity.metadata} />
      {season !== undefined && <Seasons seasons={seasons} shown={season} />}
      {entity.type === 'album' &&
        (isOfPhotos(items) ? (
          <PhotoAlbum id={entity.id} />
        ) : (
          <TrackList items={items} album={entity} />
        ))}
      {(entity.type === 'season' || (entity.type === 'show' && items.length > 0)) && (
        <EpisodeList items={items} />
      )}
      {others.length > 0 && (
        <TileRow id="children" title={t('entity.albums')} tiles={others.map(tileOfEntity)} />
      )}
      {tiles.length > 0 && (
        <section>
          {others.length > 0 && <h2>{t('entity.more')}</h2>}
          <div
            class={`grid plain ${tiles.every(({ type }) => type === 'track') ? 'square' : 'portrait'}`}
          >
            {tiles.map((tile) => (
              <Tile key={tile.id} tile={tile} id={`item-${tile.id}`} />
            ))}
          </div>
        </section>
      )}
    </div>
  );
}

function EntityHeader({
  entity,
  items,
}: {
  readonly entity: Entity;
  readonly items: readonly Resources['Item'][];
}) {
  const first = items[0]?.id;
  const { id, name, type, picture, year, itemCount, unwatchedCount, duration, artists } = entity;
  const summary =
    entity.metadata['summary'] ?? entity.metadata['overview'] ?? entity.metadata['plot'];
  const isWatched = itemCount > 0 && unwatchedCount === 0;
  const isFavourite = useSignal(entity.favourite);
  const facts = [
    findMessage(`entity.type.${type}`),
    year === null ? undefined : String(year),
    t('count.items', { count: itemCount }),
    duration === null || duration <= 0 ? undefined : lengthOf(duration),
  ].filter((fact) => fact !== undefined);
  const path = { id };
  return (
    <header class="detail" style={picture?.color == null ? undefined : { '--tint': picture.color }}>
      {picture !== null && (
        <img
          class={`cover ${picture.aspect ?? 'portrait'}${type === 'person' || type === 'artist' ? ' round' : ''}`}
          src={pictureUrl(picture.id, 320)}
          alt=""
        />
      )}
      <div>
        <h1>
          <bdi>{name}</bdi>
        </h1>
        {artists.length > 0 && (
          <p>
            {artists.map((artist) => (
              <a key={artist.id} href={entityPath('artist', artist.id)}>
                <bdi>{artist.name}</bdi>
              </a>
            ))}
          </p>
        )}
        <p class="facts">{facts.join(' · ')}</p>
        {typeof summary === 'string' && <p class="summary">{summary}</p>}
        <p class="buttons">
          {isAdmin.value && (
            <a class="button" href={`/admin/entities/${id}`}>
              <Icon name="edit" />
              {t('item.edit')}
            </a>
          )}
          {first !== undefined && (type === 'season' || type === 'show') && (
            <a class="button primary" href={`/watch/${first}`}>
              <Icon name="play" />
              {t('action.play')}
            </a>
          )}
          <button
            type="button"
            class="button"
            aria-pressed={isFavourite.value}
            onClick={() => {
              isFavourite.value = !isFavourite.value;
              const method = isFavourite.value ? 'put' : 'delete';
              void attempt(() => call(method, '/api/entities/{id}/favourite', { path }));
            }}
          >
            <Icon name="heart" />
            {t('action.favourite')}
          </button>
          {type === 'album' && <AddToList itemIds={items.map((item) => item.id)} />}
          <KeepAllButton id={id} items={items} />
          {['show', 'season', 'series'].includes(type) && (
            <button
              type="button"
              class="button"
              aria-pressed={isWatched}
              onClick={() =>
                void attempt(async () => {
                  await call('put', '/api/entities/{id}/watched', {
                    path,
                    body: { watched: !isWatched },
                  });
                  invalidate((topic) => topic === `entity:${id}` || topic === 'playback');
                })
              }
            >
              <Icon name="check" />
              {markWords(type, isWatched)}
            </button>
          )}
        </p>
      </div>
    </header>
  );
}

function Seasons({
  seasons,
  shown,
}: {
  readonly seasons: readonly Resources['ListedEntity'][];
  readonly shown: Resources['ListedEntity'];
}) {
  const key = `season:${shown.id}`;
  const items = useResource(key, [`entity:${shown.id}`, 'library', 'playback'], () =>
    call('get', '/api/entities/{id}/items', {
      path: { id: shown.id },
      query: { limit: mostItems },
    }),
  );
  return (
    <section>
      <nav class="tabs" aria-label={t('entity.seasons')}>
        {seasons.map(({ id, name, unwatchedCount }) => (
          <a key={id} href={`?season=${id}`} aria-current={id === shown.id ? 'page' : undefined}>
            <bdi>{name}</bdi>
            {unwatchedCount > 0 && <span class="count">{unwatchedCount}</span>}
          </a>
        ))}
      </nav>
      <Ready of={items}>
        {(reply) => {
          const episodes = reply.items as readonly Resources['Item'][];
          return (
            <>
              <p class="buttons">
                <KeepAllButton key={shown.id} id={shown.id} items={episodes} />
              </p>
              <EpisodeList items={episodes} />
            </>
          );
        }}
      </Ready>
    </section>
  );
}
