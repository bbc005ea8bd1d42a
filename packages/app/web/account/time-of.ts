import { locale } from '../core/messages.ts';

/** A time of the server in the words of the page's language. */
export const timeOf = (timestamp: string): string =>
  new Date(timestamp).toLocaleString(locale.value, { dateStyle: 'medium', timeStyle: 'short' });
