/** Values that fit a schema, and values that nobody would send in good faith. */
import type { Random } from './random.ts';

/** What the document says of a value. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
}

/** Texts that break parsers, comparisons, storage, paths and prototypes. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udc00y',
  '\u202e\u2066\ufeff',
  'ﷺ'.repeat(50),
  '😀'.repeat(200),
  'e\u0301\u0301\u0301',
  'İıſK',
  'x'.repeat(5000),
  '%00',
  '%',
  '%zz',
  '%C0%AF',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '../../../../etc/passwd',
  'file:///etc/passwd',
  'file://host/share',
  'http://169.254.169.254/latest/meta-data',
  'javascript:alert(1)',
  "' or 1=1 --",
  '"; drop table users; --',
  '<script>alert(1)</script>',
  '{{7*7}}${7*7}',
  '\r\nSet-Cookie: a=b',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  '-1',
  '1e999',
  '9'.repeat(400),
  '0x10',
  'true',
  '[]',
  '{}',
  '*',
  'a".b"*^:(NEAR/2 ',
  '2026-02-30T25:61:61Z',
  '-271821-04-20T00:00:00.000Z',
  '00000000-0000-7000-8000-000000000000',
  'vtk_' + '0'.repeat(64),
];

/** Values of every type, none of which a route asks for. */
export const hostileValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  1e308,
  -1e308,
  5e-324,
  2 ** 53,
  2 ** 63,
  [],
  {},
  [[]],
  [null],
  [{}],
  { a: { b: { c: [] } } },
  { constructor: { prototype: { isAdmin: true } } },
  { toString: 1, valueOf: 2, hasOwnProperty: 3 },
  { length: 5 },
  { then: 'x' },
  { toJSON: 1 },
  Array.from({ length: 2000 }, (_, index) => index),
];

/** A value that fits, as far as the schema tells; ids come from what is there. */
export function fitting(
  random: Random,
  schema: Schema,
  ids: readonly string[],
  depth = 0,
): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined && schema.enum.length > 0) return random.pick(schema.enum);
  if (schema.anyOf !== undefined && schema.anyOf.length > 0)
    return fitting(random, random.pick(schema.anyOf), ids, depth);
  switch (random.pick([schema.type ?? 'object'].flat())) {
    case 'string':
      return fittingText(random, schema, ids);
    case 'integer':
      return numberIn(random, schema);
    case 'number':
      return numberIn(random, schema) + random.next();
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case 'array':
      return depth > 4
        ? []
        : Array.from({ length: random.below(3) }, () =>
            fitting(random, schema.items ?? {}, ids, depth + 1),
          );
    default:
      return fittingObject(random, schema, ids, depth);
  }
}

function fittingText(
  random: Random,
  { format, minLength = 1, maxLength }: Schema,
  ids: readonly string[],
) {
  if (format === 'date-time') return '2026-11-21T07:44:53.123Z';
  if (format === 'uri') return 'https://example.org/a';
  const text = random.chance(0.4) ? random.pick(ids) : `word ${random.below(1000)}`;
  return text.padEnd(minLength, 'x').slice(0, maxLength ?? 1000);
}

function numberIn(random: Random, { minimum = 0, maximum = 100 }: Schema): number {
  return minimum + random.below(Math.min(maximum - minimum, 1000) + 1);
}

function fittingObject(random: Random, schema: Schema, ids: readonly string[], depth: number) {
  const { properties = {}, required = [], allOf = [] } = schema;
  const entries = Object.entries(properties).filter(
    ([name]) => required.includes(name) || random.chance(0.5),
  );
  const fields = entries.map(
    ([name, one]) => [name, fitting(random, one, ids, depth + 1)] as const,
  );
  const others = allOf.map((one) => fitting(random, one, ids, depth) as object);
  return Object.assign(Object.fromEntries(fields), ...others) as object;
}

/** The same with one thing wrong somewhere: a value, a key too many, or one too few. */
export function spoilt(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.15)) return hostile(random);
  if (Array.isArray(value)) {
    const copy: unknown[] = [...value];
    copy[random.below(copy.length + 1)] = hostile(random);
    return copy;
  }
  const entries = Object.entries(value);
  const at = random.below(entries.length + 1);
  const found = entries[at];
  if (found === undefined || random.chance(0.15))
    return Object.fromEntries([...entries, [random.pick(hostileTexts), hostile(random)]]);
  if (random.chance(0.2)) return Object.fromEntries(entries.filter((one) => one !== found));
  const [name, inner] = found;
  return Object.fromEntries([
    ...entries.filter((one) => one !== found),
    [name, spoilt(random, inner)],
  ]);
}

/** Any value at all. */
export const hostile = (random: Random): unknown =>
  random.chance(0.5) ? random.pick(hostileTexts) : random.pick(hostileValues);
