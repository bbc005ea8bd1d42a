import { describe, expect, test } from 'vitest';
import { askedBytes, saidBytes } from './byte-range.ts';

describe('a range of 1000 bytes', () => {
  test.each([
    [null, 'all'],
    ['', 'all'],
    ['bytes=0-', { first: 0, last: 999 }],
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=200-299', { first: 200, last: 299 }],
    ['bytes=999-', { first: 999, last: 999 }],
    ['bytes=900-5000', { first: 900, last: 999 }],
    ['bytes=-100', { first: 900, last: 999 }],
    ['bytes=-5000', { first: 0, last: 999 }],
    ['bytes=1000-', 'none'],
    ['bytes=5000-6000', 'none'],
    ['bytes=-0', 'none'],
    ['bytes=-', 'all'],
    ['bytes=300-200', 'all'],
    ['bytes=0-1,5-6', 'all'],
    ['bytes=1e2-', 'all'],
    ['bytes=99999999999999999999-', 'all'],
    ['items=0-5', 'all'],
  ])('%s is %j', (header, asked) => {
    expect(askedBytes(header, 1000)).toEqual(asked);
  });

  test('an empty file has none', () => {
    expect(askedBytes('bytes=0-', 0)).toBe('none');
    expect(askedBytes('bytes=-5', 0)).toBe('none');
  });
});

test.each([
  ['bytes 0-9/100', { first: 0, last: 9, size: 100 }],
  ['bytes */100', undefined],
  ['bytes 0-9/*', undefined],
  ['bytes 0-9', undefined],
  [null, undefined],
])('Content-Range %s says %j', (header, said) => {
  expect(saidBytes(header)).toEqual(said);
});
