/** How long a response may be reused: the part of RFC 9111 that a private cache needs. */
import type { Headers } from './header-rules.ts';

/** What is stored of a response. */
export interface Stored {
  readonly status: number;
  readonly headers: Headers;
  /** Unix milliseconds when the response was requested, or last confirmed. */
  readonly storedAt: number;
}

/** A tolerance, since clocks are corrected by small amounts. */
const aheadMs = 60_000;

const storable: ReadonlySet<number> = new Set([200, 203, 301, 308, 404, 410]);

/** Missing resources may appear soon, so these are not kept as long as the caller allows. */
const absent: ReadonlySet<number> = new Set([404, 410]);
const absentSeconds = 3600;

/** Whether a response to a GET may be cached. */
export function mayStore(status: number, headers: Headers): boolean {
  if (!storable.has(status) || headers['vary']?.includes('*') === true) return false;
  return !directives(headers).has('no-store');
}

/**
 * Whether it may be used without a request. `maxAge` is set by the caller in seconds, and overrides
 * the response's own.
 */
export function isFresh(stored: Stored, now: number, maxAge?: number): boolean {
  const { status, headers, storedAt } = stored;
  // It was stored while the clock was ahead.
  if (storedAt > now + aheadMs) return false;
  const age = Math.max(0, now - storedAt) / 1000;
  if (maxAge !== undefined)
    return age < Math.min(maxAge, absent.has(status) ? absentSeconds : maxAge);
  return age + ageAtStart(headers) < lifetime(stored);
}

/** Whether it may be used when the host cannot be reached. */
export function mayServeStale({ headers }: Stored): boolean {
  const known = directives(headers);
  return !['no-cache', 'must-revalidate', 'proxy-revalidate'].some((name) => known.has(name));
}

/** The headers that ask a host to confirm the response; empty when it had no validators. */
export function validators({ headers }: Stored): Headers {
  const { etag, 'last-modified': lastModified } = headers;
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(etag === undefined && lastModified !== undefined && { 'if-modified-since': lastModified }),
  };
}

/** The entry after the host confirmed the response. */
export function confirmed(stored: Stored, headers: Headers, now: number): Stored {
  const news = Object.entries(headers).filter(
    ([name]) => !/^content-(length|encoding)$/.test(name),
  );
  return { ...stored, headers: { ...stored.headers, ...Object.fromEntries(news) }, storedAt: now };
}

/** Seconds. There is no heuristic: without a header of the host, a response is not fresh. */
function lifetime({ headers, storedAt }: Stored): number {
  const known = directives(headers);
  if (known.has('no-cache')) return 0;
  const maxAge = known.get('max-age');
  if (maxAge !== undefined) return seconds(maxAge);
  const expiresAt = parseHttpDate(headers['expires']);
  if (expiresAt === null) return 0;
  return Math.max(0, expiresAt - (parseHttpDate(headers['date']) ?? storedAt)) / 1000;
}

/** Unix milliseconds; `null` for what is not a date, such as `0` (RFC 9111, section 5.3). */
function parseHttpDate(text = ''): number | null {
  if (!/^(mon|tue|wed|thu|fri|sat|sun)/i.test(text)) return null;
  // The form of asctime names no zone; it is UTC (RFC 9110, section 5.6.7).
  const unixMs = Date.parse(/gmt$/i.test(text) ? text : `${text} GMT`);
  return Number.isNaN(unixMs) ? null : unixMs;
}

function ageAtStart({ age }: Headers): number {
  return age === undefined ? 0 : seconds(age);
}

/** A number too large to count is 2^31 (RFC 9111, section 1.2.2); what is not a number is 0. */
function seconds(text: string): number {
  return /^\d+$/.test(text) ? Math.min(Number(text), 2 ** 31) : 0;
}

const directive = /([^\s,="]+)(?:\s*=\s*(?:"([^"]*)"|([^\s,]*)))?/g;

/** By name. Of a directive that is repeated, the first counts (RFC 9111, section 4.2.1). */
function directives(headers: Headers): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const text = (headers['cache-control'] ?? '').toLowerCase();
  for (const [, name = '', quoted, token = ''] of text.matchAll(directive))
    if (!found.has(name)) found.set(name, quoted ?? token);
  return found;
}
