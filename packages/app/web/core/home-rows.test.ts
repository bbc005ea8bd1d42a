import { expect, test } from 'vitest';
import { rowChoices, rowPreference } from './home-rows.ts';

test('rows stand as the person wants them, and rows that are new come last', () => {
  const rows = rowChoices(['continue', 'nextUp', 'new:a'], ['new:a', '-continue', 'new:gone']);

  expect(rows).toEqual([
    { id: 'new:a', isShown: true },
    { id: 'continue', isShown: false },
    { id: 'nextUp', isShown: true },
  ]);
  expect(rowPreference(rows)).toEqual(['new:a', '-continue', 'nextUp']);
});
