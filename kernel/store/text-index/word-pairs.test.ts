import { describe, expect, test } from 'vitest';
import { pairsOf, pairsOfPhrase } from './word-pairs.ts';

describe('pairs of words', () => {
  test('stand in a vector where one of the two is short', () => {
    expect(pairsOf(['the', 'silent', 'night', 'of', '戦', '争'])).toEqual([
      '+the+silent',
      '+night+of',
      '+of+戦',
      '+戦+争',
    ]);
    expect(pairsOf(['night'])).toEqual([]);
  });

  test.each([
    ['of the', false, ['+of+the'], true],
    ['silent night', false, [], false],
    ['the silent night', false, ['+the+silent'], false],
    ['of th', true, ['+of+th'], true],
    // A longer word may begin so, and then its pair is not there.
    ['night th', true, [], false],
    ['night', true, [], false],
  ])('are looked for in the phrase "%s" (its end open: %s)', (phrase, isOpen, pairs, isWhole) => {
    const found = pairsOfPhrase(phrase.split(' '), isOpen);

    expect(found.pairs.map(({ word }) => word)).toEqual(pairs);
    expect(found.isWhole).toBe(isWhole);
    expect(found.pairs.at(-1)?.isOpen ?? isOpen).toBe(isOpen);
  });
});
