import { expect, test } from 'vitest';
import { createNeighbours, type PhotoList } from './neighbours.ts';

const all = Array.from({ length: 9 }, (_, at) => `photo-${at}`);
const list: PhotoList = { libraryId: 'photos', sortBy: 'releasedAt', sortOrder: 'desc' };

function open() {
  const asked: string[] = [];
  const neighbours = createNeighbours(async ({ list: { sortOrder }, id }) => {
    asked.push(`${id} ${sortOrder}`);
    const inOrder = sortOrder === 'desc' ? all : all.toReversed();
    const from = inOrder.indexOf(id);
    if (from === -1) throw new Error('It is not there.');
    const items = inOrder.slice(from, from + 3).map((one) => ({ id: one }));
    return { items, nextCursor: from + 3 < all.length ? 'more' : null };
  });
  return { asked, neighbours };
}

test('a photo has neighbours in the middle of a list, and only its surroundings are read', async () => {
  const { asked, neighbours } = open();
  expect(await neighbours(list, 'photo-4')).toEqual({ before: 'photo-3', after: 'photo-5' });
  expect(await neighbours(list, 'photo-5')).toEqual({ before: 'photo-4', after: 'photo-6' });
  expect(asked).toEqual(['photo-4 asc', 'photo-4 desc']);
  expect(await neighbours(list, 'photo-6')).toEqual({ before: 'photo-5', after: 'photo-7' });
  expect(asked.slice(2)).toEqual(['photo-6 desc']);
});

test('the first and the last one have no neighbours there, and that is asked once', async () => {
  const { asked, neighbours } = open();
  expect(await neighbours(list, 'photo-0')).toEqual({ before: undefined, after: 'photo-1' });
  expect(await neighbours(list, 'photo-0')).toEqual({ before: undefined, after: 'photo-1' });
  expect(asked).toEqual(['photo-0 asc', 'photo-0 desc']);
  expect(await neighbours(list, 'photo-8')).toEqual({ before: 'photo-7', after: undefined });
});

test('another list has other neighbours', async () => {
  const { neighbours } = open();
  await neighbours(list, 'photo-4');
  expect(await neighbours({ ...list, sortOrder: 'asc' }, 'photo-4')).toEqual({
    before: 'photo-5',
    after: 'photo-3',
  });
});

test('one that is not there rejects, and the next question is answered', async () => {
  const { neighbours } = open();
  await expect(neighbours(list, 'none')).rejects.toThrow('It is not there.');
  expect(await neighbours(list, 'photo-1')).toEqual({ before: 'photo-0', after: 'photo-2' });
});
