import { useMemo, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { call, type Resources } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { setQuery, type PageProps } from '../core/router.ts';
import { peekResource, preload, seedResource, useResource } from '../core/resource.ts';
import { createTileList, keptTileList, readTilesAhead, type TileList } from '../core/tile-list.ts';
import { PluginActions } from '../pieces/plugin-slot.tsx';
import { Ready } from '../ui/states.tsx';
import { TileGrid } from '../ui/tile-grid.tsx';
import { shapeOf, tileOfEntity, type TileData } from '../ui/tile.tsx';
import { useTitle } from '../ui/title.ts';
import { filterKeys, LibraryFilters } from './library-filters.tsx';
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
};

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
    <Ready of={library}>{({ library: one }) => <LibraryView library={one} query={query} />}</Ready>
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
              onClick={() => setQuery({ list: name, sortBy: null, sortOrder: null })}
            >
              {t(`library.list.${name}` as 'library.list.items')}
            </button>
          ))}
        </nav>
      )}
      {list === 'items' ? (
        <Items key={list} library={library} query={query} />
      ) : (
        <Entities key={list} library={library} type={list} query={query} />
      )}
    </div>
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
  const sortBy = (query.get('sortBy') ?? 'title') as 'title';
  const sortOrder = (query.get('sortOrder') ?? 'asc') as 'asc';
  const identity = JSON.stringify([
    library.id,
    library.updatedAt,
    library.itemCount,
    filters,
    sortBy,
    sortOrder,
  ]);
  const make = () =>
    createTileList<TileData>(async (cursor, limit, includeTotal) => {
      const page = await call('get', '/api/items', {
        query: {
          libraryId: library.id,
          ...filters,
          sortBy,
          sortOrder,
          ...(sortBy === ('random' as string) && { seed: query.get('seed') ?? 'a' }),
          fields: 'tile',
          limit,
          ...(includeTotal && { includeTotal: true }),
          ...(cursor !== null && { cursor }),
        },
      });
      return page as { items: readonly TileData[]; nextCursor: string | null; total?: number };
    });
  return { filters, sortBy, sortOrder, identity, make };
}

/** Renews a list while it is shown, when something happens in its library. */
function useRenewal(list: TileList<TileData>, identity: string, libraryId: string): void {
  // It is read as it is shown, so only what happens later renews it.
  const renew = useMemo(() => {
    let isShown = false;
    return async (): Promise<void> => {
      if (isShown) await list.renew();
      isShown = true;
    };
  }, [list]);
  useResource(`tiles:${identity}`, [keyOf(libraryId)], renew);
}

function Items({ library, query }: { readonly library: Library; readonly query: URLSearchParams }) {
  const { filters, sortBy, sortOrder, identity, make } = itemsOf(library, query);
  const list = useMemo(() => keptTileList(identity, make), [identity]);
  useRenewal(list, identity, library.id);
  const jump = useRef<((index: number) => void) | null>(null);
  const top = useSignal(0);
  const letters = useResource(
    `letters:${identity}`,
    [keyOf(library.id)],
    async (): Promise<readonly Letter[]> => {
      if (sortBy !== 'title') return [];
      const reply = await call('get', '/api/items/letters', {
        query: { libraryId: library.id, ...filters, sortOrder },
      });
      let index = 0;
      return reply.letters.map(({ letter, count, cursor }) => {
        list.anchor(index, cursor);
        const one = { letter, index };
        index += count;
        return one;
      });
    },
  );
  return (
    <>
      <LibraryFilters type={library.type} query={query} total={list.total.value} />
      {list.total.value === 0 ? (
        <p class="empty">
          {t(Object.keys(filters).length > 0 ? 'filter.nothing' : 'library.empty')}
        </p>
      ) : (
        <div class="with-rail">
          <TileGrid
            list={list}
            shape={
              library.type === 'photos' || library.type === 'music'
                ? 'square'
                : shapeOf(library.type)
            }
            onTop={(index) => (top.value = index)}
            jump={jump}
          />
          <LetterRail
            letters={letters.value.value ?? []}
            top={top}
            jump={(index) => jump.current?.(index)}
          />
        </div>
      )}
    </>
  );
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
  const sortBy = (query.get('sortBy') ?? 'name') as 'name';
  const identity = JSON.stringify([library.id, library.updatedAt, library.itemCount, type, sortBy]);
  const list = useMemo(
    () =>
      keptTileList(identity, () =>
        createTileList<TileData>(async (cursor, limit) => {
          const page = await call('get', '/api/entities', {
            query: {
              libraryId: library.id,
              type,
              sortBy,
              limit,
              ...(cursor !== null && { cursor }),
            },
          });
          return { items: page.entities.map(tileOfEntity), nextCursor: page.nextCursor };
        }),
      ),
    [identity],
  );
  useRenewal(list, identity, library.id);
  return <TileGrid list={list} shape={shapeOf(type)} />;
}
