import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRange } from './byte-range.ts';

const part = (first: number, last: number) => ({ kind: 'part', range: { first, last } });

describe('readRange', () => {
  test.each([
    ['bytes=0-0', part(0, 0)],
    ['bytes=2-5', part(2, 5)],
    ['bytes=2-', part(2, 9)],
    ['bytes=2-99', part(2, 9)],
    ['bytes=-3', part(7, 9)],
    ['bytes=-99', part(0, 9)],
    ['Bytes = 1 - 2 ', part(1, 2)],
    ['bytes=0-99999999999999999999', part(0, 9)],
  ])('reads %j of ten bytes as a range', (header, expected) => {
    expect(readRange(header, 10)).toEqual(expected);
  });

  test.each(['bytes=10-', 'bytes=10-20', 'bytes=-0', 'bytes=99999999999999999999-'])(
    'reports that %j begins after the end of ten bytes',
    (header) => {
      expect(readRange(header, 10)).toEqual({ kind: 'unsatisfiable' });
    },
  );

  test.each([
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=5-2',
    'bytes=a-b',
    'bytes=0x1-2',
    'bytes=1-2,4-5',
    'items=0-1',
    'bytes=--1',
    'bytes=1.5-2',
  ])('ignores %j, so the whole file is sent', (header) => {
    expect(readRange(header, 10)).toEqual({ kind: 'whole' });
  });

  test('an empty file has no ranges', () => {
    expect(readRange('bytes=0-', 0)).toEqual({ kind: 'unsatisfiable' });
    expect(readRange('bytes=-1', 0)).toEqual({ kind: 'unsatisfiable' });
  });

  test('a range is never empty and never outside of the file, for any header', () => {
    const header = fc.oneof(
      fc.string(),
      fc.tuple(fc.nat(), fc.nat()).map(([a, b]) => `bytes=${a}-${b}`),
      fc.nat().map((count) => `bytes=-${count}`),
    );
    fc.assert(
      fc.property(header, fc.nat(), (text, size) => {
        const asked = readRange(text, size);
        if (asked.kind !== 'part') return;
        const { first, last } = asked.range;
        expect(first >= 0 && first <= last && last < size).toBe(true);
      }),
    );
  });
});
