import type { ComponentChildren } from 'preact';
import { call } from '../core/api.ts';
import { locale, t } from '../core/messages.ts';
import { useResource } from '../core/resource.ts';
import { setQuery } from '../core/router.ts';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { notTakenIn, takenIn } from '../ui/taken-in.ts';
import { languageOf } from '../ui/words.ts';

/** The filters of a library that stand in the address. */
export const filterKeys = [
  'genre',
  'year',
  'watched',
  'favourite',
  'rating',
  'resolution',
  'language',
] as const;

const sorts = [
  'title',
  'addedAt',
  'releasedAt',
  'rating',
  'duration',
  'lastPlayedAt',
  'playCount',
  'random',
] as const;
const descending = new Set<string>([
  'year',
  'addedAt',
  'releasedAt',
  'rating',
  'lastPlayedAt',
  'playCount',
]);

type Sort = (typeof sorts)[number];

/** The order in which a library of a type is shown first: photos by time, the newest first. */
const firstSortOf = (type: string): Sort => (type === 'photos' ? 'releasedAt' : 'title');

/** The order that the address asks for. */
export function orderOf(
  type: string,
  query: URLSearchParams,
): { readonly sortBy: Sort; readonly sortOrder: 'asc' | 'desc' } {
  const asked = query.get('sortBy');
  const sortBy = sorts.find((one) => one === asked) ?? firstSortOf(type);
  const sortOrder = query.get('sortOrder') ?? (descending.has(sortBy) ? 'desc' : 'asc');
  return { sortBy, sortOrder: sortOrder === 'desc' ? 'desc' : 'asc' };
}

/** The name of an order: the date of a photo is the day on which it was taken. */
const sortName = (type: string, sort: Sort): string =>
  t(type === 'photos' && sort === 'releasedAt' ? 'sort.takenAt' : `sort.${sort}`);

type Filter = 'watched' | 'genre' | 'year' | 'rating' | 'resolution' | 'language';

const resolutions = ['sd', 'hd', '4k'] as const;

/** What says nothing about the titles of a type of library. */
const senseless: Readonly<Record<string, readonly (Filter | Sort)[]>> = {
  music: ['resolution'],
  audiobooks: ['resolution'],
  books: ['resolution', 'duration', 'language'],
  photos: [
    'watched',
    'genre',
    'rating',
    'resolution',
    'language',
    'duration',
    'lastPlayedAt',
    'playCount',
  ],
};

/** Chips that narrow a list, and its order. */
export function LibraryFilters({
  library: { id: libraryId, type },
  query,
  total,
}: {
  readonly library: { readonly id: string; readonly type: string };
  readonly query: URLSearchParams;
  readonly total: number | undefined;
}) {
  const genres = useResource(`genres:${libraryId}`, ['library'], () =>
    call('get', '/api/entities', { query: { type: 'genre', libraryId, limit: 200 } }),
  );
  const has = (name: Filter | Sort): boolean => senseless[type]?.includes(name) !== true;
  const languages = useResource(
    `languages:${libraryId}`,
    ['library'],
    async (): Promise<readonly (readonly [tag: string, name: string])[]> => {
      if (!has('language')) return [];
      const found = await call('get', '/api/items/languages', { query: { libraryId } });
      return found.languages
        .map((tag) => [tag, languageOf(tag)] as const)
        .toSorted(([, one], [, other]) => one.localeCompare(other, locale.value));
    },
  );
  const spoken = languages.value.value ?? [];
  const active = filterKeys.filter((key) => query.has(key));
  const set = (key: string) => (event: Event) => {
    const { value } = event.currentTarget as HTMLSelectElement;
    setQuery({ [key]: value === '' ? null : value });
  };
  const decade = new Date().getFullYear() - (new Date().getFullYear() % 10);
  const decades = Array.from({ length: 9 }, (_, at) => decade - at * 10);
  return (
    <div class="filters" role="group" aria-label={t('filter.label')}>
      {has('watched') && (
        <Choice label={takenIn(type)} value={query.get('watched')} onChange={set('watched')}>
          <option value="unwatched">{notTakenIn(type)}</option>
          <option value="started">{t('filter.begun')}</option>
          <option value="watched">{takenIn(type)}</option>
        </Choice>
      )}
      {has('genre') && (
        <Choice label={t('filter.genre')} value={query.get('genre')} onChange={set('genre')}>
          {(genres.value.value?.entities ?? []).map(({ id, name }) => (
            <option key={id} value={name}>
              {name}
            </option>
          ))}
        </Choice>
      )}
      <Choice label={t('filter.year')} value={query.get('year')} onChange={set('year')}>
        {decades.map((from) => (
          <option key={from} value={`${from}..${from + 9}`}>
            {t('filter.decade', { year: String(from) })}
          </option>
        ))}
      </Choice>
      {has('rating') && (
        <Choice label={t('filter.rating')} value={query.get('rating')} onChange={set('rating')}>
          {[9, 8, 7, 6, 5].map((least) => (
            <option key={least} value={`${least}..`}>
              {t('filter.ratingFrom', { rating: least })}
            </option>
          ))}
        </Choice>
      )}
      {has('resolution') && (
        <Choice
          label={t('filter.resolution')}
          value={query.get('resolution')}
          onChange={set('resolution')}
        >
          {resolutions.map((value) => (
            <option key={value} value={value}>
              {t(`filter.resolution.${value}`)}
            </option>
          ))}
        </Choice>
      )}
      {(spoken.length > 1 || query.has('language')) && (
        <Choice label={t('me.language')} value={query.get('language')} onChange={set('language')}>
          {spoken.map(([tag, name]) => (
            <option key={tag} value={tag}>
              {name}
            </option>
          ))}
        </Choice>
      )}
      <Favourites query={query} />
      {active.length > 0 && (
        <button
          type="button"
          class="chip"
          onClick={() => setQuery(Object.fromEntries(filterKeys.map((key) => [key, null])))}
        >
          <Icon name="close" size={16} />
          {t('filter.clear')}
        </button>
      )}
      {active.length > 0 && total !== undefined && (
        <small role="status">{t('count.items', { count: total })}</small>
      )}
      <button
        type="button"
        class="chip"
        aria-pressed={query.get('view') === 'list'}
        onClick={() => setQuery({ view: query.get('view') === 'list' ? null : 'list' })}
      >
        <Icon name="list" size={16} />
        {t('library.asList')}
      </button>
      <SortChoice
        sorts={sorts.filter(has).map((name) => [name, sortName(type, name)])}
        order={orderOf(type, query)}
        first={firstSortOf(type)}
      />
    </div>
  );
}

