import { afterEach, expect, test, vi } from 'vitest';
import {
  createTileList,
  forgetTileLists,
  keptTileList,
  readTilesAhead,
  type TileList,
} from './tile-list.ts';

afterEach(forgetTileLists);

/** A list of 250 numbers, and the places from which they were read. */
function numbers(): { readonly make: () => TileList<number>; readonly reads: number[] } {
  const reads: number[] = [];
  const make = () =>
    createTileList<number>(async (cursor, limit) => {
      const start = Number(cursor ?? 0);
      reads.push(start);
      const items = Array.from({ length: Math.min(limit, 250 - start) }, (_, at) => start + at);
      const end = start + items.length;
      return { items, nextCursor: end < 250 ? String(end) : null, total: 250 };
    });
  return { make, reads };
}

test('a list that was read ahead has its first tiles, and its page does not read them again', async () => {
  const { make, reads } = numbers();

  await readTilesAhead('numbers', make);
  const list = keptTileList('numbers', make);
  await list.ensure(0, 30);

  expect([list.at(0), list.at(29), list.total.value]).toEqual([0, 29, 250]);
  expect(reads).toEqual([0]);
});

test('a list that was left is shown as it was, and read again', async () => {
  const { make, reads } = numbers();
  await keptTileList('numbers', make).ensure(0, 30);

  await readTilesAhead('numbers', make);
  const list = keptTileList('numbers', make);

  expect(list.at(29)).toBe(29);
  await vi.waitFor(() => expect(reads).toEqual([0, 0]));
});

test('a range that is asked for while another is read is read next', async () => {
  const { make, reads } = numbers();
  const list = make();

  await Promise.all([list.ensure(0, 30), list.ensure(210, 240)]);

  expect(list.at(239)).toBe(239);
  expect(reads).toEqual([0, 100, 200]);
});

test('a list that was empty has what came since once it is renewed, and asks once when nothing did', async () => {
  const items: number[] = [];
  let reads = 0;
  const list = createTileList<number>(async () => {
    reads += 1;
    return { items: [...items], nextCursor: null, total: items.length };
  });
  await list.ensure(0, 30);
  await list.renew();
  const whileEmpty = [list.total.value, reads];

  items.push(7);
  await list.renew();

  expect(whileEmpty).toEqual([0, 2]);
  expect([list.total.value, list.at(0)]).toEqual([1, 7]);
});
