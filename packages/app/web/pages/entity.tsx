import { useMemo } from 'preact/hooks';
import { call, type Resources } from '../core/api.ts';
import { findMessage, t } from '../core/messages.ts';
import { peekResource, preload, useResource } from '../core/resource.ts';
import type { PageProps } from '../core/router.ts';
import { isAdmin } from '../core/session.ts';
import { createTileList, keptTileList, readTilesAhead, type TilePage } from '../core/tile-list.ts';
import { useRenewal } from '../core/use-renewal.ts';
import { assetId } from '../ui/asset-id.ts';
import { Icon } from '../ui/icon.tsx';
import { lazy } from '../ui/lazy.tsx';
import { TileRow } from '../ui/row.tsx';
import { PageReady } from '../ui/page-ready.tsx';
import { Ready } from '../ui/states.tsx';
import { TileGrid } from '../ui/tile-grid.tsx';
import { entityPath, pictureUrl, shapeOf, tileOfEntity, type TileData } from '../ui/tile.tsx';
import { lengthOf } from '../ui/words.ts';
import { useTitle } from '../ui/title.ts';
import { AddToList } from './add-to-list.tsx';
import { EpisodeList } from './parts/episode-list.tsx';
import { seasonToPlay } from './parts/episode-to-play.ts';
import { episodesKey, episodesTopics, loadEpisodes, mostItems } from './parts/episodes.ts';
import { FavouriteButton, MyRating, WatchedButton } from './parts/marks.tsx';
import { PlayEpisode, PlaySongs, songsOf } from './parts/play-entity.tsx';
import { TrackList } from './parts/track-list.tsx';
import { SourceLinks } from './parts/source-links.tsx';

/** Loaded after the page is shown. */
const KeepAllButton = lazy(async () => (await import('../downloads/keep-all-button.tsx')).default);

const PhotoAlbum = lazy(async () => (await import('./photos/photo-album.tsx')).default);

/** Whether an album is a folder of photos. */
const isOfPhotos = (items: readonly Item[]): boolean =>
  items[0]?.files.some(({ mediaKind }) => mediaKind === 'image') === true;

type Entity = Resources['EntityDetail'];
type Item = Resources['Item'];

/** What the page of an entity shows. */
interface EntityData {
  readonly entity: Entity;
  readonly children: readonly Resources['ListedEntity'][];
  /** The items of it that are in none of its children. */
  readonly tiles: readonly TileData[];
  /** The whole items of a season, an album, or a show without seasons. */
  readonly items: readonly Item[];
}

const keyOf = (id: string): string => `entity:${id}`;
const topicsOf = (id: string): readonly string[] => [`entity:${id}`, 'library', 'playback'];

const loadOf = (id: string) => async (): Promise<EntityData> => {
  const path = { id };
  const [{ entity }, children] = await Promise.all([
    call('get', '/api/entities/{id}', { path }),
    call('get', '/api/entities/{id}/children', { path, query: { limit: mostItems } }),
  ]);
  const isWhole =
    ['season', 'album'].includes(entity.type) ||
    (entity.type === 'show' && children.entities.length === 0);
  const reply = isWhole
    ? await call('get', '/api/entities/{id}/items', { path, query: { limit: mostItems } })
    : { items: [] };
  return {
    entity,
    children: children.entities,
    // What the list of an album or a season shows is not shown once more as tiles.
    tiles: isWhole ? [] : children.items,
    items: reply.items as readonly Item[],
  };
};

/** The titles of an entity that has no children, such as the films of a person: any number of them. */
const titlesOf = (entity: Entity) => () =>
  createTileList<TileData>(async (cursor, limit) => {
    const page = (await call('get', '/api/entities/{id}/items', {
      path: { id: entity.id },
      query: { fields: 'tile', limit, ...(cursor !== null && { cursor }) },
    })) as TilePage<TileData>;
    return { ...page, total: entity.itemCount };
  });

const titlesKey = ({ id, itemCount }: Entity): string => `entity:${id}:${itemCount}`;

const hasTitles = ({ entity, children, items }: EntityData): boolean =>
  children.length === 0 && items.length === 0 && entity.itemCount > 0;

const seasonsOf = (children: EntityData['children']): EntityData['children'] =>
  children.filter(({ type }) => type === 'season');

/** Reads the entity, and the episodes or the first titles of it, before its page is shown. */
export async function prepare({ parameters: { id = '' }, query }: PageProps): Promise<void> {
  await preload(keyOf(id), topicsOf(id), loadOf(id));
  const data = peekResource<EntityData>(keyOf(id));
  if (data === undefined) return;
  if (hasTitles(data)) await readTilesAhead(titlesKey(data.entity), titlesOf(data.entity));
  const seasons = seasonsOf(data.children);
  const wanted = [seasonToPlay(seasons)?.id, query.get('season')];
  await Promise.all(
    seasons
      .filter((season) => wanted.includes(season.id))
      .map((season) =>
        preload(episodesKey(season.id), episodesTopics(season.id), loadEpisodes(season.id)),
      ),
  );
}

/** A show, season, album, artist, person, genre or series: what it is, and what belongs to it. */
export default function EntityPage({ parameters: { id = '' }, query }: PageProps) {
  const data = useResource(keyOf(id), topicsOf(id), loadOf(id));
  useTitle(data.value.value?.entity.name);
  return <PageReady of={data}>{(value) => <EntityView data={value} query={query} />}</PageReady>;
}

