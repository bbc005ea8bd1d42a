/**
 * Validates requests once, by the schema of their route: bodies as they are - no conversion, no
 * dropped keys - and queries after `createQueryReader`. A schema is compiled when its route is
 * first called, since there are many routes and the start must be fast.
 */
import { OptionalKind, type TSchema } from '@sinclair/typebox';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { AppError } from '../platform/errors.ts';

/** The names of the parts of a request in messages. */
const places: Readonly<Record<string, string>> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'header',
};

/** What fastify passes for a validator. */
export interface ValidationRule {
  readonly schema: TSchema;
  readonly httpPart?: string;
}

/** The value, or the refusal. */
export type Validation = { readonly value: unknown } | { readonly error: AppError };

/** Makes the validators of all routes; `createQueryReader` is used for queries only. */
export function createValidatorCompiler(
  queryReader: (schema: TSchema) => (query: unknown) => unknown,
): (rule: ValidationRule) => (input: unknown) => Validation {
  return ({ schema, httpPart = 'body' }) => {
    const place = places[httpPart] ?? httpPart;
    const read = httpPart === 'querystring' ? queryReader(schema) : (input: unknown) => input;
    let validate: ValidateFunction | null = null;
    return (input) => {
      if ((input ?? null) === null && OptionalKind in schema) return { value: undefined };
      validate ??= compile(schema);
      const value = read(input);
      if (validate(value)) return { value };
      return { error: new AppError('invalid_request', { what: faultText(place, validate) }) };
    };
  };
}

let ajv: Ajv2020 | null = null;

/** One for all servers of the process: it remembers what it compiled by the schema. */
function compile(schema: TSchema): ValidateFunction {
  ajv ??= createAjv();
  return ajv.compile(schema);
}

/** OpenAPI keywords for the spelling of a list in a query; they validate nothing. */
const spelling = ['style', 'explode'];

function createAjv(): Ajv2020 {
  // Tests check that the schemas are valid; doing it here would take longer than compiling them.
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    // Errors carry their schema: its description says which form a text must have.
    verbose: true,
    useDefaults: true,
    formats,
    validateSchema: false,
    meta: false,
    code: { optimize: false },
  });
  ajv.addVocabulary(spelling);
  return ajv;
}

const formats = {
  'date-time': (text: string): boolean =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) &&
    !Number.isNaN(Date.parse(text)),
  uri: (text: string): boolean => URL.canParse(text),
  // These only describe replies.
  binary: true,
  'uri-reference': true,
} as const;

function faultText(place: string, { errors }: ValidateFunction): string {
  const [error, ...others] = tellingOf(errors ?? []);
  if (!error) return `${place} is not valid.`;
  const steps = error.instancePath.split('/').slice(1).map(unescapePointer);
  const where = [place, ...steps].join('.').slice(0, 200);
  const more = others.map((other) => faultOf(other).replace(' must be', ' or'));
  return `${where}${[faultOf(error), ...new Set(more)].join('')}.`;
}

/**
 * The first error. For a union: the error of the branch for the value's type, or, if there is none,
 * the types of all branches.
 */
function tellingOf(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const union = errors.at(-1);
  if (union?.keyword !== 'anyOf') return errors.slice(0, 1);
  const inside = errors.find(
    ({ instancePath, keyword }) =>
      instancePath.length > union.instancePath.length ||
      (!kinds.has(keyword) && keyword !== 'anyOf'),
  );
  if (inside) return [inside];
  const faults = errors.filter(({ keyword }) => kinds.has(keyword));
  // A branch for one value names that value, which says more than its type.
  return [...new Map(faults.map((fault) => [branchOf(fault), fault])).values()];
}

const branchOf = ({ schemaPath }: ErrorObject): string =>
  schemaPath.slice(0, schemaPath.lastIndexOf('/'));

/** Keywords that state the type of value of a branch. */
const kinds: ReadonlySet<string> = new Set(['type', 'const', 'enum']);

function faultOf(error: ErrorObject): string {
  const { keyword, params, message, parentSchema } = error;
  const given: Readonly<Record<string, unknown>> = params;
  switch (keyword) {
    case 'required':
      return `.${String(given['missingProperty'])} is missing`;
    case 'additionalProperties':
      return `.${String(given['additionalProperty']).slice(0, 100)} is not a known key`;
    case 'type':
      return ` must be ${typeText(given['type'])}`;
    case 'enum':
      return ` must be one of ${listText(given['allowedValues'])}`;
    case 'const':
      return ` must be ${JSON.stringify(given['allowedValue'])}`;
    case 'minLength':
    case 'minItems':
      return given['limit'] === 1 ? ' must not be empty' : ` must have at least ${countOf(error)}`;
    case 'maxLength':
    case 'maxItems':
      return ` must have at most ${countOf(error)}`;
    case 'uniqueItems':
      return ' must not have an entry twice';
    case 'multipleOf':
      return ` must be a multiple of ${String(given['multipleOf'])}`;
    case 'format':
      return ` must be ${formatTexts[String(given['format'])] ?? `a ${String(given['format'])}`}`;
    case 'pattern':
      return patternText(parentSchema?.['description'], String(given['pattern']));
    default:
      return ` ${message ?? 'is not valid'}`;
  }
}

const countOf = ({ keyword, params }: ErrorObject): string => {
  const { limit } = params as { readonly limit: number };
  const unit = keyword.endsWith('Items') ? ['entry', 'entries'] : ['character', 'characters'];
  return `${limit} ${limit === 1 ? unit[0] : unit[1]}`;
};

const formatTexts: Readonly<Record<string, string>> = {
  'date-time': 'a time with its zone, such as 2026-01-31T18:00:00Z',
  uri: 'a whole address, such as https://example.com/a',
};

/** The description of the field says more to people than the pattern; programmers get both. */
const patternText = (description: unknown, pattern: string): string =>
  typeof description === 'string'
    ? ` is not of the right form (${description}): it must match ${pattern}`
    : ` must match ${pattern}`;

const typeText = (type: unknown): string =>
  [type]
    .flat()
    .map((one) =>
      one === 'null' ? 'null' : `${/^[aeio]/.test(String(one)) ? 'an' : 'a'} ${String(one)}`,
    )
    .join(' or ');

const listText = (values: unknown): string =>
  Array.isArray(values) ? values.map((value) => JSON.stringify(value)).join(', ') : String(values);

const unescapePointer = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');
