import { expect, test } from 'vitest';
import { idsIn, mostIds } from './named-ids.ts';

const id = '01a207ba-2dd1-7000-822c-a2c1a8e64837';
const other = '01a207ba-2dca-7000-a414-75babeadde8b';

test.each([
  [[id], [id]],
  [['word', 'some words', 'nul\0', 'ü', ''], ['word']],
  [[`/api/assets/${id}`], [id]],
  [
    [`https://example.org/api/items/${id.toUpperCase()}?with=${other}&${'x'.repeat(100)}`],
    [id, other],
  ],
  [['x'.repeat(101)], []],
  [[id, `${id} ${id}`], [id]],
])('of %j these may be ids: %j', (texts, ids) => {
  expect(idsIn(texts)).toEqual(ids);
});

test('a text with too many ids gives only slightly more ids than the limit', () => {
  const many = Array.from({ length: 2 * mostIds }, (_, at) =>
    id.replace('2dd1', at.toString(16).padStart(4, '0')),
  );

  expect(idsIn([many.join()])).toHaveLength(mostIds + 1);
});
