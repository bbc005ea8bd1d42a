import { describe, expect, test } from 'vitest';
import { isFresh, mayServeStale, mayStore, validators, type Stored } from './freshness.ts';
import type { Headers } from './header-rules.ts';
import { retryAfterMs } from './retry-after.ts';

const sentAt = Date.UTC(2026, 10, 21, 12);
const stored = (headers: Headers, status = 200): Stored => ({ status, headers, storedAt: sentAt });
const after = (seconds: number) => sentAt + seconds * 1000;

describe('an answer', () => {
  test.each<[string, Headers]>([
    ['max-age', { 'cache-control': 'public, max-age=60' }],
    ['max-age in quotes', { 'cache-control': 'Max-Age="60"' }],
    [
      'expires',
      { expires: 'Sat, 21 Nov 2026 12:01:00 GMT', date: 'Sat, 21 Nov 2026 12:00:00 GMT' },
    ],
    ['expires without a date', { expires: 'Sat, 21 Nov 2026 12:01:00 GMT' }],
    [
      'expires in the form of asctime',
      { expires: 'Sat Nov 21 12:01:00 2026', date: 'Sat, 21 Nov 2026 12:00:00 GMT' },
    ],
    ['the first of two max-age', { 'cache-control': 'max-age=60, max-age=600' }],
    ['max-age beside a quoted list', { 'cache-control': 'private="a, max-age=600", max-age=60' }],
    ['max-age before expires', { 'cache-control': 'max-age=60', expires: '0' }],
    ['the age that it came with', { 'cache-control': 'max-age=100', age: '40' }],
  ])('is fresh as long as %s says', (_name, headers) => {
    expect(isFresh(stored(headers), after(59))).toBe(true);
    expect(isFresh(stored(headers), after(60))).toBe(false);
  });

  test.each<[string, Headers]>([
    ['nothing', {}],
    ['no-cache', { 'cache-control': 'max-age=60, no-cache' }],
    ['nonsense', { 'cache-control': 'max-age=soon', expires: 'soon' }],
    ['an expires that is not a date', { expires: '9999', date: 'Sat, 21 Nov 2026 12:00:00 GMT' }],
    ['max-age within quotes only', { 'cache-control': 'ext="a, max-age=600, b"' }],
  ])('with %s is never fresh by itself', (_name, headers) => {
    expect(isFresh(stored(headers), after(0))).toBe(false);
  });

  test('with a max-age too large to count is fresh for 68 years', () => {
    const headers = { 'cache-control': `max-age=${'9'.repeat(40)}` };

    expect(isFresh(stored(headers), after(2 ** 31 - 1))).toBe(true);
    expect(isFresh(stored(headers), after(2 ** 31))).toBe(false);
  });

  test('is fresh as long as the caller says, with any headers', () => {
    expect(isFresh(stored({ 'cache-control': 'max-age=1' }), after(59), 60)).toBe(true);
    expect(isFresh(stored({ 'cache-control': 'max-age=600' }), after(60), 60)).toBe(false);
  });

  test('from the future was stored by a clock that was ahead, and is not used', () => {
    expect(isFresh(stored({ 'cache-control': 'max-age=600' }), after(-30))).toBe(true);
    expect(isFresh(stored({ 'cache-control': 'max-age=600' }), after(-86_400))).toBe(false);
  });

  test('of a missing resource is fresh for an hour at most', () => {
    expect(isFresh(stored({}, 404), after(3599), 86_400)).toBe(true);
    expect(isFresh(stored({}, 404), after(3600), 86_400)).toBe(false);
  });

  test.each<[number, Headers, boolean]>([
    [200, {}, true],
    [404, {}, true],
    [301, {}, true],
    [200, { 'cache-control': 'no-store' }, false],
    [200, { vary: '*' }, false],
    [206, {}, false],
    [302, {}, false],
    [500, {}, false],
  ])('of status %i with %j is cached: %s', (status, headers, isKept) => {
    expect(mayStore(status, headers)).toBe(isKept);
  });

  test('is not used for an unavailable host when it must be revalidated', () => {
    expect(mayServeStale(stored({}))).toBe(true);
    expect(mayServeStale(stored({ 'cache-control': 'must-revalidate' }))).toBe(false);
    expect(mayServeStale(stored({ 'cache-control': 'no-cache' }))).toBe(false);
  });

  test('is revalidated by its tag, or else by its date', () => {
    expect(validators(stored({ etag: '"a"', 'last-modified': 'x' }))).toEqual({
      'if-none-match': '"a"',
    });
    expect(validators(stored({ 'last-modified': 'x' }))).toEqual({ 'if-modified-since': 'x' });
    expect(validators(stored({}))).toEqual({});
  });
});

describe('Retry-After', () => {
  test('is seconds, a date, or unreadable', () => {
    expect(retryAfterMs('120', sentAt)).toBe(120_000);
    expect(retryAfterMs('Sat, 21 Nov 2026 12:00:30 GMT', sentAt)).toBe(30_000);
    expect(retryAfterMs('Sat, 21 Nov 2026 11:00:00 GMT', sentAt)).toBe(0);
    expect(retryAfterMs('soon', sentAt)).toBeNull();
    expect(retryAfterMs(undefined, sentAt)).toBeNull();
  });
});
