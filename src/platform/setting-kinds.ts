/** Kinds of settings. Each refuses a value that it cannot use in one line that names the flag. */
import { isIP } from 'node:net';
import path from 'node:path';
import { withoutPassword } from './setting-in-use.ts';
import { ConfigError, type Given, type SettingKind } from './setting-table.ts';

/** Any text. */
export const textOr = (usual: string): SettingKind<string> => ({
  usual,
  read: ({ text }) => text ?? usual,
});

/** A whole number within bounds. */
export const whole = ({
  usual,
  least = 0,
  most,
}: {
  readonly usual: number;
  readonly least?: number;
  readonly most: number;
}): SettingKind<number> => ({
  usual: String(usual),
  read: ({ text, flag }) => {
    if (text === undefined) return usual;
    const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new ConfigError(`${flag} ${text}: it must be a whole number from ${least} to ${most}.`);
  },
});

/** The port of a server; 0 = any that is free. */
export const port = (usual: number): SettingKind<number> => ({
  usual: String(usual),
  read: ({ text, flag }) => {
    const number = Number(text ?? usual);
    if (/^\d{1,5}$/.test(text ?? '0') && number <= 65_535) return number;
    throw new ConfigError(`${flag} ${text ?? ''}: it must be a number from 0 to 65535.`);
  },
});

/** One of these words; the first is the default. */
export const oneOf = <const Value extends string>(
  ...allowed: readonly [Value, ...(readonly Value[])]
): SettingKind<Value> => ({
  usual: allowed[0],
  read: ({ text, flag }) => {
    const found = text === undefined ? allowed[0] : allowed.find((one) => one === text);
    if (found !== undefined) return found;
    throw new ConfigError(`${flag} ${text ?? ''}: it must be one of ${allowed.join(', ')}.`);
  },
});

/** What is parsed when it is set, and else is `null`. */
export const optional = <Value>(
  parse: (text: string, given: Given) => Value,
): SettingKind<Value | null> => ({
  usual: null,
  read: (given) => (given.text === undefined ? null : parse(given.text, given)),
});

/** What may be set several times. */
export const many = <Value>(
  parse: (text: string, given: Given) => Value,
): SettingKind<readonly Value[]> => ({
  usual: null,
  isRepeatable: true,
  read: (given) => given.all.map((text) => parse(text, given)),
});

/** The same kind, with other words for what is used without it. */
export const usually = <Value>(usual: string, kind: SettingKind<Value>): SettingKind<Value> => ({
  ...kind,
  usual,
});

/** A web address, without a slash at its end. */
export const webUrl = optional((text, { flag }) => {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '');
  throw new ConfigError(
    `${flag} ${text}: it must be an address that starts with https:// or http://.`,
  );
});

/** An Ed25519 public key. */
export const hexKey = optional((text, { flag }) => {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  throw new ConfigError(`${flag} ${text}: it must be an Ed25519 public key, 64 hex digits.`);
});

/** The absolute path of a file. */
export const filePath = optional((text, { cwd }) => path.resolve(cwd, text));

/** The data folder, which is known before any other setting. */
export const dataFolder = (usual: string): SettingKind<string> => ({
  usual,
  read: ({ data }) => data,
});

/** The address of a database; a file of this name in the data folder when absent. */
export const databaseUrl = (name: string): SettingKind<string> => ({
  usual: 'a file in the data folder',
  read: ({ text, data, flag }) => {
    if (text === undefined) return `sqlite:${path.join(data, name)}`;
    if (/^(sqlite:.|postgres(ql)?:\/\/)/.test(text)) return text;
    throw new ConfigError(
      `${flag} ${withoutPassword(text)}: it must be sqlite:<file> or postgres://….`,
    );
  },
});

/** The address of a database of PostgreSQL. */
export const postgresUrl = optional((text, { flag }) => {
  if (/^postgres(ql)?:\/\//.test(text)) return text;
  throw new ConfigError(`${flag} ${withoutPassword(text)}: it must be postgres://….`);
});

/** An address of a machine, or a range of them. */
export function addressRange(text: string, { flag }: Pick<Given, 'flag'>): string {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = isIP(address) === 6 ? 128 : 32;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  if (isIP(address) !== 0 && isPrefix && rest.length === 0) return text;
  throw new ConfigError(
    `${flag} ${text}: it must be an address or a range, such as 127.0.0.1 or 10.0.0.0/8.`,
  );
}
