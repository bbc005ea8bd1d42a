import { useSignal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { findTitles, type Found } from '../core/find-titles.ts';
import { t } from '../core/messages.ts';
import { setQuery, type PageProps } from '../core/router.ts';
import { assetId } from '../ui/asset-id.ts';
import { Icon } from '../ui/icon.tsx';
import { Problem } from '../ui/states.tsx';
import { entityPath, iconOf, pictureUrl } from '../ui/tile.tsx';
import { useTitle } from '../ui/title.ts';

const pauseMs = 120;
const mostFound = 40;
/** Of shows, people and the like, so many are shown beside the titles. */
const mostEntities = 12;

/** Finds titles, shows, people and music while one types. */
export default function Search({ query }: PageProps) {
  useTitle(t('nav.search'));
  const text = useSignal(query.get('q') ?? '');
  const result = useSignal<Found | null>(null);
  const problem = useSignal<unknown>(undefined);
  const tries = useSignal(0);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    const asked = text.value.trim();
    if (asked === '') {
      result.value = null;
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      setQuery({ q: asked });
      findTitles(asked, mostFound, abort.signal).then(
        (reply) => {
          result.value = reply;
          problem.value = undefined;
        },
        (error: unknown) => {
          if (!abort.signal.aborted) problem.value = error;
        },
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text.value, tries.value]);
  return (
    <div class="page">
      <h1 class="unseen">{t('nav.search')}</h1>
      <form role="search" class="search-form" onSubmit={(event) => event.preventDefault()}>
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          aria-label={t('nav.search')}
          placeholder={t('search.hint')}
          value={text.value}
          maxLength={500}
          onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        />
      </form>
      {problem.value !== undefined && (
        <Problem error={problem.value} retry={() => (tries.value += 1)} />
      )}
      {result.value !== null && <Results result={result.value} />}
    </div>
  );
}

/** What the tile says of it, its year and its library. */
const aboutOf = ({ subtitle, year, libraryName }: Found['items'][number]): string =>
  [subtitle, year, libraryName].filter((part) => part !== null).join(' · ');

/** What was found, by kinds: those that were chosen, or all. */
function Results({ result: { items, entities, itemsTotal, query } }: { readonly result: Found }) {
  const chosen = useSignal<string | null>(null);
  const types = [...new Set(entities.map(({ type }) => type))];
  const libraries = [...new Set(items.map(({ libraryName }) => libraryName))];
  const typeName = (type: string): string => t(`entity.type.${type}` as 'entity.type.show');
  const groups = [
    ...types.map((type) => ({ key: `type:${type}`, name: typeName(type) })),
    ...libraries.map((name) => ({ key: `library:${name}`, name })),
  ];
  // A kind of which the next letters find nothing is not chosen any longer.
  const now = groups.find(({ key }) => key === chosen.value)?.key;
  const isIn = (key: string): boolean => now === undefined || now === key;
  const found = entities.filter(({ type }) => isIn(`type:${type}`));
  const shown = found.slice(0, now === undefined ? mostEntities : found.length);
  const titles = items.filter(({ libraryName }) => isIn(`library:${libraryName}`));
  if (items.length === 0 && entities.length === 0)
    return <p class="empty">{t('search.nothing', { query })}</p>;
  return (
    <div role="region" aria-label={t('search.results')}>
      <p class="unseen" role="status">
        {t('count.items', { count: itemsTotal })}
      </p>
      {groups.length > 1 && (
        <p class="chips" role="group" aria-label={t('filter.label')}>
          {groups.map(({ key, name }) => (
            <button
              key={key}
              type="button"
              class="chip"
              aria-pressed={now === key}
              onClick={() => (chosen.value = now === key ? null : key)}
            >
              <bdi>{name}</bdi>
            </button>
          ))}
        </p>
      )}
      {types.map((type) => (
        <Group key={type} title={t(`search.group.${type}` as 'search.group.show')}>
          {shown
            .filter((one) => one.type === type)
            .map(({ id, name, assets }) => (
              <FoundLine
                key={id}
                href={entityPath(type, id)}
                type={type}
                title={name}
                about={typeName(type)}
                picture={assetId(assets['poster'] ?? assets['cover'])}
              />
            ))}
        </Group>
      ))}
      {[false, true].map((areTracks) => {
        const those = titles.filter((one) => (one.type === 'track') === areTracks);
        // The total counts what was not read too: it is that of a group that has all that was read.
        const isAll = now === undefined && those.length === items.length;
        const count = isAll ? itemsTotal : those.length;
        return (
          <Group
            key={areTracks}
            title={areTracks ? t('search.tracks', { count }) : t('search.titles', { count })}
          >
            {those.map((one) => (
              <FoundLine
                key={one.id}
                href={`/items/${one.id}`}
                type={one.type}
                title={one.title}
                about={aboutOf(one)}
                picture={one.picture?.id}
              />
            ))}
          </Group>
        );
      })}
    </div>
  );
}

/** What was found of one kind, below a heading. */
const Group = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children: readonly ComponentChild[];
}) =>
  children.length === 0 ? null : (
    <>
      <h2>{title}</h2>
      <ul class="found">{children}</ul>
    </>
  );

function FoundLine({
  href,
  type,
  title,
  about,
  picture,
}: {
  readonly href: string;
  readonly type: string;
  readonly title: string;
  readonly about: string;
  readonly picture: string | undefined;
}) {
  return (
    <li>
      <a href={href} id={`found-${href.split('/').pop() ?? ''}`}>
        <span class="picture">
          {picture === undefined ? (
            <Icon name={iconOf(type)} />
          ) : (
            <img src={pictureUrl(picture, 160)} alt="" loading="lazy" />
          )}
        </span>
        <span>
          <bdi class="title">{title}</bdi>
          <small>{about}</small>
        </span>
      </a>
    </li>
  );
}
