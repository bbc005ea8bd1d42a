import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { pathText, quoted } from './foreign-text.ts';

/** The value, or why it is refused. */
export type Checked<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

/** Takes a parsed JSON value of unknown shape. */
export type SchemaCheck<T> = (value: unknown) => Checked<T>;

/**
 * Checks against a JSON Schema (2020-12) of ours, compiled once, when it is first needed. It is not
 * itself held to the meta-schema: that takes longer than a server may take to start, and a test
 * does it. The check stops at the first fault, so hostile input costs
 * no more than valid input, and says where it is, what is wrong and what would be right. Where a
 * `pattern` or `const` does not say that well, the `description` beside it does.
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

function compile<T>(schema: object): ValidateFunction<T> {
  const ajv = new Ajv2020({
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
