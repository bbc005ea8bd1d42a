import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { pathText, quoted } from './foreign-text.ts';

/** The value, or the reason of its refusal. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };

/** Takes a parsed JSON value of unknown shape. */
export type SchemaCheck<T> = (value: unknown) => Checked<T>;

/**
 * Checks against one of our JSON Schemas (2020-12). It is compiled at first use. A test checks the
 * schema against the meta-schema; that would slow down the start of the server. The check stops at
 * the first fault, so hostile input costs no more than valid input. The reason names the place, the
 * fault and the right form. Where `pattern` or `const` does not state the right form, `description`
 * does.
 */
export function createSchemaCheck<T>(schema: object): SchemaCheck<T> {
  let compiled: ValidateFunction<T> | undefined;
  return (value) => {
    const validate = (compiled ??= compile<T>(schema));
    return validate(value)
      ? { ok: true, value }
      : { ok: false, reason: schemaFaultText(validate.errors?.[0]) };
  };
}

let ajv: Ajv2020 | null = null;

/** One for all checks of the process: it remembers what it compiled by the schema. */
function compile<T>(schema: object): ValidateFunction<T> {
  ajv ??= new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    verbose: true,
    meta: false,
    validateSchema: false,
  });
  return ajv.compile<T>(schema);
}

function schemaFaultText(error: ErrorObject | undefined): string {
  if (!error) return 'value does not fit its schema';
  const where = pathText(error.instancePath.split('/').slice(1).map(unescapePointer));
  return `${where} ${faultText(error)}`;
}

function faultText(error: ErrorObject): string {
  const { keyword, message = 'does not fit its schema', propertyName } = error;
  const params: Readonly<Record<string, unknown>> = error.params;
  if (propertyName !== undefined) return `must not have the key ${quoted(propertyName)}`;
  switch (keyword) {
    case 'additionalProperties':
      return `must not have the key ${quoted(String(params['additionalProperty']))}`;
    case 'required':
      return `must have the key ${quoted(String(params['missingProperty']))}`;
    case 'enum':
      return `must be one of ${JSON.stringify(params['allowedValues'])}`;
    case 'const':
      return `must be ${described(error) ?? JSON.stringify(params['allowedValue'])}`;
    case 'pattern':
      return `must be ${described(error) ?? `text that matches ${String(params['pattern'])}`}`;
    default:
      return message;
  }
}

function described({ parentSchema }: ErrorObject): string | undefined {
  const description: unknown = parentSchema?.['description'];
  return typeof description === 'string' ? description : undefined;
}

function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