function EntityView({
  data,
  query,
}: {
  readonly data: EntityData;
  readonly query: URLSearchParams;
}) {
  const { entity, children, tiles, items } = data;
  const seasons = seasonsOf(children);
  const others = children.filter(({ type }) => type !== 'season');
  const next = seasonToPlay(seasons);
  const season = seasons.find(({ id }) => id === query.get('season')) ?? next;
  const backdrop = assetId(entity.assets['backdrop'] ?? entity.assets['fanart']);
  return (
    <div class="page entity">
      {backdrop !== undefined && <img class="backdrop" src={pictureUrl(backdrop, 1280)} alt="" />}
      <EntityHeader entity={entity} items={items} next={next?.id} />
      <SourceLinks metadata={entity.metadata} />
      {season !== undefined && <Seasons seasons={seasons} shown={season} />}
      {entity.type === 'album' &&
        (isOfPhotos(items) ? (
          <PhotoAlbum id={entity.id} />
        ) : (
          <TrackList items={items} album={entity} />
        ))}
      {(entity.type === 'season' || (entity.type === 'show' && items.length > 0)) && (
        <section aria-label={t('item.episodes')}>
          <h2 class="unseen">{t('item.episodes')}</h2>
          <EpisodeList items={items} />
        </section>
      )}
      {others.length > 0 && (
        <TileRow id="children" title={t('entity.albums')} tiles={others.map(tileOfEntity)} />
      )}
      {tiles.length > 0 && children.length > 0 && (
        <TileRow id="more" title={t('entity.more')} tiles={tiles} />
      )}
      {hasTitles(data) && <Titles key={titlesKey(entity)} entity={entity} />}
    </div>
  );
}

function Titles({ entity }: { readonly entity: Entity }) {
  const key = titlesKey(entity);
  const list = useMemo(() => keptTileList(key, titlesOf(entity)), [key]);
  useRenewal(list, key, topicsOf(entity.id));
  void list.version.value;
  return <TileGrid list={list} shape={shapeOf(list.at(0)?.type ?? 'film')} />;
}

/** What plays the entity, where that can be said. */
function PlayEntity({
  entity: { id, type },
  items,
  next,
}: {
  readonly entity: Entity;
  readonly items: readonly Item[];
  readonly next: string | undefined;
}) {
  if (type === 'album') return isOfPhotos(items) ? null : <PlaySongs songs={async () => items} />;
  if (type === 'artist') return <PlaySongs songs={songsOf(id)} />;
  if (next !== undefined) return <PlayNext seasonId={next} />;
  return ['season', 'show'].includes(type) ? <PlayEpisode items={items} /> : null;
}

/** The next episode of the season in which a show goes on. */
function PlayNext({ seasonId }: { readonly seasonId: string }) {
  const key = episodesKey(seasonId);
  const episodes = useResource(key, episodesTopics(seasonId), loadEpisodes(seasonId));
  return <PlayEpisode items={episodes.value.value ?? []} />;
}

function EntityHeader({
  entity,
  items,
  next,
}: {
  readonly entity: Entity;
  readonly items: readonly Item[];
  /** The id of the season in which the show goes on. */
  readonly next: string | undefined;
}) {
  const { id, name, type, picture, year, itemCount, unwatchedCount, duration, artists } = entity;
  const summary =
    entity.metadata['summary'] ?? entity.metadata['overview'] ?? entity.metadata['plot'];
  const isWatched = itemCount > 0 && unwatchedCount === 0;
  const facts = [
    findMessage(`entity.type.${type}`),
    year === null ? undefined : String(year),
    t('count.items', { count: itemCount }),
    duration === null || duration <= 0 ? undefined : lengthOf(duration),
  ].filter((fact) => fact !== undefined);
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
        <p class="buttons">
          <PlayEntity entity={entity} items={items} next={next} />
          <FavouriteButton of="entities" id={id} isOn={entity.favourite} />
          <MyRating of="entities" id={id} rating={entity.myRating} />
          {['show', 'season', 'series'].includes(type) && (
            <WatchedButton of="entities" id={id} type={type} isWatched={isWatched} />
          )}
          {type === 'album' && <AddToList itemIds={items.map((item) => item.id)} />}
          <KeepAllButton id={id} items={items} />
          {isAdmin.value && (
            <a class="button compact" href={`/admin/entities/${id}`}>
              <Icon name="edit" />
              {t('item.edit')}
            </a>
          )}
        </p>
        {typeof summary === 'string' && (
          <p class="summary" dir="auto">
            {summary}
          </p>
        )}
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
  const key = episodesKey(shown.id);
  const items = useResource(key, episodesTopics(shown.id), loadEpisodes(shown.id));
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
      <h2 class="unseen">
        <bdi>{shown.name}</bdi>
      </h2>
      <Ready of={items}>
        {(episodes) => (
          <>
            <p class="buttons">
              <KeepAllButton key={shown.id} id={shown.id} items={episodes} />
            </p>
            <EpisodeList items={episodes} />
          </>
        )}
      </Ready>
    </section>
  );
}
