import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalText, decodeCanonical, fromBase64url, toBase64url } from './index.ts';

const encoded = (text: string): string => Buffer.from(text).toString('base64url');

describe('base64url', () => {
  test('is the standard encoding of the same bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
        const text = toBase64url(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64url'));
        expect(fromBase64url(text)).toEqual(bytes);
      }),
    );
  });

  test('has one spelling for each sequence of bytes', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), (text) => {
        const bytes = fromBase64url(text);
        if (bytes !== null) expect(toBase64url(bytes)).toBe(text);
      }),
    );
  });

  test.each(['A', 'AB', 'AAB', 'AA==', 'A+/A', 'AA AA', 'AAA\n', 'ＡＡ'])('is not %j', (text) => {
    expect(fromBase64url(text)).toBeNull();
  });
});

describe('a signed object', () => {
  test('is read from its canonical form', () => {
    const text = canonicalText({ b: [1, { d: true, c: 'ö' }], a: 'x' });

    expect(text).toBe('{"a":"x","b":[1,{"c":"ö","d":true}]}');
    expect(decodeCanonical(encoded(text), 100)?.value).toEqual({
      a: 'x',
      b: [1, { d: true, c: 'ö' }],
    });
  });

  test.each([
    ['has keys in another order', '{"b":1,"a":1}'],
    ['has a space', '{"a": 1}'],
    ['has a key twice', '{"a":1,"a":1}'],
    ['has an escape that is not needed', '{"a":"\\u0041"}'],
    ['spells a number differently', '{"a":1.0}'],
    ['has a number that is not whole', '{"a":1.5}'],
    ['has a number beyond the safe range', '{"a":9007199254740993}'],
    ['has a minus zero', '{"a":-0}'],
    ['has null', '{"a":null}'],
    ['has a lone surrogate', '{"a":"\\ud800"}'],
    ['has a prototype', '{"__proto__":1}'],
    ['is nested too deep', `${'{"a":'.repeat(10)}1${'}'.repeat(10)}`],
    ['is a list', '[1]'],
    ['begins with a byte order mark', '\ufeff{"a":1}'],
    ['is not JSON', 'a'],
    ['is empty', ''],
  ])('is refused when it %s', (_, text) => {
    expect(decodeCanonical(encoded(text), 1000)).toBeNull();
  });

  test('is refused when it is not UTF-8, or too long', () => {
    expect(decodeCanonical(Buffer.from([0x7b, 0xff, 0x7d]).toString('base64url'), 100)).toBeNull();
    expect(decodeCanonical(encoded('{"a":1}'), 9)).toBeNull();
  });
});
