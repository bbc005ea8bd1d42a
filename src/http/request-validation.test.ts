import { Type } from '@sinclair/typebox';
import { describe, expect, test } from 'vitest';
import { createValidatorCompiler } from './request-validation.ts';

const One = Type.Object(
  { id: Type.String(), folders: Type.Optional(Type.Array(Type.String(), { minItems: 1 })) },
  { additionalProperties: false },
);
const schema = Type.Object({
  libraries: Type.Union([Type.Literal('all'), Type.Array(One, { maxItems: 2 })]),
});

describe('a value that may have several types', () => {
  const validate = createValidatorCompiler(() => (query) => query)({ schema });

  test.each([
    [[{ id: 'a', folders: [] }], 'libraries.0.folders must not be empty.'],
    [[{ id: 'a', path: 'b' }], 'libraries.0.path is not a known key.'],
    [[{}], 'libraries.0.id is missing.'],
    [Array(3).fill({ id: 'a' }), 'libraries must have at most 2 entries.'],
    ['some', 'libraries must be "all" or an array.'],
    [null, 'libraries must be "all" or an array.'],
  ])('is refused by the rules for its type: %j', (libraries, message) => {
    const refused = validate({ libraries });

    expect('error' in refused && refused.error.message).toBe(`body.${message}`);
  });

  test.each(['all', [], [{ id: 'a' }]])('passes: %j', (libraries) => {
    expect(validate({ libraries })).toEqual({ value: { libraries } });
  });
});
