import { useSignal } from '@preact/signals';
import { call, type Resources } from '../../core/api.ts';
import { t } from '../../core/messages.ts';
import { invalidate, useResource } from '../../core/resource.ts';
import { confirm } from '../../ui/dialog.tsx';
import { textOf } from '../../ui/form-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { Ready } from '../../ui/states.tsx';
import { attempt } from '../../ui/toast.tsx';
import { errorText } from '../../ui/words.ts';

type Item = Resources['ItemDetail'];
type Candidate = Resources['MatchCandidate'];

interface Found {
  readonly candidates: readonly Candidate[];
  readonly problems: readonly { readonly pluginName: string; readonly message: string }[];
}

/** Which entry of a catalogue the item is, and how to say that it is another one. */
export function ItemMatch({ item }: { readonly item: Item }) {
  const { id } = item;
  const match = useResource(`admin:match:${id}`, [`item:${id}`], () =>
    call('get', '/api/items/{id}/match', { path: { id } }),
  );
  return (
    <section>
      <h2>{t('match.title')}</h2>
      <Ready of={match}>
        {({ match: now, guesses }) => (
          <>
            <Now id={id} match={now} />
            {guesses.length > 0 && (
              <ul class="lines">
                {guesses.map(({ pluginId, id: guess, title, confidence }) => (
                  <li key={`${pluginId} ${guess}`}>
                    <span>
                      <bdi>{title ?? t('match.unnamed')}</bdi>
                      <small>{t('match.guess', { percent: percentOf(confidence ?? 0) })}</small>
                    </span>
                    <Choose itemId={id} pluginId={pluginId} entry={guess} />
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Ready>
      <Search item={item} />
    </section>
  );
}

const percentOf = (confidence: number): number => Math.round(confidence * 100);

function Now({ id, match }: { readonly id: string; readonly match: Resources['Match'] | null }) {
  async function unmatch(): Promise<void> {
    const isWanted = await confirm({
      title: t('match.reject'),
      text: t('match.rejectQuestion'),
      action: t('match.reject'),
    });
    if (!isWanted) return;
    await attempt(async () => {
      await call('delete', '/api/items/{id}/match', { path: { id } });
      invalidate((topic) => topic === `item:${id}`);
    }, t('match.rejected'));
  }
  if (match === null) return <p class="fine">{t('match.none')}</p>;
  return (
    <p class="buttons">
      <span>
        {match.manual
          ? t('match.byHand')
          : t('match.byPlugin', { percent: percentOf(match.confidence ?? 0) })}
      </span>
      <button type="button" class="button danger" onClick={() => void unmatch()}>
        {t('match.reject')}
      </button>
    </p>
  );
}

function Choose({
  itemId,
  pluginId,
  entry,
}: {
  readonly itemId: string;
  readonly pluginId: string;
  readonly entry: string;
}) {
  return (
    <button
      type="button"
      class="button"
      onClick={() =>
        void attempt(async () => {
          await call('put', '/api/items/{id}/match', {
            path: { id: itemId },
            body: { pluginId, id: entry },
          });
          invalidate((topic) => topic === `item:${itemId}`);
        }, t('match.chosen'))
      }
    >
      <Icon name="check" size={16} />
      {t('match.choose')}
    </button>
  );
}

/** Asks the indexers, by the title or other words. */
function Search({ item: { id, title, metadata } }: { readonly item: Item }) {
  const found = useSignal<Found | null>(null);
  const problem = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  async function search(form: HTMLFormElement): Promise<void> {
    const [q, year] = [textOf(form, 'q'), Number(textOf(form, 'year'))];
    isBusy.value = true;
    problem.value = null;
    try {
      found.value = await call('get', '/api/items/{id}/matches', {
        path: { id },
        query: { ...(q !== '' && { q }), ...(year > 0 && { year }) },
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
            defaultValue={typeof metadata['year'] === 'number' ? String(metadata['year']) : ''}
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
      <ul class="lines">
        {candidates.map(({ pluginId, pluginName, id, title, year, overview, confidence }) => (
          <li key={`${pluginId} ${id}`}>
            <span>
              <strong>
                <bdi>{title}</bdi> {year !== null && `(${year})`}
              </strong>
              <small>
                {t('match.from', { plugin: pluginName, percent: percentOf(confidence) })}
              </small>
              {overview !== null && (
                <small class="clamped">
                  <bdi>{overview}</bdi>
                </small>
              )}
            </span>
            <Choose itemId={itemId} pluginId={pluginId} entry={id} />
          </li>
        ))}
      </ul>
    </>
  );
}
