/** What a person keeps of an item or an entity: buttons that mark it. Guests keep nothing, and see none of them. */
import { useSignal } from '@preact/signals';
import { call } from '../../core/api.ts';
import { t } from '../../core/messages.ts';
import { invalidate } from '../../core/resource.ts';
import { isUser } from '../../core/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { markWords } from '../../ui/taken-in.ts';
import { attempt } from '../../ui/toast.tsx';

interface MarkProps {
  readonly of: 'items' | 'entities';
  readonly id: string;
}

/** Marks it as a favourite, or takes the mark away. */
export function FavouriteButton({ of, id, isOn }: MarkProps & { readonly isOn: boolean }) {
  const isFavourite = useSignal(isOn);
  if (!isUser.value) return null;
  const toggle = (): void => {
    isFavourite.value = !isFavourite.value;
    const method = isFavourite.value ? 'put' : 'delete';
    void attempt(() =>
      of === 'items'
        ? call(method, '/api/items/{id}/favourite', { path: { id } })
        : call(method, '/api/entities/{id}/favourite', { path: { id } }),
    );
  };
  return (
    <button type="button" class="button compact" aria-pressed={isFavourite.value} onClick={toggle}>
      <Icon name="heart" />
      {t('action.favourite')}
    </button>
  );
}

/** Marks it as watched, read or heard, by its type, or takes the mark away. */
export function WatchedButton({
  of,
  id,
  type,
  isWatched,
  isSmall = false,
}: MarkProps & {
  readonly type: string | undefined;
  readonly isWatched: boolean;
  /** Whether only its icon is shown. */
  readonly isSmall?: boolean;
}) {
  if (!isUser.value) return null;
  const toggle = (): Promise<boolean> =>
    attempt(async () => {
      const request = { path: { id }, body: { watched: !isWatched } };
      if (of === 'items') await call('put', '/api/items/{id}/watched', request);
      else await call('put', '/api/entities/{id}/watched', request);
      const topic = `${of === 'items' ? 'item' : 'entity'}:${id}`;
      invalidate((one) => one === topic || one === 'playback');
    });
  const words = markWords(type, isWatched);
  return (
    <button
      type="button"
      class={isSmall ? 'icon-button' : 'button compact'}
      aria-pressed={isWatched}
      aria-label={isSmall ? words : undefined}
      onClick={() => void toggle()}
    >
      <Icon name="check" />
      {!isSmall && words}
    </button>
  );
}

/** The stars that one gives; the same number again takes them back. */
export function MyRating({
  of,
  id,
  rating: before,
}: MarkProps & { readonly rating: number | null }) {
  const rating = useSignal(before);
  if (!isUser.value) return null;
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
