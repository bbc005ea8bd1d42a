/**
 * Writes the schemas of routes for the API document. A named schema is written once, under
 * `components.schemas`; everywhere else stands a reference. The routes themselves keep whole
 * schemas, so validation resolves nothing.
 */
import { documentOnly, schemaName, schemaOfValue } from '../../contract/resources/schema-parts.ts';

export type Written = Readonly<Record<string, unknown>>;

/** Writes schemas, and keeps those with a name. */
export type SchemaWriter = ReturnType<typeof createSchemaWriter>;

interface MarkedSchema {
  readonly [schemaName]?: string | undefined;
  readonly [schemaOfValue]?: MarkedSchema;
  readonly [documentOnly]?: object;
  readonly description?: string;
}

/** Keywords of a parameter, not of its schema. */
const ofParameters: ReadonlySet<string> = new Set(['style', 'explode']);

/** Two schemas must not share a name: one of them would not be in the document. */
export function createSchemaWriter() {
  const known = new Map<string, { readonly text: string; readonly written: Written }>();

  function write(schema: MarkedSchema): Written {
    const { [schemaName]: name, [schemaOfValue]: value } = schema;
    if (name !== undefined) return reference(name, schema);
    if (value?.[schemaName] !== undefined)
      return { anyOf: [write(value), { type: 'null' }], ...describedUnlike(schema, value) };
    return plain(schema);
  }

  function reference(name: string, schema: MarkedSchema): Written {
    const written = plain(schema);
    const text = JSON.stringify(written);
    const before = known.get(name);
    if (before !== undefined && before.text !== text)
      throw new Error(`Two schemas of routes have the name ${name}.`);
    known.set(name, { text, written });
    return { $ref: `#/components/schemas/${name}` };
  }

  function plain(schema: MarkedSchema): Written {
    return Object.fromEntries(
      Object.entries({ ...schema, ...schema[documentOnly] })
        .filter(([key]) => !ofParameters.has(key))
        .map(([key, value]) => [key, part(key, value)]),
    );
  }

  function part(key: string, value: unknown): unknown {
    if (key === 'properties' && isObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, isObject(one) ? write(one) : one]),
      );
    if ((key === 'items' || key === 'additionalProperties') && isObject(value)) return write(value);
    if (key === 'anyOf' && Array.isArray(value))
      return value.map((one: unknown) => (isObject(one) ? write(one) : one));
    return value;
  }

  return {
    write,
    /** Everything with a name so far, by name. */
    named: (): Readonly<Record<string, Written>> =>
      Object.fromEntries(
        [...known]
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([name, { written }]) => [name, written]),
      ),
  };
}

/** A description of the field, if it is not that of its type. */
const describedUnlike = (schema: MarkedSchema, value: MarkedSchema): Written =>
  schema.description !== undefined && schema.description !== value.description
    ? { description: schema.description }
    : {};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
