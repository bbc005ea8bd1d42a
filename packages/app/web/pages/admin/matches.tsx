import { useSignal } from '@preact/signals';
import { call, type Resources } from '../../core/api.ts';
import { t } from '../../core/messages.ts';
import { invalidate, patchResource, preload, useResource } from '../../core/resource.ts';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Ready } from '../../ui/states.tsx';
import { attempt } from '../../ui/toast.tsx';
import { AdminPage } from './frame.tsx';
import { Candidates, Search } from './match-search.tsx';

type Pending = Resources['PendingMatch'];

const [key, topics] = ['admin:matches', ['matches', 'job', 'library']];
const load = async () => {
  const [page, { libraries }] = await Promise.all([
    call('get', '/api/matches/pending'),
    call('get', '/api/libraries'),
  ]);
  return { ...page, names: new Map(libraries.map(({ id, name }) => [id, name])) };
};
type Page = Awaited<ReturnType<typeof load>>;

/** Reads the first page before it is shown. */
export const prepare = (): Promise<void> => preload(key, topics, load);

/** What no catalogue is sure of, and a person may say. */
export default function MatchesPage() {
  const page = useResource(key, topics, load);
  return (
    <AdminPage title={t('admin.matches')}>
      <Ready of={page}>{(value) => <List page={value} />}</Ready>
    </AdminPage>
  );
}

function List({ page: { pending, nextCursor, names } }: { readonly page: Page }) {
  async function more(cursor: string): Promise<void> {
    const next = await call('get', '/api/matches/pending', { query: { cursor } });
    patchResource<Page>(key, (known) => ({
      ...known,
      ...next,
      pending: [...known.pending, ...next.pending],
    }));
  }
  if (pending.length === 0) return <Empty title={t('matches.none')} />;
  return (
    <>
      <p class="fine">{t('matches.hint')}</p>
      {pending.map((one) => (
        <Look key={one.item.id} pending={one} library={names.get(one.libraryId)} />
      ))}
      {nextCursor !== null && (
        <button
          type="button"
          class="button"
          onClick={() => void attempt(async () => more(nextCursor))}
        >
          {t('matches.more')}
        </button>
      )}
    </>
  );
}

function Look({
  pending: { item, items, candidates },
  library,
}: {
  readonly pending: Pending;
  readonly library: string | undefined;
}) {
  const isSearching = useSignal(false);
  const { id, title, subtitle, year } = item;
  const facts = [
    ...(library === undefined ? [] : [library]),
    ...(year === null ? [] : [String(year)]),
    ...(items > 1 ? [t('matches.items', { count: items })] : [subtitle ?? '']),
  ].filter((fact) => fact !== '');
  const reject = () =>
    attempt(async () => {
      await call('delete', '/api/items/{id}/match', { path: { id } });
      invalidate((topic) => topic === `item:${id}` || topic === 'matches');
    }, t('match.rejected'));
  return (
    <section class="look" aria-label={title}>
      <h2>
        <a href={`/admin/items/${id}`}>
          <bdi>{title}</bdi>
        </a>
      </h2>
      <p class="facts">
        <bdi>{facts.join(' · ')}</bdi>
      </p>
      <Candidates itemId={id} candidates={candidates} />
      <p class="buttons">
        <button type="button" class="button" onClick={() => void reject()}>
          <Icon name="close" size={16} />
          {t('matches.noneOfThese')}
        </button>
        <button
          type="button"
          class="button"
          aria-expanded={isSearching.value}
          onClick={() => (isSearching.value = !isSearching.value)}
        >
          <Icon name="search" size={16} />
          {t('matches.searchAgain')}
        </button>
      </p>
      {isSearching.value && <Search itemId={id} title={title} year={year} />}
    </section>
  );
}
