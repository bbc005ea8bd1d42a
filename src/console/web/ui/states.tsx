import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { t } from '../core/messages.ts';
import type { Loaded } from '../core/resource.ts';
import { Icon } from './icon.tsx';
import { errorText } from './words.ts';

/** Something that failed, said where it would have been. */
export const Problem = ({
  error,
  retry,
}: {
  readonly error: unknown;
  readonly retry?: () => void;
}) => (
  <div class="problem" role="alert">
    <Icon name="warning" />
    <p>{errorText(error)}</p>
    {retry !== undefined && (
      <button type="button" class="button" onClick={retry}>
        {t('action.retry')}
      </button>
    )}
  </div>
);

/** A place with nothing in it, and what to do about that. */
export const Empty = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) => (
  <div class="empty">
    <p>{title}</p>
    {children}
  </div>
);

/** Draws a resource when it is there; before that a quiet placeholder, or the reason of a failure. */
export function Ready<Value>({
  of: { value: state },
  children,
  placeholder,
}: {
  readonly of: ReadonlySignal<Loaded<Value>>;
  readonly children: (value: Value) => ComponentChildren;
  readonly placeholder?: ComponentChildren;
}) {
  if (state.value !== undefined) return <>{children(state.value)}</>;
  if (state.error !== undefined && !state.isLoading) return <Problem error={state.error} />;
  return (
    <div class="loading" role="status" aria-busy="true" aria-label={t('state.loading')}>
      {placeholder}
    </div>
  );
}
