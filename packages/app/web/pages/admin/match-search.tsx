/** The parts with which a person says what an item is: the search, its results, the choice. */
import { useSignal } from '@preact/signals';
import { call, type Resources } from '../../core/api.ts';
import { t } from '../../core/messages.ts';
import { invalidate } from '../../core/resource.ts';
import { Button } from '../../ui/button.tsx';
import { textOf } from '../../ui/form-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { attempt } from '../../ui/toast.tsx';
import { errorText } from '../../ui/words.ts';

type Candidate = Resources['MatchCandidate'];

interface Found {
  readonly candidates: readonly Candidate[];
  readonly problems: readonly { readonly pluginName: string; readonly message: string }[];
}

/** A confidence as people read it. */
export const percentOf = (confidence: number): number => Math.round(confidence * 100);

/** The button that says that an item is this entry. */
export function Choose({
  itemId,
  pluginId,
  entry,
}: {
  readonly itemId: string;
  readonly pluginId: string;
  readonly entry: string;
}) {
  return (
    <Button
      icon="check"
      act={() =>
        attempt(async () => {
          await call('put', '/api/items/{id}/match', {
            path: { id: itemId },
            body: { pluginId, id: entry },
          });
          invalidate((topic) => topic === `item:${itemId}` || topic === 'matches');
        }, t('match.chosen'))
      }
    >
      {t('match.choose')}
    </Button>
  );
}

interface SearchProps {
  readonly itemId: string;
  readonly title: string;
  readonly year: number | null;
}

/** Asks the indexers, by the title or other words. */
export function Search({ itemId: id, title, year }: SearchProps) {
  const found = useSignal<Found | null>(null);
  const problem = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  async function search(form: HTMLFormElement): Promise<void> {
    const [q, wanted] = [textOf(form, 'q'), Number(textOf(form, 'year'))];
    isBusy.value = true;
    problem.value = null;
    try {
      found.value = await call('get', '/api/items/{id}/matches', {
        path: { id },
        query: { ...(q !== '' && { q }), ...(wanted > 0 && { year: wanted }) },
      });
    } catch (error) {
      problem.value = errorText(error);
    }
    isBusy.value = false;
  }
  return (
    <>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          void search(event.currentTarget);
        }}
      >
        <label>
          <span class="unseen">{t('match.words')}</span>
          <input name="q" type="search" maxLength={500} defaultValue={title} />
        </label>
        <label>
          <span class="unseen">{t('field.year')}</span>
          <input
            name="year"
            type="number"
            min={1}
            max={9999}
            placeholder={t('field.year')}
            defaultValue={year === null ? '' : String(year)}
          />
        </label>
        <button type="submit" class="button" disabled={isBusy.value}>
          <Icon name="search" size={16} />
          {t('match.search')}
        </button>
      </form>
      <div role="status" aria-busy={isBusy.value}>
        {problem.value !== null && <p class="warn">{problem.value}</p>}
        {found.value !== null && <Results itemId={id} found={found.value} />}
      </div>
    </>
  );
}

function Results({ itemId, found }: { readonly itemId: string; readonly found: Found }) {
  const { candidates, problems } = found;
  return (
    <>
      {problems.map(({ pluginName, message }) => (
        <p key={pluginName} class="warn">
          {t('match.problem', { plugin: pluginName, message })}
        </p>
      ))}
      {candidates.length === 0 && <p class="fine">{t('match.nothing')}</p>}
      <Candidates itemId={itemId} candidates={candidates} />
    </>
  );
}

/** Entries of catalogues that an item may be, each with its poster and its source. */
export function Candidates({
  itemId,
  candidates,
}: {
  readonly itemId: string;
  readonly candidates: readonly Candidate[];
}) {
  return (
    <ul class="lines candidates">
      {candidates.map((one) => (
        <li key={`${one.pluginId} ${one.id}`}>
          <Poster itemId={itemId} candidate={one} />
          <About candidate={one} />
          <Choose itemId={itemId} pluginId={one.pluginId} entry={one.id} />
        </li>
      ))}
    </ul>
  );
}

function Poster({
  itemId,
  candidate: { pluginId, imageUrl },
}: {
  readonly itemId: string;
  readonly candidate: Candidate;
}) {
  const query = new URLSearchParams({ pluginId, url: imageUrl ?? '' });
  return (
    <span class="poster">
      <Icon name="film" size={20} />
      {imageUrl !== null && (
        <img
          src={`/api/items/${itemId}/matches/picture?${query}`}
          alt=""
          loading="lazy"
          decoding="async"
          onError={({ currentTarget }) => (currentTarget.hidden = true)}
        />
      )}
    </span>
  );
}

function About({
  candidate: { pluginName, title, year, overview, url, confidence },
}: {
  readonly candidate: Candidate;
}) {
  return (
    <span>
      <strong>
        {url === null ? (
          <bdi>{title}</bdi>
        ) : (
          <a href={url} target="_blank" rel="noreferrer">
            <bdi>{title}</bdi>
          </a>
        )}{' '}
        {year !== null && `(${year})`}
      </strong>
      <small>{t('match.from', { plugin: pluginName, percent: percentOf(confidence) })}</small>
      {overview !== null && (
        <small class="clamped">
          <bdi>{overview}</bdi>
        </small>
      )}
    </span>
  );
}
