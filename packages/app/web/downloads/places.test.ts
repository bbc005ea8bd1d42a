import { expect, test } from 'vitest';
import { Refusal } from '../core/api.ts';
import type { Kept } from './kept.ts';
import { onLine } from './kept-requests.ts';
import { isPassing, secondsSince } from './places.ts';

test.each([
  [0, true],
  [401, true],
  [403, true],
  [429, true],
  [503, true],
  [400, false],
  [404, false],
  [409, false],
])('a position that is refused with %i is told again: %s', (status, isAgain) => {
  expect(isPassing(new Refusal(status, ''))).toBe(isAgain);
});

test('a position says how long ago it was, and never that it is to come', () => {
  expect(secondsSince(1000, 61_000)).toBe(60);
  expect(secondsSince(61_000, 1000)).toBe(0);
  expect(secondsSince(0, 1e15)).toBe(1e8);
});

test('a position in a part is a place on the line of the book', () => {
  const files = [1, 2].map((partNumber) => ({
    ...{ id: `part-${partNumber}`, extension: 'mp3', mediaKind: 'audio', type: 'media' },
    ...{ status: 'active', classification: 'primary', edition: null, partNumber, duration: 40 },
  }));
  const book = { item: { files, linkedEntities: [] } } as unknown as Kept;
  expect(onLine(book, { fileId: 'part-2', position: 10, at: 0 })).toBe(50);
});
