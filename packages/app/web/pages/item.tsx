import { useEffect } from 'preact/hooks';
import { call, type Resources } from '../core/api.ts';
import { findMessage, t } from '../core/messages.ts';
import { preload, useResource } from '../core/resource.ts';
import type { PageProps } from '../core/router.ts';
import { isAdmin } from '../core/session.ts';
import { playQueue } from '../player/queue.ts';
import { faultOf, readableFile } from '../reader/reader.ts';
import { assetId } from '../ui/asset-id.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { lazy } from '../ui/lazy.tsx';
import { Row, TileRow } from '../ui/row.tsx';
import { PageReady } from '../ui/page-ready.tsx';
import { entityPath, pictureUrl } from '../ui/tile.tsx';
import { dateOf, languageOf, lengthOf, listOf, sizeOf } from '../ui/words.ts';
import { useTitle } from '../ui/title.ts';
import { AddToList } from './add-to-list.tsx';
import { ItemActions, ItemPanels } from './item-pieces.tsx';
import { EpisodeNeighbours } from './parts/episode-neighbours.tsx';
import { FavouriteButton, MyRating, WatchedButton } from './parts/marks.tsx';
import { SourceLinks } from './parts/source-links.tsx';
import { filmOf, resolutionOf, versionsOf } from './parts/versions.ts';

/** It comes after the page. */
const KeepButton = lazy(async () => (await import('../downloads/keep-button.tsx')).default);

/** Milliseconds until a page of a video loads the player. */
const playerAfterMs = 300;

type Item = Resources['ItemDetail'];
type File = Item['files'][number];

const keyOf = (id: string): string => `item:${id}`;
const topicsOf = (id: string): readonly string[] => [`item:${id}`];
const loadOf = (id: string) => () => call('get', '/api/items/{id}', { path: { id } });

/** Reads the item before its page is shown. */
export const prepare = ({ parameters: { id = '' } }: PageProps): Promise<void> =>
  preload(keyOf(id), topicsOf(id), loadOf(id));

/** One title: what it is, who made it, its files, and the ways to play it. */
export default function ItemPage({ parameters: { id = '' } }: PageProps) {
  const item = useResource(keyOf(id), topicsOf(id), loadOf(id));
  useTitle(item.value.value?.item.title);
  return <PageReady of={item}>{({ item: one }) => <ItemView item={one} />}</PageReady>;
}

function pictureOf({ assets, linkedEntities, files }: Item): string | undefined {
  const own = assets['poster'] ?? assets['cover'] ?? assets['photo'] ?? assets['thumbnail'];
  const linked = linkedEntities.flatMap(
    (entity) => entity.assets['poster'] ?? entity.assets['cover'] ?? [],
  );
  const cover = files.flatMap((file) => file.assets['cover'] ?? []);
  return assetId(own ?? linked[0] ?? cover[0]);
}

const kindOf = (files: readonly File[]): File['mediaKind'] | undefined =>
  files.find(({ classification }) => classification === 'primary')?.mediaKind ??
  files[0]?.mediaKind;

