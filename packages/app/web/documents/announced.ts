import { signal } from '@preact/signals';

/** What screen readers say. */
export const announced = signal('');
