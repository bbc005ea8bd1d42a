/**
 * The allowed values of a plugin's configuration form. One table covers every kind of input. Defaults
 * in manifests and values of admins pass the same check.
 */
import type { ConfigField, ConfigInput } from '../../../plugin-api/index.ts';
import type { ShownField } from '../plugin/plugin.ts';
import { kindOf, shown } from './schema-faults.ts';

const maxTextLength = 10_000;
const maxListLength = 1000;

/** The fields as clients get them: each says whether it is required. */
export const shownFields = (fields: readonly ConfigField[] = []): readonly ShownField[] =>
  fields.map((field) => ({ ...field, required: field.required === true }));

/** The fault of a value, as the end of a sentence that begins with the value; `null` = valid. */
type Check = (value: unknown, field: ConfigField) => string | null;

const checks: Readonly<Record<ConfigInput, Check>> = {
  text: checkText,
  secret: checkText,
  number: checkNumber,
  slider: checkNumber,
  toggle: (value) => (typeof value === 'boolean' ? null : `is ${kindOf(value)}, not true or false`),
  select: (value, field) =>
    (field.options ?? []).includes(value)
      ? null
      : `is not one of the options ${(field.options ?? []).map(shown).join(', ')}`,
  'multi-select': checkChoices,
  'string-list': checkList,
  'file-path': checkPath,
  color: (value) =>
    typeof value === 'string' && /^#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(value)
      ? null
      : 'is not a color; right is #rgb, #rrggbb or #rrggbbaa',
};

/** Why the value does not fit the field, as one sentence; `null` = it fits. */
export function valueFault(field: ConfigField, value: unknown): string | null {
  const fault = checks[field.input](value, field);
  return fault === null
    ? null
    : `${field.input === 'secret' ? 'the secret' : shown(value)} ${fault}`;
}

function checkText(value: unknown, field?: ConfigField): string | null {
  if (typeof value !== 'string') return `is ${kindOf(value)}, not text`;
  if (value.length > maxTextLength) return `is longer than ${maxTextLength} characters`;
  return field?.grants === 'host' && !isPlainAddress(value)
    ? 'is not an address such as https://api.example.org or https://nas.lan:8443/v1, without user name, ? and #'
    : null;
}

function isPlainAddress(value: string): boolean {
  if (!/^https?:\/\/[^\s?#]+$/.test(value) || !URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username === '' && password === '';
}

function checkNumber(value: unknown, { min, max }: ConfigField): string | null {
  if (typeof value !== 'number' || !Number.isFinite(value))
    return `is ${kindOf(value)}, not a number`;
  if (min !== undefined && value < min) return `is below ${min}`;
  return max !== undefined && value > max ? `is above ${max}` : null;
}

function checkChoices(value: unknown, field: ConfigField): string | null {
  if (!Array.isArray(value)) return `is ${kindOf(value)}, not a list of options`;
  const options = field.options ?? [];
  const unknown: unknown = value.find((choice) => !options.includes(choice));
  if (unknown !== undefined || value.includes(undefined)) {
    return `has ${shown(unknown)}, which is not one of the options ${options.map(shown).join(', ')}`;
  }
  return new Set(value).size === value.length ? null : 'has an option twice';
}

function checkList(value: unknown, { grants }: ConfigField): string | null {
  if (!Array.isArray(value)) return `is ${kindOf(value)}, not a list of texts`;
  if (value.length > maxListLength) return `has more than ${maxListLength} entries`;
  const check = grants === 'private-hosts' ? checkHost : (entry: unknown) => checkText(entry);
  const index = value.findIndex((entry) => check(entry) !== null);
  return index === -1 ? null : `has at [${index}] something that ${check(value[index]) ?? ''}`;
}

const host =
  /^(\[[0-9a-f:]+\]|[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*)(:[1-9][0-9]{0,4})?$/;

function checkHost(value: unknown): string | null {
  const fault = checkText(value);
  if (fault !== null) return fault;
  return typeof value === 'string' && value.length <= 259 && host.test(value)
    ? null
    : 'is not a host in lower case, such as nas.lan, 192.168.1.10:8096 or [::1]:8080';
}

function checkPath(value: unknown): string | null {
  const fault = checkText(value);
  if (fault !== null) return fault;
  return typeof value === 'string' && !value.includes('\0') ? null : 'has a zero byte';
}