function ItemView({ item }: { readonly item: Item }) {
  const picture = pictureOf(item);
  const backdrop = assetId(item.assets['backdrop'] ?? item.assets['fanart']);
  const { metadata, title } = item;
  const summary =
    metadata['summary'] ?? metadata['plot'] ?? metadata['overview'] ?? metadata['description'];
  const tagline = metadata['tagline'];
  const kind = kindOf(item.files);
  const season = item.linkedEntities.find(({ type }) => type === 'season');
  return (
    <article class="page item">
      {backdrop !== undefined && <img class="backdrop" src={pictureUrl(backdrop, 1280)} alt="" />}
      <header class="detail">
        {picture !== undefined && kind !== 'image' && (
          <img
            class={kind === 'audio' ? 'cover square' : 'cover portrait'}
            src={pictureUrl(picture, 640)}
            alt=""
          />
        )}
        <div>
          <Parents item={item} />
          <h1>
            <bdi>
              {typeof metadata['episodeTitle'] === 'string' ? metadata['episodeTitle'] : title}
            </bdi>
          </h1>
          {typeof tagline === 'string' && (
            <p class="tagline" dir="auto">
              {tagline}
            </p>
          )}
          <p class="facts">{factsOf(item).join(' · ')}</p>
          <Play item={item} kind={kind} />
          {typeof summary === 'string' && (
            <p class="summary" dir="auto">
              {summary}
            </p>
          )}
          {kind === 'video' && <Versions item={item} />}
          <Faults files={item.files} />
          <Chips item={item} />
        </div>
      </header>
      {kind === 'image' && picture !== undefined && (
        <a class="photo" href={`/photos/${item.id}`}>
          <img src={pictureUrl(picture, 1280)} alt={title} />
        </a>
      )}
      {season !== undefined && <EpisodeNeighbours id={item.id} seasonId={season.id} />}
      <Cast item={item} />
      <Chapters item={item} />
      {kind !== 'image' && <Similar id={item.id} />}
      <SourceLinks metadata={metadata} />
      <Files item={item} />
      <ItemPanels item={item} />
    </article>
  );
}

/** The show, album or series that the item belongs to. */
function Parents({ item: { linkedEntities, metadata } }: { readonly item: Item }) {
  // One who is the artist of the song and of its album is linked twice.
  const parents = linkedEntities.filter(
    ({ type, id }, at) =>
      ['show', 'season', 'artist', 'album', 'series'].includes(type) &&
      linkedEntities.findIndex((one) => one.id === id) === at,
  );
  const { season, episode } = metadata;
  const number =
    typeof season === 'number' && typeof episode === 'number'
      ? t('item.episode', { season, episode })
      : undefined;
  if (parents.length === 0) return null;
  return (
    <p class="parents">
      {parents.map(({ id, type, name }) => (
        <a key={id} href={entityPath(type, id)}>
          <bdi>{name}</bdi>
        </a>
      ))}
      {number !== undefined && <span>{number}</span>}
    </p>
  );
}

function factsOf(item: Item): readonly string[] {
  const { metadata, files, certification } = item;
  const { year, releaseDate, airDate, date, takenAt, rating } = metadata;
  const day = releaseDate ?? airDate ?? date ?? takenAt;
  const seconds = versionsOf(item)[0]?.duration ?? files[0]?.duration ?? 0;
  const isPages = kindOf(files) === 'text';
  return [
    typeof day === 'string' ? dateOf(day) : typeof year === 'number' ? String(year) : undefined,
    certification ?? undefined,
    seconds > 0
      ? isPages
        ? t('count.pages', { count: Math.round(seconds) })
        : lengthOf(seconds)
      : undefined,
    typeof rating === 'number' ? `★ ${rating.toFixed(1)}` : undefined,
  ].filter((fact) => fact !== undefined);
}

