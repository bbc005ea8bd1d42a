import { useSignal } from '@preact/signals';
import { call } from '../../core/api.ts';
import { t } from '../../core/messages.ts';
import { viewer } from '../../core/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { attempt } from '../../ui/toast.tsx';

/** The stars that one gives to an item or an entity; the same number again takes them back. Guests keep none. */
export function MyRating({
  of,
  id,
  rating: before,
}: {
  readonly of: 'items' | 'entities';
  readonly id: string;
  readonly rating: number | null;
}) {
  const rating = useSignal(before);
  if (viewer.value?.role === 'guest') return null;
  const rate = (stars: number | null): void => {
    rating.value = stars;
    const body = { value: stars };
    void attempt(() =>
      of === 'items'
        ? call('put', '/api/items/{id}/rating', { path: { id }, body })
        : call('put', '/api/entities/{id}/rating', { path: { id }, body }),
    );
  };
  return (
    <span class="stars" role="group" aria-label={t('item.myRating')}>
      {[1, 2, 3, 4, 5].map((stars) => (
        <button
          key={stars}
          type="button"
          aria-label={t('item.stars', { count: stars })}
          aria-pressed={(rating.value ?? 0) >= stars}
          onClick={() => rate(rating.value === stars ? null : stars)}
        >
          <Icon name="star" size={18} />
        </button>
      ))}
    </span>
  );
}
