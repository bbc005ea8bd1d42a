import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonTextFault, jsonValueFault } from './json-limits.ts';

const limits = { maxLength: 10_000, maxDepth: 10 };

describe('JSON text', () => {
  test('is refused one level above the limit, and accepted at it', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

    expect(jsonTextFault(nested(10), limits)).toBeNull();
    expect(jsonTextFault(nested(11), limits)).toBe('is nested more than 10 levels deep');
  });

  test('is refused one character above the limit', () => {
    expect(jsonTextFault(' '.repeat(10_000), limits)).toBeNull();
    expect(jsonTextFault(' '.repeat(10_001), limits)).toBe('is 10001 characters long, above 10000');
  });

  test('may hold any number of brackets and escaped quotes in its strings', () => {
    const text = JSON.stringify(['[{'.repeat(50), `"\\"[[[[`.repeat(50), '\\']);

    expect(jsonTextFault(text, limits)).toBeNull();
  });

  test('is refused exactly when its value is too deep', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const depth = depthOf(JSON.parse(text));
        expect(jsonTextFault(text, { maxLength: Infinity, maxDepth: depth })).toBeNull();
        if (depth === 0) return;
        expect(jsonTextFault(text, { maxLength: Infinity, maxDepth: depth - 1 })).not.toBeNull();
      }),
    );
  });

  test('is refused exactly when it holds too many values, however it is spaced', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 5 }),
        fc.constantFrom('', ' ', '\t\n'),
        (value, space) => {
          const text = JSON.stringify(value, null, space);
          const maxValues = valuesIn(JSON.parse(text));
          const plain = { maxLength: Infinity, maxDepth: 64 };

          expect(jsonTextFault(text, { ...plain, maxValues })).toBeNull();
          if (maxValues === 1) return;
          expect(jsonTextFault(text, { ...plain, maxValues: maxValues - 1 })).toBe(
            `holds more than ${maxValues - 1} values`,
          );
        },
      ),
    );
  });

  test('may hold 100,000 values where nothing else is said', () => {
    const ones = (count: number) => `[${new Array(count).fill('1').join()}]`;

    expect(jsonTextFault(ones(99_999), { maxLength: Infinity, maxDepth: 1 })).toBeNull();
    expect(jsonTextFault(ones(100_000), { maxLength: Infinity, maxDepth: 1 })).toBe(
      'holds more than 100000 values',
    );
  });
});

describe('a JSON value', () => {
  test.each([
    ['{"__proto__": 1}', '__proto__ is a key that is never allowed'],
    [
      '{"fields": {"a": [1, {"constructor": {}}]}}',
      'fields.a[1].constructor is a key that is never allowed',
    ],
    ['[{"prototype": null}]', '[0].prototype is a key that is never allowed'],
    ['{"a": {"a": {"a": {"a": {"a": 1}}}}}', 'a.a.a.a is nested too deep'],
  ])('%s is refused with the path of the fault', (text, fault) => {
    expect(jsonValueFault(JSON.parse(text), 4)).toBe(fault);
  });

  test('may hold the forbidden words as values and inside of longer keys', () => {
    const value = { a: '__proto__', constructors: ['prototype'], proto: 1 };

    expect(jsonValueFault(value, 3)).toBeNull();
  });
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** Keys count as well. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const keys = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, inner) => sum + valuesIn(inner), 1 + keys);
}
