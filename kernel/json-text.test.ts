import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJson } from './json-text.ts';

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const shape = fc.constantFrom(
  ...Array.from('[]{}:,"\\ue0.-+1 \n\ttrue"null'),
  '\u0001',
  '\u00a0',
  'false',
  '\\u00e9',
);

describe('a JSON text', () => {
  test('is accepted exactly when JSON.parse accepts it', () => {
    fc.assert(
      fc.property(fc.array(shape, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        expect(isJson(text)).toBe(isParsed(text));
      }),
      { numRuns: 2000 },
    );
  });

  test('is accepted exactly when JSON.parse accepts it, also with one character changed', () => {
    const changed = fc.record({ json: fc.json(), at: fc.nat(), put: fc.option(shape) });
    fc.assert(
      fc.property(changed, ({ json, at, put }) => {
        expect(isJson(json)).toBe(true);
        const place = at % (json.length + 1);
        const text =
          json.slice(0, place) + (put ?? '') + json.slice(place + (put === null ? 1 : 0));
        expect(isJson(text)).toBe(isParsed(text));
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ['0', true],
    ['-0.5e+10', true],
    [' [1 , 2 ] ', true],
    ['{"a":{},"b":[[]],"a":null}', true],
    ['"\\ud800"', true],
    ['', false],
    [' ', false],
    ['01', false],
    ['1.', false],
    ['.5', false],
    ['+1', false],
    ['1e', false],
    ['-', false],
    ['[1,]', false],
    ['{"a":1,}', false],
    ['{a:1}', false],
    ['{"a" 1}', false],
    ['[1}', false],
    ['[1]]', false],
    ['[', false],
    ['"\\u12g4"', false],
    ['"\\x"', false],
    ['"a', false],
    ['"a\n"', false],
    ['1 2', false],
    ['1,"injected":2', false],
    ['nul', false],
    ['NaN', false],
    ['\ufeff1', false],
  ])('%j: %s', (text, expected) => {
    expect({ ours: isJson(text), theirs: isParsed(text) }).toEqual({
      ours: expected,
      theirs: expected,
    });
  });

  test('may be a million levels deep', () => {
    expect(isJson('['.repeat(1e6) + ']'.repeat(1e6))).toBe(true);
    expect(isJson('['.repeat(1e6))).toBe(false);
  });
});