function Play({
  item,
  kind,
}: {
  readonly item: Item;
  readonly kind: File['mediaKind'] | undefined;
}) {
  const { id, playback } = item;
  useEffect(() => {
    if (kind !== 'video') return;
    // The player is there when somebody presses Play; the page itself comes first.
    const later = setTimeout(() => void import('./watch.tsx').catch(() => {}), playerAfterMs);
    return () => clearTimeout(later);
  }, [kind]);
  const isRead = kind === 'text' && readableFile(item.files) !== undefined;
  const film = filmOf(item);
  const isBegun = playback.position > 0 && !playback.completed;
  return (
    <p class="buttons">
      {kind === 'video' && (
        <>
          <a class="button primary" href={`/watch/${id}`} id="play">
            <Icon name="play" />
            {isBegun ? t('action.resume') : t('action.play')}
          </a>
          {isBegun && (
            <a class="button" href={`/watch/${id}?from=0`}>
              {t('action.fromStart')}
            </a>
          )}
        </>
      )}
      {kind === 'audio' && (
        <Button kind="primary" id="play" act={() => playQueue([id], 0)}>
          <Icon name="play" />
          {isBegun ? t('action.resume') : t('action.play')}
        </Button>
      )}
      {kind === 'image' && film !== undefined && (
        <a class="button primary" href={`/watch/${id}?file=${film.id}`} id="play">
          <Icon name="play" />
          {t('photo.film')}
        </a>
      )}
      {kind === 'text' && (
        <>
          {isRead && (
            <a class="button primary" href={`/read/${id}`} id="play">
              <Icon name="book" />
              {isBegun ? t('action.readOn') : t('action.read')}
            </a>
          )}
          <DownloadBook files={item.files} />
        </>
      )}
      <FavouriteButton of="items" id={id} isOn={item.favourite} />
      {kind !== 'image' && (
        <WatchedButton of="items" id={id} type={kind} isWatched={playback.completed} />
      )}
      <AddToList itemIds={[id]} />
      {(kind === 'video' || kind === 'audio' || isRead) && <KeepButton itemId={id} />}
      <MyRating of="items" id={id} rating={item.myRating} />
      {isAdmin.value && (
        <a class="button compact" href={`/admin/items/${id}`}>
          <Icon name="edit" />
          {t('item.edit')}
        </a>
      )}
      <ItemActions item={item} />
    </p>
  );
}

/** The ways to play a title of which there are several versions, such as a longer cut or a smaller picture. */
function Versions({ item }: { readonly item: Item }) {
  const versions = versionsOf(item);
  if (versions.length < 2) return null;
  return (
    <p class="chips" role="group" aria-label={t('item.versions')}>
      {versions.map(({ file, duration }) => (
        <a class="chip" key={file.id} href={`/watch/${item.id}?file=${file.id}`}>
          <Icon name="play" size={16} />
          <bdi>
            {[
              file.edition ?? undefined,
              resolutionOf(file),
              duration > 0 ? lengthOf(duration) : undefined,
              sizeOf(file.size),
            ]
              .filter((part) => part !== undefined)
              .join(' · ')}
          </bdi>
        </a>
      ))}
    </p>
  );
}

/** A book is also read in a reader of the device. */
function DownloadBook({ files }: { readonly files: readonly File[] }) {
  const file = files.find(({ classification }) => classification === 'primary') ?? files[0];
  if (file === undefined) return null;
  return (
    <a
      class={readableFile(files) === undefined ? 'button primary' : 'button'}
      href={`/api/files/${file.id}/stream`}
      download={file.filename}
    >
      <Icon name="download" />
      {t('action.download')}
    </a>
  );
}

/** What kept the server from reading files of the title. */
function Faults({ files }: { readonly files: readonly File[] }) {
  const codes = new Set(files.flatMap((file) => faultOf(file) ?? []));
  return [...codes].map((code) => (
    <p class="fine" key={code}>
      {findMessage(`item.fault.${code}`) ?? t('item.fault')}
    </p>
  ));
}

/** Genres, sound and subtitles as chips. */
function Chips({ item }: { readonly item: Item }) {
  const genres = item.linkedEntities.filter(({ type }) => type === 'genre');
  const streams = item.files.flatMap(
    ({ fileInfo }) => (fileInfo['streams'] as readonly Stream[] | undefined) ?? [],
  );
  const sound = languages(streams.filter(({ kind }) => kind === 'audio'));
  const written = [
    ...languages(streams.filter(({ kind }) => kind === 'subtitle')),
    ...item.files.flatMap(({ text }) =>
      text.flatMap(({ language }) => (language === null ? [] : languageOf(language))),
    ),
  ];
  return (
    <>
      {genres.length > 0 && (
        <p class="chips">
          {genres.map(({ id, name }) => (
            <a class="chip" key={id} href={entityPath('genre', id)}>
              <bdi>{name}</bdi>
            </a>
          ))}
        </p>
      )}
      {sound.length > 0 && <p class="fine">{t('item.sound', { languages: listOf(sound) })}</p>}
      {written.length > 0 && (
        <p class="fine">{t('item.subtitles', { languages: listOf([...new Set(written)]) })}</p>
      )}
    </>
  );
}

