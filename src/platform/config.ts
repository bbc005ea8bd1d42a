/**
 * The settings of a server. Each is a flag (`--log-level`), an environment variable
 * (`VITRINE_LOG_LEVEL`) and a key of `vitrine.json` in the data folder (`logLevel`); the flag wins
 * over the variable, the variable over the file. An unknown name is refused, because a misspelled
 * setting must not be ignored silently.
 */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import {
  settingInUse,
  type RawSettings,
  type Setting,
  type SettingInUse,
} from './setting-in-use.ts';

/** A library that the server creates at the start unless it exists. */
export interface LibraryOption {
  readonly type: string;
  readonly name: string;
  /** Absolute path of the folder. */
  readonly path: string;
}

/** All settings, with their defaults filled in. */
export interface Config {
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  /** Absolute path. */
  readonly data: string;
  /** `sqlite:<file>` or `postgres://…`. */
  readonly database: string;
  readonly storageDriver: 'node:sqlite' | 'sqlite3';
  readonly libraries: readonly LibraryOption[];
  readonly identityUrl: string | null;
  /** Minutes between two reads of the broker's revocation feed. */
  readonly identityFeedMinutes: number;
  /** Identity sign-ins are refused when the revocation feed is older, in hours; 0 = never. */
  readonly identityMaxFeedAgeHours: number;
  /** Origins of apps that may read replies to a token; `null` = any, once an identity is linked. */
  readonly appOrigins: '*' | readonly string[] | null;
  readonly licenseIssuer: string | null;
  readonly licenseAuthority: string | null;
  /** URL of the folder with the release channel files. */
  readonly updateUrl: string | null;
  /** Public key that the channel files are signed with, 64 hex digits. */
  readonly updateKey: string | null;
  readonly publicUrl: string | null;
  /** The name of this server in invites. */
  readonly serverName: string;
  /** ISO 3166-1: where a rating is read that several countries have; `null` = nowhere. */
  readonly country: string | null;
  /** Addresses and ranges of proxies whose `X-Forwarded-*` headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** Other origins whose pages may call the server with a session (CORS). */
  readonly corsOrigins: readonly string[];
  /** Connections that one address may have; 0 = any number. */
  readonly connectionsPerAddress: number;
  /** The most event connections at a time, in all and for one user. */
  readonly eventClients: number;
  readonly eventClientsPerUser: number;
  /** Contact for security reports: `mailto:…` or `https://…`. */
  readonly securityContact: string | null;
  /** Mail or web address of the operator, sent to the services that plugins ask; `null` = none. */
  readonly contact: string | null;
  /** `HOST[:PORT]` that plugins may reach even when it is on the server's own network. */
  readonly netAllow: readonly string[];
  /** Namespaces for installed plugins: where available, required to run, or not used. */
  readonly pluginIsolation: 'auto' | 'require' | 'process';
  /** Absolute path of the program that converts media; `null` = `ffmpeg` in `searchPath`. */
  readonly ffmpeg: string | null;
  /** `auto`: media are converted only in a cage. `none`: also without one. */
  readonly transcoderCage: 'auto' | 'none';
  /** Which devices may encode pictures. */
  readonly transcoderHardware: 'none' | 'auto' | 'vaapi' | 'qsv' | 'nvenc' | 'v4l2m2m';
  /** The most GiB for what is converted; never more than a tenth of the free disk. */
  readonly playbackCacheGb: number;
  /** Folders of programs, as `PATH` has them. */
  readonly searchPath: string;
  /** The most GiB for local copies of remote files, together. */
  readonly localCopiesGb: number;
  /** Whether the folders of libraries are watched for changes. */
  readonly watch: 'on' | 'off';
  /** Minutes between scans of a library whose folders cannot be watched; 0 = never. */
  readonly rescanMinutes: number;
  /** Minutes between downloads of the marketplace indexes; 0 = only on request. */
  readonly marketplaceMinutes: number;
  /** Hours between scans of every library, watched or not; 0 = never. */
  readonly scanHours: number;
  /** Absolute path. */
  readonly backupFolder: string;
  /** Hours between backups; 0 = never. */
  readonly backupHours: number;
  /** How many of the scheduled backups are kept. */
  readonly backupKeep: number;
  /** Absolute path of the file with the passphrase for keys in backups; `null` = no keys in them. */
  readonly backupPassphraseFile: string | null;
  /** Days until a finished job is removed; 0 = never. */
  readonly keepJobsDays: number;
  /** Days until a missing file is removed; 0 = at the end of the next full scan. */
  readonly missingDays: number;
  /** `off`: items are made from file names only, and no file is opened. */
  readonly ingest: 'on' | 'off';
  /** Seconds that a probe of a single file may take. */
  readonly probeSeconds: number;
  /** Playback sessions whose segments are copied from the file, at a time. */
  readonly playbackRemuxes: number;
  /** Playback sessions with a converted picture; 0 = half of the processors. */
  readonly playbackConversions: number;
  /** Playback sessions of each kind whose places are kept for admins; 0 = none. */
  readonly playbackReserved: number;
  /** Most pixels of height of converted pictures; 0 = what the machine is measured to convert in time. */
  readonly playbackHeight: number;
  readonly logLevel: LogLevel;
  readonly logFormat: 'text' | 'json';
  /** `vtk_` and 64 hex digits: installed as an admin API key at the start. Environment only. */
  readonly adminToken: string | null;
  /** Every setting as it is in use, for admins, in the order of the help text. */
  readonly inUse: readonly SettingInUse[];
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** An invalid setting. The message is one line that names it. */
export class ConfigError extends Error {}

const setting = (key: string, argument: string, help: string): Setting => ({
  key,
  flag: key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  env: `VITRINE_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
  argument,
  help,
});

/** All settings, in the order of the help text. */
export const settings: readonly Setting[] = [
  setting('host', 'address', 'address to listen on (127.0.0.1)'),
  setting('port', 'number', 'port to listen on, 0 for any (8360)'),
  setting('data', 'folder', 'folder of the database and the plugins (./data)'),
  setting('database', 'url', 'sqlite:<file> or postgres://… (a file in the data folder)'),
  setting('storageDriver', 'name', 'node:sqlite or sqlite3 (node:sqlite)'),
  {
    ...setting('library', 'type:name:path', 'a library to create and scan; may be repeated'),
    isRepeatable: true,
  },
  setting('identityUrl', 'url', 'address of the identity broker'),
  setting('identityFeedMinutes', 'number', 'minutes between revocation checks (5)'),
  setting(
    'identityMaxFeedAgeHours',
    'number',
    'hours without the broker until identity sign-ins are refused, 0 = never (0)',
  ),
  setting('licenseIssuer', 'hex', 'public key of the license issuer'),
  setting('licenseAuthority', 'url', 'address of the license activation service'),
  setting('updateUrl', 'url', 'URL of the folder with the release channel files'),
  setting('updateKey', 'hex', 'public key that the channel files are signed with'),
  setting('publicUrl', 'url', 'address at which clients reach this server'),
  setting('serverName', 'text', 'name of this server in invites (Vitrine)'),
  setting('country', 'code', 'country of ratings such as PG (that of the system)'),
  {
    ...setting(
      'trustedProxy',
      'address[/n]',
      'a proxy whose X-Forwarded headers are trusted; may be repeated',
    ),
    isRepeatable: true,
  },
  {
    ...setting(
      'corsOrigin',
      'origin',
      'another origin whose pages may call the server; may be repeated',
    ),
    isRepeatable: true,
  },
  {
    ...setting(
      'appOrigin',
      'origin',
      'an origin of apps with tokens, * or none (*); may be repeated',
    ),
    isRepeatable: true,
  },
  setting(
    'connectionsPerAddress',
    'number',
    'most connections of one address, 0 = any number (256)',
  ),
  setting('eventClients', 'number', 'most event connections at a time (4000)'),
  setting('eventClientsPerUser', 'number', 'most event connections of one user (50)'),
  setting('securityContact', 'uri', 'contact for security reports: mailto:… or https://…'),
  setting('contact', 'mail|url', 'your mail or web address, sent to services that plugins ask'),
  {
    ...setting(
      'netAllow',
      'host[:port]',
      'a host on the own network that plugins may reach; may be repeated',
    ),
    isRepeatable: true,
  },
  setting('pluginIsolation', 'mode', 'namespaces for plugins: auto, require or process (auto)'),
  setting('ffmpeg', 'file', 'program that converts media (ffmpeg in PATH)'),
  setting('transcoderCage', 'auto|none', 'none = convert media also without a cage (auto)'),
  setting(
    'transcoderHardware',
    'kind',
    'devices that encode pictures: none, auto, vaapi, qsv, nvenc or v4l2m2m (none)',
  ),
  setting('playbackCacheGb', 'number', 'most GiB for converted media (10)'),
  setting('localCopiesGb', 'number', 'most GiB for local copies of remote files (20)'),
  setting('watch', 'on or off', 'watch the folders of libraries for changes (on)'),
  setting('marketplaceMinutes', 'number', 'minutes between marketplace updates, 0 = never (60)'),
  setting('rescanMinutes', 'number', 'minutes between scans of unwatched folders, 0 = never (30)'),
  setting('scanHours', 'number', 'hours between scans of all libraries, 0 = never (24)'),
  setting('backupFolder', 'folder', 'folder for backups (a folder in the data folder)'),
  setting('backupHours', 'number', 'hours between backups, 0 = never (24)'),
  setting('backupKeep', 'number', 'number of scheduled backups to keep (7)'),
  setting('backupPassphraseFile', 'file', 'file with a passphrase; backups then hold the keys'),
  setting('keepJobsDays', 'number', 'days until a finished job is removed; 0 = never (30)'),
  setting('missingDays', 'number', 'days until a missing file is removed (30)'),
  setting('ingest', 'on|off', 'off = use file names only and open no file (on)'),
  setting('probeSeconds', 'number', 'seconds that the probe of one file may take (10)'),
  setting('playbackRemuxes', 'number', 'most films sent in segments at a time (50)'),
  setting(
    'playbackConversions',
    'number',
    'most films converted at a time, 0 = half of the processors (0)',
  ),
  setting('playbackReserved', 'number', 'places of each of both kept for admins, 0 = none (0)'),
  setting('playbackHeight', 'number', 'most lines of converted pictures, 0 = as measured (0)'),
  setting('logLevel', 'level', 'debug, info, warn, error or silent (info)'),
  setting('logFormat', 'format', 'text or json (text)'),
];

/** Where settings come from. */
export interface ConfigSources {
  readonly flags: RawSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Relative paths are resolved against this folder. */
  readonly cwd: string;
}

/** Reads flags, environment and `vitrine.json`, or throws a {@link ConfigError}. */
export function readConfig(sources: ConfigSources): Config {
  const env = fromEnvironment(sources.env);
  const early = { ...env, ...sources.flags };
  const data = path.resolve(sources.cwd, text(early, 'data') ?? 'data');
  const file = fromFile(path.join(data, 'vitrine.json'));
  const raw: RawSettings = { ...file, ...early };
  const given = { flag: sources.flags, variable: env, file };
  return {
    host: text(raw, 'host') ?? '127.0.0.1',
    port: portNumber(text(raw, 'port') ?? '8360'),
    data,
    database: databaseUrl(text(raw, 'database'), data),
    storageDriver: oneOf(raw, 'storageDriver', ['node:sqlite', 'sqlite3']),
    libraries: list(raw, 'library').map((value) => libraryOption(value, sources.cwd)),
    identityUrl: webUrl(raw, 'identityUrl'),
    identityFeedMinutes: Math.max(
      1,
      wholeNumber(raw, 'identityFeedMinutes', { usual: 5, most: 1440 }),
    ),
    identityMaxFeedAgeHours: wholeNumber(raw, 'identityMaxFeedAgeHours', { usual: 0, most: 8760 }),
    appOrigins: appOrigins(list(raw, 'appOrigin')),
    licenseIssuer: hexKey(raw, 'licenseIssuer'),
    licenseAuthority: webUrl(raw, 'licenseAuthority'),
    updateUrl: webUrl(raw, 'updateUrl'),
    updateKey: hexKey(raw, 'updateKey'),
    publicUrl: webUrl(raw, 'publicUrl'),
    serverName: serverName(text(raw, 'serverName') ?? 'Vitrine'),
    country: country(text(raw, 'country'), sources.env),
    trustedProxies: list(raw, 'trustedProxy').map(addressRange),
    corsOrigins: list(raw, 'corsOrigin').map((value) => webOrigin(value)),
    connectionsPerAddress: wholeNumber(raw, 'connectionsPerAddress', { usual: 256, most: 65_535 }),
    eventClients: wholeNumber(raw, 'eventClients', { usual: 4000, least: 1, most: 100_000 }),
    eventClientsPerUser: wholeNumber(raw, 'eventClientsPerUser', {
      usual: 50,
      least: 1,
      most: 100_000,
    }),
    securityContact: contactUri(text(raw, 'securityContact')),
    contact: contact(text(raw, 'contact')),
    netAllow: list(raw, 'netAllow').map(allowedHost),
    pluginIsolation: oneOf(raw, 'pluginIsolation', ['auto', 'require', 'process']),
    ffmpeg: filePath(raw, 'ffmpeg', sources.cwd),
    transcoderCage: oneOf(raw, 'transcoderCage', ['auto', 'none']),
    transcoderHardware: oneOf(raw, 'transcoderHardware', [
      ...(['none', 'auto', 'vaapi', 'qsv', 'nvenc', 'v4l2m2m'] as const),
    ]),
    playbackCacheGb: wholeNumber(raw, 'playbackCacheGb', { usual: 10, least: 1, most: 100_000 }),
    searchPath: sources.env['PATH'] ?? '',
    localCopiesGb: wholeNumber(raw, 'localCopiesGb', { usual: 20, most: 1_000_000 }),
    watch: oneOf(raw, 'watch', ['on', 'off']),
    marketplaceMinutes: wholeNumber(raw, 'marketplaceMinutes', { usual: 60, most: 525_600 }),
    rescanMinutes: wholeNumber(raw, 'rescanMinutes', { usual: 30, most: 525_600 }),
    scanHours: wholeNumber(raw, 'scanHours', { usual: 24, most: 8760 }),
    backupFolder: path.resolve(
      sources.cwd,
      text(raw, 'backupFolder') ?? path.join(data, 'backups'),
    ),
    backupHours: wholeNumber(raw, 'backupHours', { usual: 24, most: 8760 }),
    backupKeep: wholeNumber(raw, 'backupKeep', { usual: 7, most: 1000 }),
    backupPassphraseFile: filePath(raw, 'backupPassphraseFile', sources.cwd),
    keepJobsDays: wholeNumber(raw, 'keepJobsDays', { usual: 30, most: 36_500 }),
    missingDays: wholeNumber(raw, 'missingDays', { usual: 30, most: 36_500 }),
    ingest: oneOf(raw, 'ingest', ['on', 'off']),
    probeSeconds: wholeNumber(raw, 'probeSeconds', { usual: 10, least: 1, most: 600 }),
    playbackRemuxes: wholeNumber(raw, 'playbackRemuxes', { usual: 50, most: 10_000 }),
    playbackConversions: wholeNumber(raw, 'playbackConversions', { usual: 0, most: 1000 }),
    playbackReserved: wholeNumber(raw, 'playbackReserved', { usual: 0, most: 1000 }),
    playbackHeight: wholeNumber(raw, 'playbackHeight', { usual: 0, most: 4320 }),
    logLevel: oneOf(raw, 'logLevel', ['info', 'debug', 'warn', 'error', 'silent']),
    logFormat: oneOf(raw, 'logFormat', ['text', 'json']),
    adminToken: adminToken(sources.env['VITRINE_ADMIN_TOKEN']),
    inUse: settings.map((one) => settingInUse(one, given)),
  };
}

function fromEnvironment(env: ConfigSources['env']): RawSettings {
  const found: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith('VITRINE_') || name === 'VITRINE_ADMIN_TOKEN' || !value) continue;
    // The broker reads these itself, and may share the environment.
    if (name.startsWith('VITRINE_BROKER_')) continue;
    const known = settings.find((one) => one.env === name);
    if (!known) throw new ConfigError(`${name}: there is no such setting${nearest(name, 'env')}.`);
    found[known.key] = known.isRepeatable === true ? value.split('\n').filter(Boolean) : value;
  }
  return found;
}

function fromFile(file: string): RawSettings {
  const content = readIfThere(file);
  if (content === undefined) return {};
  const parsed = parseObject(content, file);
  const found: Record<string, string | readonly string[]> = {};
  for (const [key, value] of Object.entries(parsed)) {
    const known = settings.find((one) => one.key === key);
    if (!known || key === 'data') {
      const why =
        key === 'data' ? 'the data folder cannot be set inside itself' : 'no such setting';
      throw new ConfigError(`${key} in ${file}: ${why}${nearest(key, 'key')}.`);
    }
    found[key] = fileValue(value, known, file);
  }
  return found;
}

function fileValue(value: unknown, { key, isRepeatable }: Setting, file: string) {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (isRepeatable === true && Array.isArray(value)) {
    const texts = value.filter((one): one is string => typeof one === 'string');
    if (texts.length === value.length) return texts;
  }
  const wanted = isRepeatable === true ? 'a text or a list of texts' : 'a text or a number';
  throw new ConfigError(`${key} in ${file}: it must be ${wanted}.`);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new ConfigError(`${file} cannot be read: ${String(error)}.`);
  }
}

function parseObject(content: string, file: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(content);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      return parsed as Record<string, unknown>;
    }
  } catch (error) {
    throw new ConfigError(`${file} is not JSON: ${String(error)}.`);
  }
  throw new ConfigError(`${file} must hold one JSON object.`);
}

function text(raw: RawSettings, key: string): string | undefined {
  const value = raw[key];
  return typeof value === 'string' ? value : value?.at(-1);
}

function filePath(raw: RawSettings, key: string, cwd: string): string | null {
  const file = text(raw, key);
  return file === undefined ? null : path.resolve(cwd, file);
}

function list(raw: RawSettings, key: string): readonly string[] {
  const value = raw[key] ?? [];
  return typeof value === 'string' ? [value] : value;
}

function portNumber(value: string): number {
  const port = Number(value);
  if (/^\d{1,5}$/.test(value) && port <= 65_535) return port;
  throw new ConfigError(`--port ${value}: it must be a number from 0 to 65535.`);
}

const flagOf = (key: string): string => settings.find((one) => one.key === key)?.flag ?? key;

function wholeNumber(
  raw: RawSettings,
  key: string,
  {
    usual,
    least = 0,
    most,
  }: { readonly usual: number; readonly least?: number; readonly most: number },
): number {
  const value = text(raw, key);
  if (value === undefined) return usual;
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new ConfigError(
    `--${flagOf(key)} ${value}: it must be a whole number from ${least} to ${most}.`,
  );
}

function databaseUrl(value: string | undefined, data: string): string {
  if (value === undefined) return `sqlite:${path.join(data, 'vitrine.db')}`;
  if (/^(sqlite:.|postgres(ql)?:\/\/)/.test(value)) return value;
  throw new ConfigError(`--database ${value}: it must be sqlite:<file> or postgres://….`);
}

/** The first of the allowed values is the default. */
function oneOf<Value extends string>(raw: RawSettings, key: string, allowed: readonly Value[]) {
  const value = text(raw, key);
  const found = value === undefined ? allowed[0] : allowed.find((one) => one === value);
  if (found !== undefined) return found;
  throw new ConfigError(
    `--${flagOf(key)} ${value ?? ''}: it must be one of ${allowed.join(', ')}.`,
  );
}

function webUrl(raw: RawSettings, key: string): string | null {
  const value = text(raw, key);
  if (value === undefined) return null;
  if (/^https?:\/\//.test(value) && URL.canParse(value)) return value.replace(/\/+$/, '');
  throw new ConfigError(
    `--${flagOf(key)} ${value}: it must be an address that starts with https:// or http://.`,
  );
}

/** That of the language of the system when absent: `de_AT.UTF-8` is Austria. */
function country(value: string | undefined, env: ConfigSources['env']): string | null {
  if (value === undefined) {
    const language = env['LC_ALL'] ?? env['LANG'] ?? '';
    return /^[a-z]{2,3}_([A-Z]{2})\b/.exec(language)?.[1] ?? null;
  }
  if (/^[a-z]{2}$/i.test(value)) return value.toUpperCase();
  throw new ConfigError(`--country ${value} is not a country; write two letters, such as US.`);
}

function serverName(value: string): string {
  const name = value.normalize('NFC').trim();
  if (name !== '' && name.length <= 100 && !/\p{C}/u.test(name)) return name;
  throw new ConfigError('--server-name: it must be 1 to 100 visible characters.');
}

function hexKey(raw: RawSettings, key: string): string | null {
  const value = text(raw, key);
  if (value === undefined || /^[0-9a-f]{64}$/i.test(value)) return value?.toLowerCase() ?? null;
  throw new ConfigError(
    `--${flagOf(key)} ${value}: it must be an Ed25519 public key, 64 hex digits.`,
  );
}

function adminToken(value: string | undefined): string | null {
  if (!value) return null;
  if (/^vtk_[0-9a-f]{64}$/.test(value)) return value;
  throw new ConfigError('VITRINE_ADMIN_TOKEN: it must be vtk_ and 64 lower-case hex digits.');
}

function libraryOption(value: string, cwd: string): LibraryOption {
  const [, type, name, folder] = /^([^:]+):([^:]+):(.+)$/s.exec(value) ?? [];
  if (type === undefined || name === undefined || folder === undefined) {
    throw new ConfigError(
      `--library ${value}: it must be TYPE:NAME:PATH, such as movies:Films:/media/films.`,
    );
  }
  return { type, name, path: path.resolve(cwd, folder) };
}

function addressRange(value: string): string {
  const [address = '', prefix, ...rest] = value.split('/');
  const bits = isIP(address) === 6 ? 128 : 32;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  if (isIP(address) !== 0 && isPrefix && rest.length === 0) return value;
  throw new ConfigError(
    `--trusted-proxy ${value}: it must be an address or a range, such as 127.0.0.1 or 10.0.0.0/8.`,
  );
}

function appOrigins(values: readonly string[]): Config['appOrigins'] {
  if (values.length === 0) return null;
  const [only] = values;
  if (values.length === 1 && (only === '*' || only === 'none')) return only === '*' ? '*' : [];
  return values.map((value) => webOrigin(value, '--app-origin'));
}

function webOrigin(value: string, flag = '--cors-origin'): string {
  const isWeb = /^https?:\/\//.test(value) && URL.canParse(value);
  if (isWeb && new URL(value).origin === value) return value;
  throw new ConfigError(
    `${flag} ${value}: it must be one exact origin, such as https://app.example.org, without a path or *.`,
  );
}

function contactUri(value: string | undefined): string | null {
  if (value === undefined || /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(value))
    return value ?? null;
  throw new ConfigError(`--security-contact ${value}: it must be mailto:… or https://….`);
}

/** It stands in a header between brackets. */
function contact(value: string | undefined): string | null {
  const isContact = /^([^@]+@[^@]+|https?:\/\/.+)$/.test(value ?? '');
  const isPlain = /^[\x21-\x27\x2a-\x7e]{1,200}$/.test(value ?? '');
  if (value === undefined || (isContact && isPlain)) return value ?? null;
  throw new ConfigError(
    `--contact ${value}: it must be a mail address or a web address, such as me@example.org or https://example.org/me.`,
  );
}

function allowedHost(value: string): string {
  const [, name, port] =
    /^(\[[0-9a-f:]+\]|(?:\*\.)?[a-z0-9.-]+)(?::(\d{1,5}))?$/i.exec(value) ?? [];
  const isPort = port === undefined || (Number(port) > 0 && Number(port) <= 65_535);
  if (name !== undefined && isPort) return value.toLowerCase();
  throw new ConfigError(
    `--net-allow ${value}: it must be HOST or HOST:PORT, such as nas.local or 192.168.1.10:8096.`,
  );
}

function nearest(name: string, spelling: 'env' | 'key'): string {
  const close = settings.find((one) => one[spelling].toLowerCase() === name.toLowerCase());
  return close ? `; it is spelled ${close[spelling]}` : '';
}
