import { expect, test } from 'vitest';
import {
  fillQueue,
  placeAfter,
  queue,
  queueAt,
  shuffled,
  toggleShuffle,
  unqueue,
} from './queue-state.ts';

const songs = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
const ids = (): string => queue.value.map(({ id }) => id).join('');

test('a shuffled queue has each title once, the one that plays first', () => {
  const mixed = shuffled(songs, songs[2], () => 0);
  expect(mixed[0]).toBe(songs[2]);
  expect(mixed.map(({ id }) => id).sort()).toEqual(['a', 'b', 'c', 'd']);
});

test('what plays goes on when the rest is shuffled and put in order again', () => {
  fillQueue(songs, 2, false);
  toggleShuffle();
  expect(queue.value[queueAt.value]?.id).toBe('c');
  expect(queueAt.value).toBe(0);
  toggleShuffle();
  expect([ids(), queueAt.value]).toEqual(['abcd', 2]);
});

test('a title that is taken out does not move what plays', () => {
  fillQueue(songs, 2, false);
  unqueue(0);
  expect([ids(), queue.value[queueAt.value]?.id]).toEqual(['bcd', 'c']);
  unqueue(2);
  expect([ids(), queueAt.value]).toEqual(['bc', 1]);
});

test('the end is followed by the start only where all is repeated', () => {
  expect(placeAfter(0, 2, 'off')).toBe(1);
  expect(placeAfter(1, 2, 'off')).toBeUndefined();
  expect(placeAfter(1, 2, 'all')).toBe(0);
});
