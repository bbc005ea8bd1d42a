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
