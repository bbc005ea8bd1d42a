import { expect, test } from 'vitest';
import { underOwnTitle } from './item-tiles.ts';

test('an episode in a list by title has the title by which it is sorted', () => {
  const tile = { type: 'episode', title: 'Empire', subtitle: 'S1 E2 · A letter · from home' };
  expect(underOwnTitle(tile)).toEqual({
    ...{ type: 'episode', title: 'A letter · from home', subtitle: 'Empire · S1 E2' },
  });
});

test('an episode without a title of its own, and what is not an episode, stay as they are', () => {
  for (const tile of [
    { type: 'episode', title: 'Empire', subtitle: 'S1 E2' },
    { type: 'episode', title: 'Empire', subtitle: null },
    { type: 'track', title: 'Song', subtitle: 'Quiet · Blue' },
  ])
    expect(underOwnTitle(tile)).toBe(tile);
});
