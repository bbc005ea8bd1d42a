import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { t } from '../core/messages.ts';
import { readAgain, type Loaded } from '../core/resource.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { errorText } from './words.ts';

interface ProblemProps {
  readonly error: unknown;
  readonly retry?: () => void;
  /** It is tried again now. */
  readonly isBusy?: boolean;
}

/** Something that failed, said where it would have been. */
export const Problem = ({ error, retry, isBusy = false }: ProblemProps) => (
  <div class="problem" role="alert">
    <Icon name="warning" />
    <p>{errorText(error)}</p>
    {retry !== undefined && (
      <Button disabled={isBusy} onClick={retry}>
        {t('action.retry')}
      </Button>
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

/** A whole page that failed. */
export const PageProblem = (given: ProblemProps) => (
  <div class="page">
    <h1>{t('error.page')}</h1>
    <Problem {...given} />
  </div>
);

/**
 * Draws a resource when it is there; before that a quiet placeholder, or the reason of a failure and a way
 * to try again. The reason stays until there is an answer.
 */
export function Ready<Value>({
  of,
  children,
  placeholder,
}: {
  readonly of: ReadonlySignal<Loaded<Value>>;
  readonly children: (value: Value) => ComponentChildren;
  readonly placeholder?: ComponentChildren;
}) {
  const state = of.value;
  if (state.value !== undefined) return <>{children(state.value)}</>;
  if (state.error !== undefined)
    return <Problem error={state.error} isBusy={state.isLoading} retry={() => readAgain(of)} />;
  return (
    <div class="loading" role="status" aria-busy="true" aria-label={t('state.loading')}>
      {placeholder}
    </div>
  );
}
