import { expect, test } from 'vitest';
import { captionLookOf, lookKeys } from './caption-look.ts';

test('subtitles look as the profile prefers, and as usual where that cannot be read', () => {
  const usual = { size: 1, colour: 'white', position: 'bottom' };
  expect(captionLookOf({})).toEqual(usual);
  const own = { size: 1.7, colour: 'yellow', position: 'top' };
  const kept = Object.fromEntries(
    Object.entries(lookKeys).map(([name, key]) => [key, own[name as keyof typeof own]]),
  );
  expect(captionLookOf(kept)).toEqual(own);
  const strange = { size: 99, colour: 'red;position:fixed', position: ['top'] };
  const wrong = Object.fromEntries(
    Object.entries(lookKeys).map(([name, key]) => [key, strange[name as keyof typeof strange]]),
  );
  expect(captionLookOf(wrong)).toEqual(usual);
});
