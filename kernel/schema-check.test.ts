import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { bundleDeltaSchema, scanPrepareDeltaSchema, uiSchema } from '../manifests-schema/index.ts';
import { createSchemaCheck } from './schema-check.ts';

const check = createSchemaCheck({
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { type: 'string' },
    role: { enum: ['intro', 'credits'] },
    kind: { const: 'form' },
    word: { type: 'string', pattern: '^[a-z]+$', description: 'a word in lower case' },
    map: { type: 'object', propertyNames: { maxLength: 3 } },
  },
});

describe('a schema check', () => {
  test('returns a valid value', () => {
    expect(check({ name: 'a' })).toEqual({ ok: true, value: { name: 'a' } });
  });

  test.each([
    [{}, 'value must have the key "name"'],
    [{ name: 1 }, 'name must be string'],
    [{ name: 'a', other: 1 }, 'value must not have the key "other"'],
    [{ name: 'a', role: 'x' }, 'role must be one of ["intro","credits"]'],
    [{ name: 'a', kind: 'x' }, 'kind must be "form"'],
    [{ name: 'a', word: 'A' }, 'word must be a word in lower case'],
    [{ name: 'a', map: { long: 1 } }, 'map must not have the key "long"'],
  ])('says of %j where it is wrong and what would be right', (value, reason) => {
    expect(check(value)).toEqual({ ok: false, reason });
  });

  test('quotes foreign keys without their control characters', () => {
    expect(check({ name: 'a', 'x\u001b[31m\n': 1 })).toEqual({
      ok: false,
      reason: 'value must not have the key "x [31m "',
    });
  });
});

describe('the schemas of deltas and views', () => {
  test.each([bundleDeltaSchema, scanPrepareDeltaSchema, uiSchema])(
    '$$id is a JSON Schema of 2020-12, strictly',
    (schema) => {
      expect(() =>
        new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema),
      ).not.toThrow();
    },
  );
});
