import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Refusal } from '../core/api.ts';
import { t } from '../core/messages.ts';
import type { Loaded } from '../core/resource.ts';
import { NotThere } from './not-there.tsx';
import { Ready } from './states.tsx';

/** Draws the resource that a page is about. Where it is not there, the page says so and leads home. */
export function PageReady<Value>({
  of,
  children,
}: {
  readonly of: ReadonlySignal<Loaded<Value>>;
  readonly children: (value: Value) => ComponentChildren;
}) {
  const { value, error, isLoading } = of.value;
  const isGone = error instanceof Refusal && error.status === 404;
  if (value !== undefined || !isGone || isLoading) return <Ready of={of}>{children}</Ready>;
  return <NotThere text={t('error.not_found')} />;
}
