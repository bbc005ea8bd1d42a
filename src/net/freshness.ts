/** How long an answer may be used again: the part of RFC 9111 that a private cache needs. */
import type { Headers } from './header-rules.ts';

/** What is remembered of an answer. */
export interface Stored {
  readonly status: number;
  readonly headers: Headers;
  /** Unix milliseconds at which the answer was sent for, or last confirmed. */
  readonly storedAt: number;
}

/** Clocks are set by a little all the time. */
const aheadMs = 60_000;

const storable: ReadonlySet<number> = new Set([200, 203, 301, 308, 404, 410]);

/** What was not there may be there soon, however long the caller is content with an old answer. */
const absent: ReadonlySet<number> = new Set([404, 410]);
const absentSeconds = 3600;

/** Whether an answer to a GET may be kept. */
export function mayStore(status: number, headers: Headers): boolean {
  if (!storable.has(status) || headers['vary']?.includes('*') === true) return false;
  return !directives(headers).has('no-store');
}

/**
 * Whether it may be used without asking. `maxAge` is the caller's word in seconds, which counts more
 * than the answer's own.
 */
export function isFresh(stored: Stored, now: number, maxAge?: number): boolean {
  const { status, headers, storedAt } = stored;
  // What seems to come from the future was stored while the clock was ahead.
  if (storedAt > now + aheadMs) return false;
  const age = Math.max(0, now - storedAt) / 1000;
  if (maxAge !== undefined)
    return age < Math.min(maxAge, absent.has(status) ? absentSeconds : maxAge);
  return age + ageAtStart(headers) < lifetime(headers);
}

/** Whether it may stand in for a host that cannot be reached. */
export function mayServeStale({ headers }: Stored): boolean {
  const known = directives(headers);
  return !['no-cache', 'must-revalidate', 'proxy-revalidate'].some((name) => known.has(name));
}

/** The headers that ask a host whether the answer still holds; empty when it gave nothing to ask with. */
export function validators({ headers }: Stored): Headers {
  const { etag, 'last-modified': lastModified } = headers;
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(etag === undefined && lastModified !== undefined && { 'if-modified-since': lastModified }),
  };
}

/** What is remembered after the host said that the answer still holds. */
export function confirmed(stored: Stored, headers: Headers, now: number): Stored {
  const news = Object.entries(headers).filter(
    ([name]) => !/^content-(length|encoding)$/.test(name),
  );
  return { ...stored, headers: { ...stored.headers, ...Object.fromEntries(news) }, storedAt: now };
}

/** Seconds. Nothing is guessed: without a word of the host, an answer is not fresh. */
function lifetime(headers: Headers): number {
  const known = directives(headers);
  if (known.has('no-cache')) return 0;
  const maxAge = known.get('max-age');
  if (maxAge !== undefined) return seconds(maxAge);
  const { expires, date } = headers;
  if (expires === undefined) return 0;
  const life = (Date.parse(expires) - Date.parse(date ?? '')) / 1000;
  return Number.isNaN(life) ? 0 : Math.max(0, life);
}

function ageAtStart({ age }: Headers): number {
  return age === undefined ? 0 : seconds(age);
}

function seconds(text: string): number {
  return /^\d{1,10}$/.test(text) ? Number(text) : 0;
}

function directives(headers: Headers): ReadonlyMap<string, string> {
  const parts = (headers['cache-control'] ?? '').toLowerCase().split(',');
  return new Map(
    parts.map((part) => {
      const [name = '', value = ''] = part.split('=', 2);
      return [name.trim(), value.trim().replace(/^"(.*)"$/, '$1')];
    }),
  );
}
