/** Numbers, times and names in the words of the page's language. */
import { Refusal } from '../core/api.ts';
import { findMessage, findRefusal, locale, t } from '../core/messages.ts';

/** `1 h 52 min` of a length in seconds. */
export function lengthOf(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (minutes < 1) return t('length.seconds', { seconds: Math.round(seconds) });
  if (hours === 0) return t('length.minutes', { minutes: rest });
  return rest === 0
    ? t('length.wholeHours', { hours })
    : t('length.hours', { hours, minutes: rest });
}

/** `1:02:03` of a position in seconds. */
export function clockOf(seconds: number): string {
  const whole = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0));
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** `1.4 GB` of a number of bytes. */
export function sizeOf(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
  const step = bytes < 1 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3));
  return new Intl.NumberFormat(locale.value, {
    style: 'unit',
    unit: units[step] ?? 'byte',
    maximumFractionDigits: step < 3 ? 0 : 1,
  }).format(bytes / 1000 ** step);
}

/** A date of the server, such as `12 May 2024`; as it is if it is none. */
export function dateOf(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime())
    ? text
    : date.toLocaleDateString(locale.value, {
        dateStyle: 'long',
        // A day alone is the same day in every time zone.
        ...(/^\d{4}-\d\d-\d\d$/.test(text) && { timeZone: 'UTC' }),
      });
}

/** A month of a year, such as `May 2024` of `2024-05`; a year alone as it is. */
export const monthOf = (text: string): string =>
  text.length === 4
    ? text
    : new Date(`${text}-01T00:00Z`).toLocaleDateString(locale.value, {
        year: 'numeric',
        month: 'long',
        timeZone: 'UTC',
      });

/** A date of the server with its time, such as `12 May 2024, 14:03`; as it is if it is none. */
export function momentOf(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime())
    ? text
    : date.toLocaleString(locale.value, { dateStyle: 'medium', timeStyle: 'short' });
}

/** The path of a `file:` URI, as people write it; other URIs as they are. */
export function pathOf(uri: string): string {
  if (!uri.startsWith('file://')) return uri;
  try {
    return decodeURIComponent(uri.slice('file://'.length));
  } catch {
    return uri;
  }
}

/** The name of a language by its tag. */
export function languageOf(tag: string): string {
  try {
    return new Intl.DisplayNames([locale.value], { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** A list such as `A, B and C`. */
export const listOf = (parts: readonly string[]): string =>
  new Intl.ListFormat(locale.value, { type: 'conjunction' }).format(parts);

/** What went wrong, for people: by its code, else as the server says it. */
export function errorText(error: unknown): string {
  if (!(error instanceof Refusal)) return t('error.other');
  const details = Object.fromEntries(
    Object.entries(error.details).filter(
      (pair): pair is [string, string | number] =>
        typeof pair[1] === 'string' || typeof pair[1] === 'number',
    ),
  );
  const seconds = error.retryAfter || 600;
  const known = findMessage(`error.${error.code}`, { seconds, ...details });
  if (known !== undefined) return known;
  // The server names what is missing by its id.
  if (error.status === 404 && error.code === 'failed') return t('error.not_found');
  const { code, status, message } = error;
  const said = message === '' ? t('error.other') : message;
  return findRefusal(code, said) ?? findRefusal(String(status), said) ?? said;
}
