import { useMemo, useRef } from 'preact/hooks';
import { useSignal, type ReadonlySignal } from '@preact/signals';
import { call, type Resources } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { setQuery, type PageProps } from '../core/router.ts';
import { peekResource, preload, seedResource, useResource } from '../core/resource.ts';
import { createItemTiles } from '../core/item-tiles.ts';
import { createTileList, keptTileList, readTilesAhead, type TileList } from '../core/tile-list.ts';
import { useRenewal } from '../core/use-renewal.ts';
import { PluginActions } from '../pieces/plugin-slot.tsx';
import { showPhotoList } from '../player/neighbours.ts';
import { PageReady } from '../ui/page-ready.tsx';
import { TileGrid } from '../ui/tile-grid.tsx';
import { shapeOf, tileOfEntity, type TileData } from '../ui/tile.tsx';
import { useTitle } from '../ui/title.ts';
import { monthOf } from '../ui/words.ts';
import {
  EntityFilters,
  entityOrderOf,
  filterKeys,
  LibraryFilters,
  orderOf,
} from './library-filters.tsx';
import { LetterRail, type Letter } from './letter-rail.tsx';
import { LibraryMenu } from './library-menu.tsx';

type Library = Resources['Library'];

const keyOf = (id: string): string => `library:${id}`;
const loadOf = (id: string) => () => call('get', '/api/libraries/{id}', { path: { id } });

/** Reads the library and its first titles before its page is shown. */
export async function prepare({ parameters: { id = '' }, query }: PageProps): Promise<void> {
  const [key, topics, load] = [keyOf(id), [keyOf(id)], loadOf(id)];
  const ofList = peekResource<{ readonly libraries: readonly Library[] }>('libraries');
  const known = ofList?.libraries.find((one) => one.id === id);
  if (known !== undefined) seedResource(key, { topics, load, value: { library: known } });
  await preload(key, topics, load);
  const library = peekResource<{ readonly library: Library }>(key)?.library;
  if (library === undefined || listOf(library, query) !== 'items') return;
  const { identity, make } = itemsOf(library, query);
  await readTilesAhead(identity, make);
}

/** The lists that a library of a type has; the first one is shown. */
const tabs: Readonly<Record<string, readonly string[]>> = {
  tv: ['show', 'items'],
  music: ['album', 'artist', 'items'],
  audiobooks: ['items', 'series', 'person'],
  books: ['items', 'series', 'person'],
  photos: ['items', 'album'],
};

/** The name of a list; the titles of photos are their timeline. */
const listName = (type: string, list: string): string =>
  t(
    type === 'photos' && list === 'items'
      ? 'library.list.photos'
      : (`library.list.${list}` as 'library.list.items'),
  );

/** The list of the library that the address names. */
function listOf({ type }: Library, query: URLSearchParams): string {
  const lists = tabs[type] ?? ['items'];
  const wanted = query.get('list') ?? '';
  return lists.includes(wanted) ? wanted : (lists[0] ?? 'items');
}

/** One library: its titles by type, with filters, sorts and letters in the address. */
export default function LibraryPage({ parameters: { id = '' }, query }: PageProps) {
  const library = useResource(keyOf(id), [keyOf(id)], loadOf(id));
  useTitle(library.value.value?.library.name);
  return (
    <PageReady of={library}>
      {({ library: one }) => <LibraryView library={one} query={query} />}
    </PageReady>
  );
}

function LibraryView({
  library,
  query,
}: {
  readonly library: Library;
  readonly query: URLSearchParams;
}) {
  const lists = tabs[library.type] ?? ['items'];
  const list = listOf(library, query);
  return (
    <div class="page">
      <header class="page-header">
        <h1>
          <bdi>{library.name}</bdi>
        </h1>
        <small>{t('count.items', { count: library.itemCount })}</small>
        <LibraryMenu library={library} />
        <PluginActions view="ui.library.header.actions" context={{ libraryId: library.id }} />
      </header>
      {lists.length > 1 && (
        <nav class="tabs" aria-label={t('library.lists')}>
          {lists.map((name) => (
            <button
              key={name}
              type="button"
              aria-current={name === list ? 'page' : undefined}
              onClick={() => setQuery({ list: name, sortBy: null, sortOrder: null, seed: null })}
            >
              {listName(library.type, name)}
            </button>
          ))}
        </nav>
      )}
      <LibraryPlaylists id={library.id} />
      {list === 'items' ? (
        <Items key={list} library={library} query={query} />
      ) : (
        <Entities key={list} library={library} type={list} query={query} />
      )}
    </div>
  );
}

