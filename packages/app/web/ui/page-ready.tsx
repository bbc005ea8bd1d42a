import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Refusal } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { readAgain, type Loaded } from '../core/resource.ts';
import { NotThere } from './not-there.tsx';
import { PageProblem, Ready } from './states.tsx';

/**
 * Draws the resource that a page is about, whose title is the heading of the page. There is a heading before
 * it is read as well, and where it failed. Where it is not there, the page says so and leads home.
 */
export function PageReady<Value>({
  of,
  children,
}: {
  readonly of: ReadonlySignal<Loaded<Value>>;
  readonly children: (value: Value) => ComponentChildren;
}) {
  const { value, error, isLoading } = of.value;
  if (value !== undefined) return <>{children(value)}</>;
  if (error === undefined)
    return (
      <>
        <h1 class="unseen">{t('state.loading')}</h1>
        <Ready of={of}>{children}</Ready>
      </>
    );
  if (error instanceof Refusal && error.status === 404)
    return <NotThere text={t('error.not_found')} />;
  return <PageProblem error={error} isBusy={isLoading} retry={() => readAgain(of)} />;
}
