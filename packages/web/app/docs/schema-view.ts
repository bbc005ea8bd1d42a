import { el } from '../../../page-kit/index.ts';
import { nameIn, type Schema } from './document.ts';

/** The id of the element that shows a named schema. */
export const schemaId = (name: string): string => `schema-${name}`;

/** A text whose parts between backticks are code. */
export const prose = (text: string): readonly (Node | string)[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? el('code', {}, part) : part));

/** The type of a value in one line, with links to named schemas. */
export function typeOf(schema: Schema): readonly (Node | string)[] {
  const { $ref: reference, anyOf, enum: values, items, additionalProperties: rest } = schema;
  if (reference !== undefined) {
    const name = nameIn(reference);
    return [el('a', { href: `#${schemaId(name)}` }, name)];
  }
  if (anyOf) return anyOf.flatMap((one, at) => [...(at > 0 ? [' or '] : []), ...typeOf(one)]);
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (values) return [values.map((value) => JSON.stringify(value)).join(' | ')];
  const types = [schema.type ?? 'any'].flat();
  const orNull = types.includes('null') && types.length > 1 ? ' or null' : '';
  const [type = 'any'] = types.filter((one) => one !== 'null');
  if (type === 'array' && items) return ['list of ', ...typeOf(items), orNull];
  if (type === 'object' && typeof rest === 'object') return ['map of ', ...typeOf(rest), orNull];
  return [schema.format === undefined ? type : `${type} (${schema.format})`, orNull];
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

/** A named value with its type, as a line of a description list. */
export function fieldView(name: string, schema: Schema, isRequired: boolean): readonly Node[] {
  const limits = limitsOf(schema);
  return [
    el('dt', {}, el('code', {}, name), !isRequired && el('small', {}, ' optional')),
    el(
      'dd',
      {},
      el('code', {}, ...typeOf(schema)),
      limits !== '' && el('small', {}, ` ${limits}`),
      schema.description !== undefined && el('p', { class: 'quiet' }, ...prose(schema.description)),
      isNested(schema) && schemaView(schema),
    ),
  ];
}

/** Objects without a name stand where they are used. */
function isNested(schema: Schema): boolean {
  const inner = schema.items ?? schema;
  return inner.properties !== undefined || inner.anyOf?.some((one) => one.properties) === true;
}

/** All fields of a schema. */
export function schemaView(schema: Schema): HTMLElement {
  const inner = schema.items ?? schema;
  if (inner.properties !== undefined) {
    const { properties, required = [] } = inner;
    return el(
      'dl',
      { class: 'fields' },
      Object.entries(properties).flatMap(([name, one]) =>
        fieldView(name, one, required.includes(name)),
      ),
    );
  }
  if (inner.anyOf?.some((one) => one.properties))
    return el(
      'ul',
      { class: 'forms' },
      inner.anyOf.map((one) => el('li', {}, isNested(one) ? schemaView(one) : typeView(one))),
    );
  return typeView(schema);
}

const typeView = (schema: Schema): HTMLElement => el('p', {}, el('code', {}, ...typeOf(schema)));
