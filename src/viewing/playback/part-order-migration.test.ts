import { expect, test } from 'vitest';
import { movedPlace } from './part-order-migration.ts';

const part = (path: string, part_number: number | null, duration: number | null) => ({
  uri: `file:///books/Book/${path}`,
  classification: 'primary',
  edition: null,
  part_number,
  duration,
});

test('a place of an audiobook on discs stays in its file', () => {
  const files = [
    part('CD1/1.mp3', 1, 10),
    part('CD1/2.mp3', 2, 20),
    part('CD2/1.mp3', 1, 30),
    part('CD2/2.mp3', 2, 40),
    part('Book.m4b', null, 100),
  ].slice(0, 4);
  // Until then: CD1/1 from 0, CD2/1 from 10, CD1/2 from 40, CD2/2 from 60.
  const places = [5, 10, 39, 41, 61, 99, 100].map((place) => movedPlace(files, place));

  expect(places).toEqual([5, 30, 59, 11, 61, 99, 100]);
});

test('it does not move where a length is not known, or the order was right', () => {
  const unknown = [part('CD1/1.mp3', 1, 10), part('CD1/2.mp3', 2, 20), part('CD2/1.mp3', 1, null)];
  const plain = [part('1.mp3', 1, 10), part('2.mp3', 2, 20)];

  expect(movedPlace(unknown, 15)).toBe(15);
  expect(movedPlace(plain, 15)).toBe(15);
  expect(movedPlace([], 15)).toBe(15);
});