/** The playlists that are files of the library. */
function LibraryPlaylists({ id }: { readonly id: string }) {
  const found = useResource(`playlists:${id}`, [keyOf(id)], () =>
    call('get', '/api/libraries/{id}/playlists', { path: { id } }),
  );
  const playlists = found.value.value?.playlists ?? [];
  if (playlists.length === 0) return null;
  return (
    <details class="panel">
      <summary>{t('lists.playlists')}</summary>
      <ul class="lines">
        {playlists.map((one) => (
          <li key={one.id}>
            <a href={`/libraries/${id}/playlists/${one.id}`}>
              <bdi>{one.name}</bdi>
            </a>
            <small>
              <bdi>{one.path}</bdi>
            </small>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The titles that the address asks for: the filters, the order, and the list under the name of all that. */
function itemsOf(library: Library, query: URLSearchParams) {
  const filters = Object.fromEntries(
    filterKeys.flatMap((key) => {
      const value = query.get(key);
      return value === null ? [] : [[key, value]];
    }),
  );
  const order = orderOf(library.type, query);
  const { sortBy, sortOrder } = order;
  // Another seed is another order.
  const seed = sortBy === 'random' ? (query.get('seed') ?? 'a') : undefined;
  const identity = JSON.stringify([
    library.id,
    library.updatedAt,
    library.itemCount,
    filters,
    sortBy,
    sortOrder,
    seed,
  ]);
  const make = () =>
    createItemTiles({
      libraryId: library.id,
      ...filters,
      ...order,
      ...(seed !== undefined && { seed }),
    });
  return { filters, order, identity, make };
}

function Items({ library, query }: { readonly library: Library; readonly query: URLSearchParams }) {
  const { filters, order, identity, make } = itemsOf(library, query);
  const { sortBy, sortOrder } = order;
  const list = useMemo(() => keptTileList(identity, make), [identity]);
  useRenewal(list, identity, [keyOf(library.id)]);
  if (library.type === 'photos') showPhotoList({ libraryId: library.id, ...filters, ...order });
  const jump = useRef<((index: number) => void) | null>(null);
  const top = useSignal(0);
  const hasMonths = library.type === 'photos' && sortBy === 'releasedAt';
  const sections = useResource(
    `letters:${identity}`,
    [keyOf(library.id)],
    async (): Promise<readonly Section[]> => {
      const asked = { query: { libraryId: library.id, ...filters, sortOrder } };
      if (sortBy === 'title') {
        const { letters } = await call('get', '/api/items/letters', asked);
        return placed(
          list,
          letters.map(({ letter, ...one }) => ({ name: letter, ...one })),
        );
      }
      if (!hasMonths) return [];
      const { months } = await call('get', '/api/items/months', asked);
      return placed(
        list,
        months.map(({ month, ...one }) => ({ name: month, ...one })),
      );
    },
  );
  const found = sections.value.value ?? [];
  return (
    <>
      <LibraryFilters library={library} query={query} total={list.total.value} />
      {hasMonths && <MonthNow months={found} top={top} />}
      {list.total.value === 0 ? (
        <p class="empty">
          {t(Object.keys(filters).length > 0 ? 'filter.nothing' : 'library.empty')}
        </p>
      ) : (
        <div class="with-rail">
          <TileGrid
            list={list}
            shape={
              query.get('view') === 'list'
                ? 'line'
                : library.type === 'photos'
                  ? 'photo'
                  : library.type === 'music'
                    ? 'square'
                    : shapeOf(library.type)
            }
            onTop={(index) => (top.value = index)}
            jump={jump}
          />
          <LetterRail
            label={t(hasMonths ? 'library.years' : 'library.letters')}
            letters={hasMonths ? yearsOf(found) : lettersOf(found)}
            top={top}
            jump={(index) => jump.current?.(index)}
          />
        </div>
      )}
    </>
  );
}

/** A letter or a month of a list, and the index of its first title. */
interface Section {
  /** As the API has it; null = photos without a date. */
  readonly name: string | null;
  readonly index: number;
}

/** Where the sections of a list begin; the list reads from there. */
function placed(
  list: TileList<TileData>,
  sections: readonly {
    readonly name: string | null;
    readonly count: number;
    readonly cursor: string;
  }[],
): readonly Section[] {
  let index = 0;
  return sections.map(({ name, count, cursor }) => {
    list.anchor(index, cursor);
    const one = { name, index };
    index += count;
    return one;
  });
}

const lettersOf = (sections: readonly Section[]): readonly Letter[] =>
  sections.map(({ name, index }) => ({ letter: name ?? '', index }));

/** The first place of each year; photos without a date have none. */
function yearsOf(months: readonly Section[]): readonly Letter[] {
  const years = new Map<string, number>();
  for (const { name, index } of months) {
    const year = name?.slice(0, 4);
    if (year !== undefined && !years.has(year)) years.set(year, index);
  }
  return [...years].map(([letter, index]) => ({ letter, index }));
}

/** The month of the photos at the top of the window. */
function MonthNow({
  months,
  top,
}: {
  readonly months: readonly Section[];
  readonly top: ReadonlySignal<number>;
}) {
  const now = months.findLast(({ index }) => index <= top.value);
  const name =
    now === undefined ? '' : now.name === null ? t('library.undated') : monthOf(now.name);
  return <p class="month-now">{name}</p>;
}

function Entities({
  library,
  type,
  query,
}: {
  readonly library: Library;
  readonly type: string;
  readonly query: URLSearchParams;
}) {
  const asked = {
    ...entityOrderOf(query),
    ...(query.get('favourite') === 'true' && { favourite: true }),
    ...(query.get('sortBy') === 'random' && { seed: query.get('seed') ?? 'a' }),
  };
  const { updatedAt, itemCount } = library;
  const identity = JSON.stringify([library.id, updatedAt, itemCount, type, asked]);
  const { sortBy, sortOrder, favourite } = { favourite: undefined, ...asked };
  const lettersKey = `letters:${identity}`;
  const topics = [keyOf(library.id)];
  const loadLetters = async () => {
    if (sortBy !== 'name') return [];
    const filters = { libraryId: library.id, type, ...(favourite === true && { favourite }) };
    const read = await call('get', '/api/entities/letters', { query: { ...filters, sortOrder } });
    return read.letters;
  };
  const list = useMemo(
    () =>
      keptTileList(identity, () =>
        createTileList<TileData>(async (cursor, limit, withTotal) => {
          const [page] = await Promise.all([
            call('get', '/api/entities', {
              query: {
                libraryId: library.id,
                ...asked,
                type,
                limit,
                ...(cursor !== null && { cursor }),
              },
            }),
            withTotal && preload(lettersKey, topics, loadLetters),
          ]);
          const letters = peekResource<Awaited<ReturnType<typeof loadLetters>>>(lettersKey) ?? [];
          return {
            items: page.entities.map(tileOfEntity),
            nextCursor: page.nextCursor,
            // The letters are counts of the whole list, so its length is known before it is read.
            ...(withTotal && { total: letters.reduce((sum, { count }) => sum + count, 0) }),
          };
        }),
      ),
    [identity],
  );
  useRenewal(list, identity, topics);
  const letters = useResource(lettersKey, topics, loadLetters).value.value;
  const found = useMemo(
    () =>
      placed(
        list,
        (letters ?? []).map(({ letter, ...one }) => ({ name: letter, ...one })),
      ),
    [list, letters],
  );
  const jump = useRef<((index: number) => void) | null>(null);
  const top = useSignal(0);
  return (
    <>
      <EntityFilters type={type} query={query} />
      {list.total.value === 0 ? (
        <p class="empty">{t(asked.favourite === true ? 'filter.nothing' : 'library.empty')}</p>
      ) : (
        <div class="with-rail">
          <TileGrid
            list={list}
            shape={shapeOf(type)}
            onTop={(index) => (top.value = index)}
            jump={jump}
          />
          <LetterRail
            label={t('library.letters')}
            letters={lettersOf(found)}
            top={top}
            jump={(index) => jump.current?.(index)}
          />
        </div>
      )}
    </>
  );
}
