/**
 * The settings of the identity broker. Each is a flag (`--identity-url`), an environment variable
 * (`VITRINE_BROKER_IDENTITY_URL`) and a key of `broker.json` in its data folder (`identityUrl`); the
 * flag wins over the variable, the variable over the file. An unknown name is refused.
 */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import {
  siteOf,
  usualLimits,
  type BrokerConfig,
  type BrokerLimits,
} from '../../packages/broker/index.ts';
import { ConfigError, type ConfigSources, type LogLevel } from '../platform/config.ts';

/** The configuration of the broker and of its log. */
export interface BrokerSettings extends Omit<BrokerConfig, 'pages' | 'version'> {
  readonly logLevel: LogLevel;
  readonly logFormat: 'text' | 'json';
}

/** How one setting is spelled. */
export interface BrokerSetting {
  readonly key: string;
  readonly flag: string;
  readonly env: string;
  readonly argument: string;
  readonly help: string;
}

const setting = (key: string, argument: string, help: string): BrokerSetting => ({
  key,
  flag: key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  env: `VITRINE_BROKER_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
  argument,
  help,
});

const limits: Readonly<Record<keyof BrokerLimits, string>> = {
  beginsPerMinute: 'pairings that one address may start in a minute',
  beginsPerHour: 'pairings that one address may start in an hour',
  livePairingsPerApp: 'open pairings of one app at a time',
  wrongCodesPerAccount: 'wrong codes of one account in ten minutes',
  wrongCodesPerAddress: 'wrong codes from one address in ten minutes',
  wrongCodes: 'wrong codes of all accounts in ten minutes; above it every code is refused',
  pollsPerMinute: 'polls from one address in a minute',
  assertionsPerMinute: 'uses of the passkeys of one account in a minute',
  signInsPerMinute: 'sign-ins that one address may start in a minute',
  accountsPerHour: 'accounts that one address may create in an hour',
  feedPerHour: 'reads of the feed from one address in an hour',
  renewalsPerHour: 'renewals from one address in an hour',
  renewalsPerClientPerDay: 'renewals of one device in a day',
  recoveriesPerHour: 'wrong recovery codes from one address in an hour',
  linksPerHour: 'links that servers at one address may request in an hour',
  appsPerAccount: 'apps that one account may register',
  changesPerMinute: 'signed changes that one account may send in a minute',
  recordsPerDay: 'records that one account may add to the feed in a day',
  clientsPerAccount: 'devices that one account may have',
};

const limitKeys = Object.keys(limits).filter((key): key is keyof BrokerLimits => key in limits);
const settingOfLimit = (key: keyof BrokerLimits): string =>
  `limit${key.charAt(0).toUpperCase()}${key.slice(1)}`;

/** All settings, in the order of the help text. */
export const brokerSettings: readonly BrokerSetting[] = [
  setting('host', 'address', 'address to listen on (127.0.0.1)'),
  setting('port', 'number', 'port to listen on, 0 for any (8361)'),
  setting('data', 'folder', 'folder of its database and its key (./broker-data)'),
  setting(
    'identityUrl',
    'url',
    'address at which people and apps reach it (http://localhost:<port>)',
  ),
  setting('database', 'url', 'sqlite:<file> (a file in the data folder) or postgres://…'),
  setting(
    'trustedProxies',
    'list',
    'proxies whose X-Forwarded headers are trusted, separated by commas',
  ),
  setting('logLevel', 'level', 'debug, info, warn, error or silent (info)'),
  setting('logFormat', 'format', 'text or json (text)'),
  ...limitKeys.map((key) =>
    setting(settingOfLimit(key), 'number', `${limits[key]} (${usualLimits[key]})`),
  ),
];

type Raw = Readonly<Record<string, string>>;

/** Reads flags, environment and `broker.json`, or throws a {@link ConfigError}. */
export function readBrokerSettings({ flags, env, cwd }: ConfigSources): BrokerSettings {
  const early = { ...fromEnvironment(env), ...texts(flags) };
  const data = path.resolve(cwd, early['data'] ?? 'broker-data');
  const raw: Raw = { ...fromFile(path.join(data, 'broker.json')), ...early };
  return {
    host: raw['host'] ?? '127.0.0.1',
    port: wholeNumber(raw, 'port', { usual: 8361, least: 0, most: 65_535 }),
    data,
    identityUrl: identityUrl(raw['identityUrl']),
    database: databaseUrl(raw['database'], data),
    trustedProxies: (raw['trustedProxies'] ?? '').split(',').filter(Boolean).map(addressRange),
    logLevel: oneOf(raw, 'logLevel', ['info', 'debug', 'warn', 'error', 'silent']),
    logFormat: oneOf(raw, 'logFormat', ['text', 'json']),
    limits: limitsOf(raw),
  };
}

function limitsOf(raw: Raw): BrokerLimits {
  const entries = limitKeys.map((key) => {
    const bounds = { usual: usualLimits[key], least: 1, most: 1_000_000_000 };
    return [key, wholeNumber(raw, settingOfLimit(key), bounds)];
  });
  return { ...usualLimits, ...(Object.fromEntries(entries) as Partial<BrokerLimits>) };
}

const texts = (flags: ConfigSources['flags']): Raw =>
  Object.fromEntries(
    Object.entries(flags).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : value.join(','),
    ]),
  );

function fromEnvironment(env: ConfigSources['env']): Raw {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith('VITRINE_BROKER_') || !value) continue;
    const known = brokerSettings.find((one) => one.env === name);
    if (!known) throw new ConfigError(`${name}: the broker has no such setting.`);
    found[known.key] = value;
  }
  return found;
}

function fromFile(file: string): Raw {
  const content = readIfThere(file);
  if (content === undefined) return {};
  const found: Record<string, string> = {};
  for (const [key, value] of Object.entries(parseObject(content, file))) {
    if (key === 'data')
      throw new ConfigError(`data in ${file}: the data folder cannot be set inside itself.`);
    if (!brokerSettings.some((one) => one.key === key))
      throw new ConfigError(`${key} in ${file}: the broker has no such setting.`);
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new ConfigError(`${key} in ${file}: it must be a text or a number.`);
    found[key] = String(value);
  }
  return found;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new ConfigError(`${file} cannot be read: ${String(error)}.`);
  }
}

function parseObject(content: string, file: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(content);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return { ...parsed };
  } catch {
    // Reported below with a message of our own.
  }
  throw new ConfigError(`${file} must hold one JSON object.`);
}

const flagOf = (key: string): string => brokerSettings.find((one) => one.key === key)?.flag ?? key;

function wholeNumber(
  raw: Raw,
  key: string,
  { usual, least, most }: Readonly<Record<'usual' | 'least' | 'most', number>>,
): number {
  const value = raw[key];
  if (value === undefined) return usual;
  const number = Number(value);
  if (/^\d{1,10}$/.test(value) && number >= least && number <= most) return number;
  throw new ConfigError(
    `--${flagOf(key)} ${value}: it must be a whole number from ${least} to ${most}.`,
  );
}

/** The first of the allowed values is the default. */
function oneOf<Value extends string>(raw: Raw, key: string, allowed: readonly Value[]): Value {
  const value = raw[key];
  const found = value === undefined ? allowed[0] : allowed.find((one) => one === value);
  if (found !== undefined) return found;
  throw new ConfigError(
    `--${flagOf(key)} ${value ?? ''}: it must be one of ${allowed.join(', ')}.`,
  );
}

function identityUrl(value: string | undefined): string | null {
  if (value === undefined) return null;
  const site = siteOf(value);
  if (site) return site.url;
  throw new ConfigError(
    `--identity-url ${value}: passkeys need https and a host name, such as https://id.example.org, or http://localhost:<port>; a path is not allowed.`,
  );
}

function databaseUrl(value: string | undefined, data: string): string {
  if (value === undefined) return `sqlite:${path.join(data, 'broker.db')}`;
  if (/^(sqlite:.|postgres(ql)?:\/\/)/.test(value)) return value;
  throw new ConfigError('--database: it must be sqlite:<file> or postgres://….');
}

function addressRange(value: string): string {
  const [address = '', prefix, ...rest] = value.trim().split('/');
  const bits = isIP(address) === 6 ? 128 : 32;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  if (isIP(address) !== 0 && isPrefix && rest.length === 0) return value.trim();
  throw new ConfigError(
    `--trusted-proxies ${value}: it must be addresses or ranges, such as 127.0.0.1 or 10.0.0.0/8.`,
  );
}
