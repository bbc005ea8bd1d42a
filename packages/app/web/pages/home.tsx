import { call, type Resources } from '../core/api.ts';
import { t, type MessageKey } from '../core/messages.ts';
import { preload, useResource } from '../core/resource.ts';
import { isAdmin, preferences } from '../core/session.ts';
import { Icon } from '../ui/icon.tsx';
import { lazy } from '../ui/lazy.tsx';
import { TileRow } from '../ui/row.tsx';
import { Empty, Ready } from '../ui/states.tsx';
import { pictureUrl, tilePath, type TileData } from '../ui/tile.tsx';
import { useTitle } from '../ui/title.ts';

type Row = Resources['HomeRow'];

const PluginPiece = lazy(async () => (await import('../pieces/plugin-slot.tsx')).PluginPiece);
const PluginSlot = lazy(async () => (await import('../pieces/plugin-slot.tsx')).PluginSlot);

const key = 'home';
const topics = ['library', 'playback', 'collection', 'plugin', 'profile'];
const load = () => call('get', '/api/home');

/** Reads the first page before it is shown. */
export const prepare = (): Promise<void> => preload(key, topics, load);

const titles: Readonly<Record<string, MessageKey>> = {
  continue: 'home.continue',
  nextUp: 'home.nextUp',
  favourites: 'home.favourites',
  collections: 'home.collections',
};

function titleOf({ kind, title }: Row): string {
  if (kind === 'new') return t('home.new', { library: title ?? '' });
  const known = titles[kind];
  return known === undefined ? (title ?? '') : t(known);
}

/** The first page: what to go on with, what is next, what is new. */
export default function Home() {
  useTitle(undefined);
  const home = useResource(key, topics, load);
  return (
    <div class="page home">
      <h1 class="unseen">{t('nav.home')}</h1>
      <Ready of={home} placeholder={<HomePlaceholder />}>
        {({ rows, complete }) => {
          const hero = rows.find(({ kind }) => kind === 'continue' || kind === 'nextUp')?.tiles[0];
          const shownRows = rows.filter(
            ({ tiles, view }) => tiles.length > 0 || view !== undefined,
          );
          return (
            <>
              {hero !== undefined && <Hero tile={hero} />}
              {shownRows.map((row, at) =>
                row.view === undefined ? (
                  <TileRow
                    key={row.id}
                    id={row.id.replaceAll(':', '-')}
                    title={titleOf(row)}
                    href={row.libraryId === null ? undefined : `/libraries/${row.libraryId}`}
                    tiles={row.tiles}
                    isEager={at === 0}
                  />
                ) : (
                  <PluginPiece key={row.id} given={row.view} view="ui.home.sections" />
                ),
              )}
              {!complete && <PluginSlot view="ui.home.sections" context={{}} />}
              {shownRows.length === 0 && <FirstSteps />}
            </>
          );
        }}
      </Ready>
    </div>
  );
}

function Hero({ tile }: { readonly tile: TileData }) {
  const { picture, title, subtitle, progress } = tile;
  const color = picture?.color ?? null;
  return (
    <section class="hero" style={color === null ? undefined : { '--tint': color }}>
      {picture !== null && (
        <img class="hero-picture" src={pictureUrl(picture.id, 640)} alt="" fetchpriority="high" />
      )}
      <div>
        <p class="kicker">{progress > 0 ? t('home.continue') : t('home.nextUp')}</p>
        <h2>
          <bdi>{title}</bdi>
        </h2>
        {subtitle !== null && <p class="subtitle">{subtitle}</p>}
        {progress > 0 && <progress max={1} value={progress} aria-label={t('state.progress')} />}
        <p class="buttons">
          <a class="button primary" href={playPath(tile)}>
            <Icon name="play" />
            {progress > 0 ? t('action.resume') : t('action.play')}
          </a>
          <a class="button" href={tilePath(tile)}>
            {t('action.more')}
          </a>
        </p>
      </div>
    </section>
  );
}

/** Where a tile plays: films and episodes in a window of their own, all else on its page. */
const playPath = (tile: TileData): string =>
  tile.type === 'film' || tile.type === 'episode' ? `/watch/${tile.id}` : tilePath(tile);

const HomePlaceholder = () => (
  <div class="placeholder-rows" aria-hidden="true">
    {[0, 1, 2].map((row) => (
      <div key={row} class="placeholder-row" />
    ))}
  </div>
);

function FirstSteps() {
  const hides = preferences.value['homeRows'] ?? [];
  if (!isAdmin.value || hides.length > 0) return <Empty title={t('home.empty')} />;
  return (
    <Empty title={t('home.noLibrary')}>
      <a class="button primary" href="/libraries">
        <Icon name="plus" />
        {t('library.add')}
      </a>
    </Empty>
  );
}
