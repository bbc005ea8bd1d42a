import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atob as guestAtob, btoa as guestBtoa } from './base64.ts';
import { DOMException as GuestException } from './dom-exception.ts';
import { chacha20Block, createRandom, wordsOf } from './random.ts';
import { structuredClone as guestClone } from './structured-clone.ts';

/** The result, or the name of the error. */
function attempt<Result>(run: () => Result): Result | string {
  try {
    return run();
  } catch (error) {
    return error instanceof Error || error instanceof DOMException ? error.name : 'odd';
  }
}

describe('base64 inside an isolate', () => {
  test('is what Node makes of it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 30 }), (bytes) => {
        const text = String.fromCharCode(...bytes);
        expect(guestBtoa(text)).toBe(btoa(text));
        expect(guestAtob(btoa(text))).toBe(text);
      }),
    );
  });

  test.each([
    '',
    'YQ',
    'YQ=',
    'YQ==',
    'YQ===',
    'Y Q = =',
    'Y',
    '*',
    'YWJj\n',
    '====',
    'a',
    'ab=c',
    'YQ==YQ==',
  ])('reads %j as Node does', (text) => {
    expect(attempt(() => guestAtob(text))).toBe(attempt(() => atob(text)));
  });

  test('refuses characters that are not bytes', () => {
    expect(attempt(() => guestBtoa('\u0100'))).toBe('InvalidCharacterError');
  });
});

describe('structuredClone inside an isolate', () => {
  test('copies data, with its kinds', () => {
    const value = {
      text: 'a', number: -0, big: 1n, nothing: null, missing: undefined, list: [1, undefined, 3], date: new Date(5),
      pattern: /a/gi, map: new Map<unknown, unknown>([[{ a: 1 }, new Set([1])]]), bytes: new Uint8Array([1, 2, 3]).subarray(1),
      floats: new Float64Array([0.5]), view: new DataView(new ArrayBuffer(4), 1), boxed: Object('x'), error: new RangeError('bad'),
    }; // oxfmt-ignore
    const copy = guestClone(value);
    expect(copy).toEqual(structuredClone(value));
    expect(copy).not.toBe(value);
  });

  test('keeps cycles and what is shared', () => {
    const shared = { x: 1 };
    const value: Record<string, unknown> = { a: shared, b: shared };
    value['self'] = value;
    const copy = guestClone(value) as Record<string, unknown>;
    expect(copy['self']).toBe(copy);
    expect(copy['a']).toBe(copy['b']);
  });

  test('takes a key named __proto__ as data', () => {
    const copy = guestClone(JSON.parse('{"__proto__":{"a":1}}')) as object;
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(Object.keys(copy)).toEqual(['__proto__']);
  });

  test('transfers the given buffers', () => {
    const bytes = new Uint8Array([1, 2]);
    const copy = guestClone(bytes, { transfer: [bytes.buffer] });
    expect(copy).toEqual(new Uint8Array([1, 2]));
    expect(bytes.byteLength).toBe(0);
  });

  test.each([
    [() => 1],
    [Symbol('s')],
    [{ deep: [() => 1] }],
    [new WeakMap()],
    [Promise.resolve()],
  ])('refuses %o', (value) => {
    expect(() => guestClone(value)).toThrow(GuestException);
    expect(attempt(() => guestClone(value))).toBe('DataCloneError');
  });
});

describe('random bytes inside an isolate', () => {
  test('come from ChaCha20 as in section 2.3.2 of RFC 8439', () => {
    const key = wordsOf(Uint8Array.from({ length: 32 }, (_, index) => index));
    const nonce = wordsOf(Uint8Array.from([0, 0, 0, 9, 0, 0, 0, 0x4a, 0, 0, 0, 0]));
    const block = chacha20Block(key, 1, [nonce[0] ?? 0, nonce[1] ?? 0, nonce[2] ?? 0]);
    expect(Buffer.from(block).toString('hex')).toBe(
      '10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4ed2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e',
    );
  });

  test('never repeat, and never show the key that the next come from', () => {
    const seed = new Uint8Array(32).fill(7);
    const all = new Uint8Array(320);
    createRandom(seed)(all);
    const blocks = Array.from({ length: 10 }, (_, index) =>
      Buffer.from(all.subarray(index * 32, index * 32 + 32)).toString('hex'),
    );
    expect(new Set(blocks).size).toBe(10);
    const nextKey = Buffer.from(
      chacha20Block(wordsOf(seed), 0, [0, 0, 0]).subarray(0, 32),
    ).toString('hex');
    expect(blocks).not.toContain(nextKey);
  });
});
