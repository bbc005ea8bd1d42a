import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { documentKey, sequenceOf } from './document-key.ts';

const parts = {
  titleWords: fc.nat(40),
  bodyWords: fc.nat(100_000),
  kind: fc.nat(15),
  scope: fc.nat(4095),
  sequence: fc.nat(2 ** 28 - 1),
};

describe('documentKey', () => {
  test('is an exact number that gives kind, scope and sequence back', () => {
    fc.assert(
      fc.property(fc.record(parts), (document) => {
        const key = documentKey(document);
        const bits = BigInt(key);

        expect(Number.isSafeInteger(key)).toBe(true);
        expect(Number(bits >> 48n)).toBe(document.kind);
        expect(Number(bits & 4095n)).toBe(document.scope);
        expect(sequenceOf(key)).toBe(document.sequence);
      }),
    );
  });

  test('puts the shorter title first within a kind', () => {
    fc.assert(
      fc.property(fc.record(parts), fc.record(parts), fc.nat(14), (a, b, titleWords) => {
        const shorter = documentKey({ ...a, kind: b.kind, titleWords });
        const longer = documentKey({ ...b, titleWords: titleWords + 1 });

        expect(shorter).toBeLessThan(longer);
      }),
    );
  });

  test('refuses more kinds, scopes or documents than it has room for', () => {
    const room = { titleWords: 1, bodyWords: 0, kind: 0, scope: 0, sequence: 0 };

    expect(() => documentKey({ ...room, kind: 16 })).toThrow('at most 16 kinds');
    expect(() => documentKey({ ...room, scope: 4096 })).toThrow('at most 4096 scopes');
    expect(() => documentKey({ ...room, sequence: 2 ** 28 })).toThrow('puts of new documents');
  });
});
