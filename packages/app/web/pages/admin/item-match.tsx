import { call, type Resources } from '../../core/api.ts';
import { t } from '../../core/messages.ts';
import { invalidate, useResource } from '../../core/resource.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { Ready } from '../../ui/states.tsx';
import { attempt } from '../../ui/toast.tsx';
import { Choose, percentOf, Search } from './match-search.tsx';

type Item = Resources['ItemDetail'];

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
      <Search
        itemId={id}
        title={item.title}
        year={typeof item.metadata['year'] === 'number' ? item.metadata['year'] : null}
      />
    </section>
  );
}

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
      <Button kind="danger" act={unmatch}>
        {t('match.reject')}
      </Button>
    </p>
  );
}