interface Stream {
  readonly kind?: string;
  readonly language?: string | null;
}

const languages = (streams: readonly Stream[]): readonly string[] => [
  ...new Set(
    streams.flatMap(({ language }) => (typeof language === 'string' ? languageOf(language) : [])),
  ),
];

function Cast({ item: { linkedEntities, files } }: { readonly item: Item }) {
  const people = linkedEntities.filter(({ type }) => type === 'person');
  if (people.length === 0) return null;
  return (
    <Row title={t(kindOf(files) === 'video' ? 'item.cast' : 'item.people')}>
      {people.map(({ id, name, role, linkMetadata, assets }) => {
        const picture = assetId(assets['poster'] ?? assets['photo'] ?? assets['thumbnail']);
        const character = linkMetadata['character'];
        return (
          <a class="person" key={`${id}-${role}`} href={entityPath('person', id)}>
            <span class="face">
              {picture === undefined ? (
                <Icon name="user" size={32} />
              ) : (
                <img src={pictureUrl(picture, 160)} alt="" loading="lazy" />
              )}
            </span>
            <bdi class="title">{name}</bdi>
            <small>
              {typeof character === 'string' ? character : (findMessage(`role.${role}`) ?? role)}
            </small>
          </a>
        );
      })}
    </Row>
  );
}

/** Titles like this one; nothing while they are not known. */
function Similar({ id }: { readonly id: string }) {
  const similar = useResource(`similar:${id}`, [], () =>
    call('get', '/api/items/{id}/similar', { path: { id }, query: { limit: 20 } }),
  );
  const tiles = similar.value.value?.items ?? [];
  return tiles.length === 0 ? null : (
    <TileRow id="similar" title={t('item.similar')} tiles={tiles} />
  );
}

function Chapters({ item: { id, files } }: { readonly item: Item }) {
  const chapters = files.flatMap((file) => file.chapters);
  if (chapters.length < 2) return null;
  return (
    <details class="panel">
      <summary>{t('item.chapters', { count: chapters.length })}</summary>
      <ol class="lines">
        {chapters.map(({ id: chapterId, title, startTime }) => (
          <li key={chapterId}>
            <a href={`/watch/${id}?from=${startTime}`}>
              <bdi>{title}</bdi>
            </a>
            <small>{lengthOf(startTime)}</small>
          </li>
        ))}
      </ol>
    </details>
  );
}

function Files({ item: { id, files } }: { readonly item: Item }) {
  const extras = files.filter(
    ({ classification }) => !['primary', 'companion'].includes(classification),
  );
  return (
    <>
      {extras.length > 0 && (
        <section>
          <h2>{t('item.extras')}</h2>
          <ul class="lines">
            {extras.map((file) => (
              <li key={file.id}>
                <a href={`/watch/${id}?file=${file.id}`}>
                  <bdi>{file.filename}</bdi>
                </a>
                <small>{file.duration === null ? '' : lengthOf(file.duration)}</small>
              </li>
            ))}
          </ul>
        </section>
      )}
      <details class="panel">
        <summary>{t('item.files', { count: files.length })}</summary>
        <ul class="lines">
          {files.map((file) => (
            <li key={file.id}>
              <bdi>{file.filename}</bdi>
              <small>
                {[
                  sizeOf(file.size),
                  file.edition ?? undefined,
                  isAdmin.value ? file.mimeType : undefined,
                ]
                  .filter((part) => part !== undefined)
                  .join(' · ')}
              </small>
              <a
                class="icon-button"
                href={`/api/files/${file.id}/stream`}
                download={file.filename}
                aria-label={t('action.downloadTitle', { title: file.filename })}
              >
                <Icon name="download" />
              </a>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}