/** The order of a list, and its direction. */
function SortChoice({
  sorts: names,
  order: { sortBy, sortOrder },
  first,
}: {
  readonly sorts: readonly (readonly [sort: string, name: string])[];
  readonly order: { readonly sortBy: string; readonly sortOrder: 'asc' | 'desc' };
  /** The order that the address does not name. */
  readonly first: string;
}) {
  const usual = descending.has(sortBy) ? 'desc' : 'asc';
  const isReversed = sortOrder !== usual;
  return (
    <span class="sort">
      <label>
        <span>{t('sort.label')}</span>
        <select
          aria-label={t('sort.label')}
          value={sortBy}
          onChange={({ currentTarget: { value } }) =>
            setQuery({
              sortBy: value === first ? null : value,
              sortOrder: null,
              seed: value === 'random' ? String(Date.now()) : null,
            })
          }
        >
          {names.map(([sort, name]) => (
            <option key={sort} value={sort}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {sortBy !== 'random' && (
        <IconButton
          icon={sortOrder === 'asc' ? 'down' : 'up'}
          size={18}
          label={t('sort.reverse')}
          title={t('sort.reverse')}
          aria-pressed={isReversed}
          act={() => setQuery({ sortOrder: isReversed ? null : usual === 'asc' ? 'desc' : 'asc' })}
        />
      )}
    </span>
  );
}

const Favourites = ({ query }: { readonly query: URLSearchParams }) => (
  <button
    type="button"
    class="chip"
    aria-pressed={query.get('favourite') === 'true'}
    onClick={() => setQuery({ favourite: query.get('favourite') === 'true' ? null : 'true' })}
  >
    <Icon name="heart" size={16} />
    {t('home.favourites')}
  </button>
);

const entitySorts = ['name', 'year', 'addedAt', 'playCount', 'random'] as const;
/** Persons and artists have no year. */
const undated = new Set(['artist', 'person']);

/** The order of shows, albums, artists or authors that the address asks for. */
export function entityOrderOf(query: URLSearchParams): {
  readonly sortBy: (typeof entitySorts)[number];
  readonly sortOrder: 'asc' | 'desc';
} {
  const sortBy = entitySorts.find((one) => one === query.get('sortBy')) ?? 'name';
  const sortOrder = query.get('sortOrder') ?? (descending.has(sortBy) ? 'desc' : 'asc');
  return { sortBy, sortOrder: sortOrder === 'desc' ? 'desc' : 'asc' };
}

/** The favourites and the order of shows, albums, artists or authors. */
export function EntityFilters({
  type,
  query,
}: {
  readonly type: string;
  readonly query: URLSearchParams;
}) {
  const names = { name: 'library.name', year: 'filter.year' } as const;
  return (
    <div class="filters" role="group" aria-label={t('filter.label')}>
      <Favourites query={query} />
      <SortChoice
        sorts={entitySorts
          .filter((sort) => sort !== 'year' || !undated.has(type))
          .map((sort) => [
            sort,
            t(sort === 'name' || sort === 'year' ? names[sort] : `sort.${sort}`),
          ])}
        order={entityOrderOf(query)}
        first="name"
      />
    </div>
  );
}

function Choice({
  label,
  value,
  onChange,
  children,
}: {
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (event: Event) => void;
  readonly children: ComponentChildren;
}) {
  return (
    <select
      class={value === null ? 'chip' : 'chip active'}
      aria-label={label}
      value={value ?? ''}
      onChange={onChange}
    >
      <option value="">{label}</option>
      {children}
    </select>
  );
}
