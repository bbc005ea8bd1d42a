import { useSignal } from '@preact/signals';
import { call, type Resources } from '../../core/api.ts';
import { t } from '../../core/messages.ts';
import { invalidate, patchResource, preload, useResource } from '../../core/resource.ts';
import { Button } from '../../ui/button.tsx';
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
        <Button act={() => attempt(async () => more(nextCursor))}>{t('matches.more')}</Button>
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
        <Button icon="close" act={reject}>
          {t('matches.noneOfThese')}
        </Button>
        <Button
          icon="search"
          aria-expanded={isSearching.value}
          act={() => (isSearching.value = !isSearching.value)}
        >
          {t('matches.searchAgain')}
        </Button>
      </p>
      {isSearching.value && <Search itemId={id} title={title} year={year} />}
    </section>
  );
}
