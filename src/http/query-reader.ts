import type { TSchema } from '@sinclair/typebox';

type RawQuery = Readonly<Record<string, unknown>>;

/**
 * A query arrives as texts. This converts each key that the schema names to the type in the schema.
 * A text that cannot be converted stays as it is, so that the schema refuses it by name. Keys that
 * the schema does not name are dropped, so they never reach a domain.
 */
export function createQueryReader(schema: TSchema): (query: unknown) => Record<string, unknown> {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, TSchema>);
  return (query) => {
    const read: Record<string, unknown> = {};
    for (const [name, { type }] of properties) {
      const raw = isRecord(query) && Object.hasOwn(query, name) ? query[name] : undefined;
      if (raw !== undefined) read[name] = readAs(type, raw);
    }
    return read;
  };
}

function readAs(type: unknown, raw: unknown): unknown {
  if (type === 'array') return asList(raw);
  if (typeof raw !== 'string') return raw;
  if (type === 'boolean') return flags.get(raw) ?? raw;
  if (type === 'integer' || type === 'number')
    return /^-?\d+(\.\d+)?$/.test(raw) ? Number(raw) : raw;
  return raw;
}

const flags: ReadonlyMap<string, boolean> = new Map([
  ['', true],
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

const asList = (raw: unknown): unknown =>
  (Array.isArray(raw) ? raw : [raw]).flatMap((text) => String(text).split(','));

const isRecord = (value: unknown): value is RawQuery => typeof value === 'object' && value !== null;
