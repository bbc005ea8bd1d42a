/**
 * Turns errors of ajv into sentences that name the path, the value and what would be right, which
 * comes from the schema's `description`. Needs ajv's `verbose` errors.
 */
import type { ErrorObject } from 'ajv/dist/2020.js';
import { guestWords, pathText } from '../../foreign-text.ts';

/** One sentence per fault; `root` names the whole value. */
export function schemaFaults(
  errors: readonly ErrorObject[] | null | undefined,
  root: string,
): readonly string[] {
  const all = errors ?? [];
  const found = all.filter((error) => !isDetail(error, all));
  return found.map((error) => describe(error, root));
}

/** Whether the error is part of a larger one: a branch of an `anyOf`, or the name of a property. */
function isDetail(error: ErrorObject, all: readonly ErrorObject[]): boolean {
  if (error.propertyName !== undefined) return true;
  return all.some(
    (other) =>
      other !== error &&
      other.keyword === 'anyOf' &&
      other.instancePath === error.instancePath &&
      error.keyword !== 'anyOf',
  );
}

function describe(error: ErrorObject, root: string): string {
  const steps = error.instancePath.split('/').slice(1).map(unescapePointer);
  const at = (...more: readonly string[]) =>
    steps.length + more.length === 0 ? root : pathText([...steps, ...more]);
  const params: Readonly<Record<string, unknown>> = error.params;
  const schema = asRecord(error.parentSchema);
  const value = shown(error.data);

  switch (error.keyword) {
    case 'required': {
      const key = String(params['missingProperty']);
      return `${at(key)} is missing${right(asRecord(asRecord(schema['properties'])[key]))}.`;
    }
    case 'additionalProperties': {
      const key = String(params['additionalProperty']);
      return `${at(key)} is not known here${meant(key, schema)}${knownKeys(schema)}.`;
    }
    case 'propertyNames': {
      const key = String(params['propertyName']);
      return `${at(key)}: the name ${shown(key)} does not fit${right(asRecord(schema['propertyNames']))}.`;
    }
    case 'type':
      return `${at()}: ${value} is ${kindOf(error.data)}, not ${kinds(params['type'])}${right(schema)}.`;
    case 'enum':
      return `${at()}: ${value} is not one of ${listed(params['allowedValues'], ', ')}.`;
    case 'const':
      return `${at()}: ${value} is not ${shown(params['allowedValue'])}.`;
    case 'minimum':
      return `${at()}: ${value} is below ${String(params['limit'])}${right(schema)}.`;
    case 'maximum':
      return `${at()}: ${value} is above ${String(params['limit'])}${right(schema)}.`;
    case 'exclusiveMinimum':
      return `${at()}: ${value} is not above ${String(params['limit'])}${right(schema)}.`;
    case 'exclusiveMaximum':
      return `${at()}: ${value} is not below ${String(params['limit'])}${right(schema)}.`;
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return `${at()}: ${value} has fewer than ${counted(error)}${right(schema)}.`;
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return `${at()}: ${value} has more than ${counted(error)}${right(schema)}.`;
    case 'uniqueItems':
      return `${at(String(params['j']))} repeats ${at(String(params['i']))}; each entry is there once.`;
    default:
      return `${at()}: ${value} does not fit${right(schema)}.`;
  }
}

function right(schema: Readonly<Record<string, unknown>>): string {
  if (typeof schema['description'] === 'string') return `; right is ${schema['description']}`;
  if (Array.isArray(schema['enum'])) return `; right is ${listed(schema['enum'], ' or ')}`;
  const keys = Object.keys(asRecord(schema['properties']));
  if (keys.length > 0) return `; right is an object with ${keys.join(', ')}`;
  if ('const' in schema) return `; right is ${shown(schema['const'])}`;
  return '';
}

/** The known key that was most likely meant; it may differ in a letter or two. */
function meant(key: string, schema: Readonly<Record<string, unknown>>): string {
  const known = Object.keys(asRecord(schema['properties']));
  const near = known.find((one) => differences(one.toLowerCase(), key.toLowerCase()) <= 2);
  return near === undefined ? '' : `; ${near} may be meant`;
}

/** The edit distance of two words. */
function differences(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 0; row < one.length && row < 40; row += 1) {
    const line = [row + 1];
    for (let at = 1; at <= other.length && at <= 40; at += 1) {
      const changed = (above[at - 1] ?? 0) + (one[row] === other[at - 1] ? 0 : 1);
      line.push(Math.min(changed, (above[at] ?? 0) + 1, (line[at - 1] ?? 0) + 1));
    }
    above = line;
  }
  return above.at(-1) ?? 0;
}

function knownKeys(schema: Readonly<Record<string, unknown>>): string {
  const keys = Object.keys(asRecord(schema['properties']));
  return keys.length === 0 ? '' : `; known are ${keys.join(', ')}`;
}

function counted(error: ErrorObject): string {
  const params: Readonly<Record<string, unknown>> = error.params;
  const units = { Length: 'characters', Items: 'entries', Properties: 'keys' };
  const unit = Object.entries(units).find(([ending]) => error.keyword.endsWith(ending));
  return `${String(params['limit'])} ${unit?.[1] ?? ''}`.trimEnd();
}

const kindNames: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  integer: 'an integer',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a text',
};

function kinds(types: unknown): string {
  const names = Array.isArray(types) ? types.map(String) : [String(types)];
  return names.map((name) => kindNames[name] ?? name).join(' or ');
}

function listed(values: unknown, separator: string): string {
  if (!Array.isArray(values)) return String(values);
  return values.map((value) => (typeof value === 'string' ? value : shown(value))).join(separator);
}

/** A foreign value as JSON for a message: one line, cut to length. */
export function shown(value: unknown): string {
  const text = guestWords(JSON.stringify(value) ?? 'undefined');
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** The kind of a JSON value, with its article. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return 'a text';
  return typeof value === 'boolean' ? 'a boolean' : `a ${typeof value}`;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
