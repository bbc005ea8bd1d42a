import type { ComponentChildren } from 'preact';
import { nameIn, type Schema } from './api-document.ts';

/** The id of the element that shows a named schema. */
export const schemaId = (name: string): string => `schema-${name}`;

/** A text whose parts between backticks are code. */
export const Prose = ({ text }: { readonly text: string }) =>
  text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));

/** The type of a value in one line, with links to named schemas. */
export function Type({ of: schema }: { readonly of: Schema }): ComponentChildren {
  const { $ref: reference, anyOf, enum: values, items, additionalProperties: rest } = schema;
  if (reference !== undefined) {
    const name = nameIn(reference);
    return <a href={`#${schemaId(name)}`}>{name}</a>;
  }
  if (anyOf)
    return anyOf.map((one, at) => (
      <>
        {at > 0 && ' or '}
        <Type of={one} />
      </>
    ));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  const types = [schema.type ?? 'any'].flat();
  const orNull = types.includes('null') && types.length > 1 ? ' or null' : '';
  const [type = 'any'] = types.filter((one) => one !== 'null');
  const inner =
    type === 'array' ? items : type === 'object' && typeof rest === 'object' ? rest : undefined;
  if (inner === undefined)
    return `${schema.format === undefined ? type : `${type} (${schema.format})`}${orNull}`;
  return (
    <>
      {type === 'array' ? 'list of ' : 'map of '}
      <Type of={inner} />
      {orNull}
    </>
  );
}

/** The limits of a value, in words. */
function limitsOf({ minimum, maximum, default: usual }: Schema): string {
  return [
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    usual !== undefined && `default ${JSON.stringify(usual)}`,
  ]
    .filter((one) => one !== false)
    .join(', ');
}

interface NamedValue {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** Named values with their types. */
export const Fields = ({ of: values }: { readonly of: readonly NamedValue[] }) => (
  <dl class="fields">
    {values.map(({ name, schema, isRequired }) => {
      const limits = limitsOf(schema);
      return (
        <>
          <dt>
            <code>{name}</code>
            {!isRequired && <small> optional</small>}
          </dt>
          <dd>
            <code>
              <Type of={schema} />
            </code>
            {limits !== '' && <small>{` ${limits}`}</small>}
            {schema.description !== undefined && (
              <p class="quiet">
                <Prose text={schema.description} />
              </p>
            )}
            {isNested(schema) && <SchemaView of={schema} />}
          </dd>
        </>
      );
    })}
  </dl>
);

/** Objects without a name stand where they are used. */
function isNested(schema: Schema): boolean {
  const inner = schema.items ?? schema;
  return inner.properties !== undefined || inner.anyOf?.some((one) => one.properties) === true;
}

/** All fields of a schema. */
export function SchemaView({ of: schema }: { readonly of: Schema }): ComponentChildren {
  const inner = schema.items ?? schema;
  const { properties, required = [], anyOf } = inner;
  if (properties !== undefined) {
    const values = Object.entries(properties).map(([name, one]) => ({
      name,
      schema: one,
      isRequired: required.includes(name),
    }));
    return <Fields of={values} />;
  }
  if (anyOf?.some((one) => one.properties))
    return (
      <ul>
        {anyOf.map((one, at) => (
          <li key={at}>{isNested(one) ? <SchemaView of={one} /> : <TypeLine of={one} />}</li>
        ))}
      </ul>
    );
  return <TypeLine of={schema} />;
}

const TypeLine = ({ of: schema }: { readonly of: Schema }) => (
  <p>
    <code>
      <Type of={schema} />
    </code>
  </p>
);
