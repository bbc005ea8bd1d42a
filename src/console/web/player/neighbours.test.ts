import { expect, test } from 'vitest';
import { createNeighbours } from './neighbours.ts';

const all = Array.from({ length: 7 }, (_, at) => `photo-${at}`);

function open() {
  const asked: (string | null)[] = [];
  const neighbours = createNeighbours(async (_library, cursor) => {
    asked.push(cursor);
    const from = Number(cursor ?? 0);
    const to = from + 3;
    const items = all.slice(from, to).map((id) => ({ id }));
    return { items, nextCursor: to < all.length ? String(to) : null };
  });
  return { asked, neighbours };
}

test('a photo has neighbours across pages, and each page is read once', async () => {
  const { asked, neighbours } = open();
  expect(await neighbours('photos', 'photo-2')).toEqual({ before: 'photo-1', after: 'photo-3' });
  expect(await neighbours('photos', 'photo-3')).toEqual({ before: 'photo-2', after: 'photo-4' });
  expect(asked).toEqual([null, '3']);
});

test('the first, the last and an unknown one have no neighbours there', async () => {
  const { neighbours } = open();
  expect(await neighbours('photos', 'photo-0')).toEqual({ before: undefined, after: 'photo-1' });
  expect(await neighbours('photos', 'photo-6')).toEqual({ before: 'photo-5', after: undefined });
  expect(await neighbours('photos', 'none')).toEqual({ before: undefined, after: undefined });
});
