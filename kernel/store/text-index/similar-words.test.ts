import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWithinOneEdit, lengthOf, neighbourhoodOf, reversed } from './similar-words.ts';

const letters = ['a', 'b', 'c', '𐐷'];
const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 6 });

/** Every text that one edit makes of `text`. */
function edits(text: string): Set<string> {
  const points = Array.from(text);
  const found = new Set([text]);
  for (let at = 0; at <= points.length; at += 1) {
    const [before, after] = [points.slice(0, at), points.slice(at)];
    const add = (...middle: readonly string[]) => found.add([...before, ...middle].join(''));
    for (const letter of letters) {
      add(letter, ...after);
      if (after.length > 0) add(letter, ...after.slice(1));
    }
    if (after.length > 0) add(...after.slice(1));
    if (after.length > 1) add(after[1] ?? '', after[0] ?? '', ...after.slice(2));
  }
  return found;
}

describe('isWithinOneEdit', () => {
  test('agrees with trying every edit', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(isWithinOneEdit(a, b)).toBe(edits(a).has(b));
      }),
      { numRuns: 2000 },
    );
  });

  test('holds for each insertion, deletion, replacement and swap', () => {
    for (const edited of edits('ab𐐷ca')) expect(isWithinOneEdit('ab𐐷ca', edited)).toBe(true);
  });
});

describe('neighbourhoodOf', () => {
  test('holds every word within one edit', () => {
    fc.assert(
      fc.property(word, (text) => {
        const { lengths, head, tail, swapped } = neighbourhoodOf(text);
        const inRange = (value: string, { from, to }: typeof head) =>
          Buffer.compare(Buffer.from(value), Buffer.from(from)) >= 0 &&
          Buffer.compare(Buffer.from(value), Buffer.from(to)) < 0;

        for (const near of edits(text)) {
          if (near === '') continue;
          const isCovered =
            lengths.includes(lengthOf(near)) &&
            (inRange(near, head) || inRange(reversed(near), tail) || near === swapped);
          expect([near, isCovered]).toEqual([near, true]);
        }
      }),
    );
  });
});
