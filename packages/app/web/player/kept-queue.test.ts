import { expect, test } from 'vitest';
import { readKept } from './kept-queue.ts';

const kept = {
  ...{ profileId: 'anna', items: [{ id: 'a' }, { id: 'b' }], at: 1, position: 12, repeat: 'all' },
};

test('a queue comes back for the profile that it was kept for, and for no other', () => {
  expect(readKept(JSON.stringify(kept), 'anna')).toEqual(kept);
  expect(readKept(JSON.stringify(kept), 'bob')).toBeUndefined();
});

test('what cannot be read is not taken for a queue', () => {
  for (const text of [null, '', '{', '[]', '7', JSON.stringify({ ...kept, at: 5 })])
    expect(readKept(text, 'anna')).toBeUndefined();
  expect(readKept(JSON.stringify({ ...kept, items: undefined }), 'anna')).toBeUndefined();
  expect(readKept(JSON.stringify({ ...kept, position: 'x' }), 'anna')).toBeUndefined();
});
