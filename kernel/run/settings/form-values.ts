/**
 * The values that an admin sets in a plugin's form: checked as a whole, stored as set, shown without
 * secrets.
 */
import type { ConfigField } from '../../../plugin-api/index.ts';
import { jsonValueFault } from '../../json-limits.ts';
import { valueFault } from '../manifest/config-values.ts';
import type { Parsed } from '../manifest/manifest.ts';
import { shown } from '../manifest/schema-faults.ts';

/** Values by key of the form. */
export type ConfigValues = Readonly<Record<string, unknown>>;

/** Shown in place of a secret. Setting this value keeps the stored secret. */
export const maskedSecret = '***';

const maxDepth = 4;

/** The values to store: they replace all values of the form. An absent key returns to its default. */
export function parseConfiguration(
  form: readonly ConfigField[],
  input: unknown,
  kept: ConfigValues,
): Parsed<ConfigValues> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { ok: false, faults: [`The configuration is ${shown(input)}, not an object.`] };
  }
  const unsafe = jsonValueFault(input, maxDepth);
  if (unsafe !== null) return { ok: false, faults: [`${unsafe}.`] };
  const known = new Map(form.map((field) => [field.key, field]));
  const given = Object.entries(input).map(([key, value]: [string, unknown]) => {
    const isKept = value === maskedSecret && known.get(key)?.input === 'secret';
    return [key, isKept ? own(kept, key) : value] as const;
  });
  const values = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  const faults = [
    ...given.flatMap(([key]) => unknownKey(key, known)),
    ...fieldFaults(form, values),
  ];
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value: values };
}

/** The values that the plugin sees: those that were set, and defaults for the rest. */
export function effectiveValues(form: readonly ConfigField[], kept: ConfigValues): ConfigValues {
  const entries = form.map(
    ({ key, default: standard }) => [key, own(kept, key) ?? standard] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The values that an admin sees: the same, with secrets masked. */
export function maskedValues(form: readonly ConfigField[], kept: ConfigValues): ConfigValues {
  const secrets = new Set(form.filter(({ input }) => input === 'secret').map(({ key }) => key));
  const entries = Object.entries(effectiveValues(form, kept));
  return Object.fromEntries(
    entries.map(([key, value]) => [key, secrets.has(key) ? maskedSecret : value]),
  );
}

/** Stored values of an older form that still fit this one. */
export function fittingValues(form: readonly ConfigField[], kept: ConfigValues): ConfigValues {
  const fitting = form.filter((field) => {
    const value = own(kept, field.key);
    return value !== undefined && valueFault(field, value) === null;
  });
  return Object.fromEntries(fitting.map(({ key }) => [key, own(kept, key)]));
}

/** The hosts that an admin granted by entering them. A default of the author never counts. */
export function grantedHosts(form: readonly ConfigField[], kept: ConfigValues): readonly string[] {
  return form.flatMap((field) => {
    const value = own(kept, field.key);
    if (field.grants !== 'private-hosts' || !Array.isArray(value)) return [];
    return value.filter((entry) => typeof entry === 'string');
  });
}

/** The hosts, with their ports, of the addresses that an admin entered in place of the defaults; each once. */
export function enteredHosts(form: readonly ConfigField[], kept: ConfigValues): readonly string[] {
  const hosts = form.flatMap((field) => {
    const value = own(kept, field.key);
    if (field.grants !== 'host' || typeof value !== 'string' || value === field.default) return [];
    if (valueFault(field, value) !== null) return [];
    const { hostname, port, protocol } = new URL(value);
    return [`${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`];
  });
  return [...new Set(hosts)];
}

/** Own keys only: a form may have a key such as `toString`, which every object inherits. */
function own(values: ConfigValues, key: string): unknown {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

function unknownKey(key: string, known: ReadonlyMap<string, ConfigField>): readonly string[] {
  if (known.has(key)) return [];
  const names = [...known.keys()].join(', ');
  const hint = key === 'values' ? '; send the values themselves, without "values" around them' : '';
  return [
    `${shown(key)} is not a key of the form; known are ${names === '' ? 'none' : names}${hint}.`,
  ];
}

function fieldFaults(form: readonly ConfigField[], values: ConfigValues): readonly string[] {
  return form.flatMap((field) => {
    const value = own(values, field.key);
    const isEmpty = value === undefined || value === '';
    if (isEmpty && field.required && field.default === undefined) {
      return [`${field.key} is missing; ${field.label} is required.`];
    }
    if (value === undefined) return [];
    const fault = valueFault(field, value);
    return fault === null ? [] : [`${field.key}: ${fault}.`];
  });
}
