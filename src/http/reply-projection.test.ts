import { Type } from '@sinclair/typebox';
import { expect, test } from 'vitest';
import { createProjection } from './reply-projection.ts';

const inner = Type.Object({ id: Type.String(), data: Type.Record(Type.String(), Type.Unknown()) });
const project = createProjection(
  Type.Object({ name: Type.String(), one: inner, list: Type.Array(inner) }),
);
const known = { id: 'a', data: { anything: { goes: 'here' } } };

test('a value with only keys of its schema is returned itself', () => {
  const reply = { name: 'n', one: known, list: [known, known] };
  expect(project(reply)).toBe(reply);
});

test.each([
  ['on top', { name: 'n', one: known, list: [], secret: 1 }],
  ['in an object', { name: 'n', one: { ...known, secret: 1 }, list: [] }],
  ['in a list', { name: 'n', one: known, list: [known, { ...known, secret: 1 }] }],
])('a key that the schema does not name stays in the server: %s', (_where, reply) => {
  const before = structuredClone(reply);
  const list = reply.list.map(() => known);
  expect(project(reply)).toEqual({ name: 'n', one: known, list });
  expect(reply).toEqual(before);
});

test('a key of a prototype is not part of the reply', () => {
  const reply: unknown = JSON.parse('{"name":"n","__proto__":{"secret":1},"list":[]}');
  const cut = project(reply);
  expect(JSON.stringify(cut)).toBe('{"name":"n","list":[]}');
  expect(Object.getPrototypeOf(cut)).toBe(Object.prototype);
});

test('an object of a class is cut to the schema, also with getters or a toJSON', () => {
  class Told {
    readonly id = 'a';
    readonly data = {};
    toJSON(): unknown {
      return { secret: 1 };
    }
  }
  const cut = project({ name: 'n', one: new Told(), list: [new Told()] });
  const told = '{"id":"a","data":{}}';
  expect(JSON.stringify(cut)).toBe(`{"name":"n","one":${told},"list":[${told}]}`);
});

test('the branches of a union are distinguished by their constants', () => {
  const union = createProjection(
    Type.Union([
      Type.Object({ type: Type.Literal('a'), first: Type.Number() }),
      Type.Object({ type: Type.Literal('b'), second: Type.Number() }),
    ]),
  );
  expect(union({ type: 'b', first: 1, second: 2 })).toEqual({ type: 'b', second: 2 });
  expect(union({ type: 'c', first: 1 })).toEqual({});
});
