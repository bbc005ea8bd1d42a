import { describe, expect, test } from 'vitest';
import { firstLocale } from './client-locale.ts';

describe('the language of a client', () => {
  test.each([
    ['de-AT', 'de-AT'],
    ['DE-at, en;q=0.8', 'de-AT'],
    ['en;q=0.5, fr-CA;q=0.9, *;q=0.1', 'fr-CA'],
    ['en, fr', 'en'],
    ['fr;q=0, en;q=0.2', 'en'],
    ['', null],
    ['*', null],
    ['-', null],
    ['../../etc/passwd, de', 'de'],
    ['x'.repeat(600), null],
  ])('of %j is %j', (header, locale) => {
    expect(firstLocale(header)).toBe(locale);
  });
});
