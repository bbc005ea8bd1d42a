/**
 * The settings of a server: one record each. A setting is a flag (`--log-level`), an environment variable
 * (`VITRINE_LOG_LEVEL`) and a key of `vitrine.json` in the data folder (`logLevel`).
 */
import path from 'node:path';
import {
  serverRoles as roles,
  type ServerRole,
} from '../contract/resources/operations/operations.ts';
import type { SettingInUse } from '../contract/resources/operations/installation.ts';
import { settingInUse } from './setting-in-use.ts';
import {
  addressRange,
  databaseUrl,
  dataFolder,
  filePath,
  hexKey,
  many,
  oneOf,
  optional,
  port,
  postgresUrl,
  textOr,
  usually,
  webUrl,
  whole,
} from './setting-kinds.ts';
import {
  ConfigError,
  createSettings,
  setting,
  type ConfigOf,
  type ConfigSources,
  type Given,
} from './setting-table.ts';

export { ConfigError, type ConfigSources };

/** A library that the server creates at the start unless it exists. */
export interface LibraryOption {
  readonly type: string;
  readonly name: string;
  /** Absolute path of the folder. */
  readonly path: string;
}

/** How much is logged. */
export const logLevels = oneOf('info', 'debug', 'warn', 'error', 'silent');
export const logFormats = oneOf('text', 'json');
const feedMinutes = whole({ usual: 5, most: 1440 });

/** Where blobs are: an absolute path, or a bucket with what its keys begin with. */
export type BlobPlace =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string };

/** All settings, in the order of the help text. */
const table = {
  host: setting('address', 'address to listen on', textOr('127.0.0.1')),
  /** 0 = any free port. */
  port: setting('number', 'port to listen on, 0 for any', port(8360)),
  /** Where other servers of the database ask this one; `null` = nowhere. */
  internalListen: setting(
    'host:port',
    'address for the other servers of the database',
    optional(listenAddress),
  ),
  /** Absolute path. */
  data: setting('folder', 'folder of the database and the plugins', dataFolder('./data')),
  /** `sqlite:<file>` or `postgres://…`. */
  database: setting('url', 'sqlite:<file> or postgres://…', databaseUrl('vitrine.db')),
  /** Another address of the same PostgreSQL, for the connection that must keep its session. */
  databaseSession: setting('url', 'address without a pooler, for one connection', postgresUrl),
  storageDriver: setting('name', 'node:sqlite or sqlite3', oneOf('node:sqlite', 'sqlite3')),
  libraries: setting(
    'type:name:path',
    'a library to create and scan; may be repeated',
    many(libraryOption),
    'library',
  ),
  identityUrl: setting('url', 'address of the identity broker', webUrl),
  /** Minutes between two reads of the broker's revocation feed; at least one. */
  identityFeedMinutes: setting('number', 'minutes between revocation checks', {
    ...feedMinutes,
    read: (given) => Math.max(1, feedMinutes.read(given)),
  }),
  /** Identity sign-ins are refused when the revocation feed is older, in hours; 0 = never. */
  identityMaxFeedAgeHours: setting(
    'number',
    'hours without the broker until identity sign-ins are refused, 0 = never',
    whole({ usual: 0, most: 8760 }),
  ),
  licenseIssuer: setting('hex', 'public key of the license issuer', hexKey),
  licenseAuthority: setting('url', 'address of the license activation service', webUrl),
  /** URL of the folder with the release channel files. */
  updateUrl: setting('url', 'URL of the folder with the release channel files', webUrl),
  /** Public key that the channel files are signed with, 64 hex digits. */
  updateKey: setting('hex', 'public key that the channel files are signed with', hexKey),
  publicUrl: setting('url', 'address at which clients reach this server', webUrl),
  /** The name of this server in invites. */
  serverName: setting('text', 'name of this server in invites', {
    usual: 'Vitrine',
    read: ({ text }) => serverName(text ?? 'Vitrine'),
  }),
  /** ISO 3166-1: where a rating is read that several countries have; `null` = nowhere. */
  country: setting('code', 'country of ratings such as PG', {
    usual: 'that of the system',
    read: country,
  }),
  /** Addresses and ranges of proxies whose `X-Forwarded-*` headers are trusted. */
  trustedProxies: setting(
    'address[/n]',
    'a proxy whose X-Forwarded headers are trusted; may be repeated',
    many(addressRange),
    'trustedProxy',
  ),
  /** Other origins whose pages may call the server with a session (CORS). */
  corsOrigins: setting(
    'origin',
    'another origin whose pages may call the server; may be repeated',
    many(webOrigin),
    'corsOrigin',
  ),
  /** Origins of apps that may read replies to a token; `null` = any, once an identity is linked. */
  appOrigins: setting(
    'origin',
    'an origin of apps with tokens, * or none; may be repeated',
    { usual: '*', isRepeatable: true, read: appOrigins },
    'appOrigin',
  ),
  /** Connections that one address may have; 0 = any number. */
  connectionsPerAddress: setting(
    'number',
    'most connections of one address, 0 = any number',
    whole({ usual: 256, most: 65_535 }),
  ),
  /** The most event connections at a time, in all and for one user. */
  eventClients: setting(
    'number',
    'most event connections at a time',
    whole({ usual: 4000, least: 1, most: 100_000 }),
  ),
  eventClientsPerUser: setting(
    'number',
    'most event connections of one user',
    whole({ usual: 50, least: 1, most: 100_000 }),
  ),
  /** Contact for security reports: `mailto:…` or `https://…`. */
  securityContact: setting(
    'uri',
    'contact for security reports: mailto:… or https://…',
    optional(contactUri),
  ),
  /** Mail or web address of the operator, sent to the services that plugins ask; `null` = none. */
  contact: setting(
    'mail|url',
    'your mail or web address, sent to services that plugins ask',
    optional(contact),
  ),
  /** `HOST[:PORT]` that plugins may reach even when it is on the server's own network. */
  netAllow: setting(
    'host[:port]',
    'a host on the own network that plugins may reach; may be repeated',
    many(allowedHost),
  ),
  /** Namespaces for installed plugins: where available, required to run, or not used. */
  pluginIsolation: setting(
    'mode',
    'namespaces for plugins: auto, require or process',
    oneOf('auto', 'require', 'process'),
  ),
  /** Absolute path of the program that converts media; `null` = `ffmpeg` in `searchPath`. */
  ffmpeg: setting('file', 'program that converts media', usually('ffmpeg in PATH', filePath)),
  /** `auto`: media are converted only in a cage. `none`: also without one. */
  transcoderCage: setting(
    'auto|none',
    'none = convert media also without a cage',
    oneOf('auto', 'none'),
  ),
  /** Which devices may encode pictures. */
  transcoderHardware: setting(
    'kind',
    'devices that encode pictures: none, auto, vaapi, qsv, nvenc or v4l2m2m',
    oneOf('none', 'auto', 'vaapi', 'qsv', 'nvenc', 'v4l2m2m'),
  ),
  /** The most GiB for what is converted; never more than a tenth of the free disk. */
  playbackCacheGb: setting(
    'number',
    'most GiB for converted media',
    whole({ usual: 10, least: 1, most: 100_000 }),
  ),
  /** The most GiB for local copies of remote files, together. */
  localCopiesGb: setting(
    'number',
    'most GiB for local copies of remote files',
    whole({ usual: 20, most: 1_000_000 }),
  ),
  /** What this server does, of several on one database. */
  roles: setting(
    'list',
    'what this server does',
    usually(roles.join(','), { usual: '', read: roleList }),
  ),
  /** Seconds that a stopping server goes on answering; `null` = 5 with several servers, else 0. */
  drainSeconds: setting(
    'number',
    'seconds that a stopping server goes on answering',
    usually(
      '5 on PostgreSQL, else 0',
      optional((_text, given) => whole({ usual: 0, most: 600 }).read(given)),
    ),
  ),
  /** Whether the folders of libraries are watched for changes. */
  watch: setting('on or off', 'watch the folders of libraries for changes', oneOf('on', 'off')),
  /** Minutes between downloads of the marketplace indexes; 0 = only on request. */
  marketplaceMinutes: setting(
    'number',
    'minutes between marketplace updates, 0 = never',
    whole({ usual: 60, most: 525_600 }),
  ),
  /** Minutes between scans of a library whose folders cannot be watched; 0 = never. */
  rescanMinutes: setting(
    'number',
    'minutes between scans of unwatched folders, 0 = never',
    whole({ usual: 30, most: 525_600 }),
  ),
  /** Hours between scans of every library, watched or not; 0 = never. */
  scanHours: setting(
    'number',
    'hours between scans of all libraries, 0 = never',
    whole({ usual: 24, most: 8760 }),
  ),
  /** Where servers keep what they have in common and can make again; `null` = in the data folder. */
  blobs: setting(
    'folder|s3://bucket/prefix',
    'shared folder or bucket for pictures that were made',
    optional(blobPlace),
  ),
  blobsEndpoint: setting('url', 'address of the S3 service of --blobs', webUrl),
  blobsRegion: setting('name', 'region of the bucket of --blobs', textOr('us-east-1')),
  /** Whether what is converted is copied there too. */
  blobsConversions: setting('on or off', 'keep converted media in --blobs too', oneOf('off', 'on')),
  /** Absolute path of a file with the id of a key and its secret, one a line. */
  blobsKeyFile: setting('file', 'file with the two keys of the bucket of --blobs', filePath),
  /** Absolute path. */
  backupFolder: setting('folder', 'folder for backups', {
    usual: 'a folder in the data folder',
    read: ({ text, data, cwd }) => path.resolve(cwd, text ?? path.join(data, 'backups')),
  }),
  /** Hours between backups; 0 = never. */
  backupHours: setting(
    'number',
    'hours between backups, 0 = never',
    whole({ usual: 24, most: 8760 }),
  ),
  /** `on`: somebody else backs up PostgreSQL, and the server says nothing of it. */
  backupElsewhere: setting('on|off', 'on = PostgreSQL is backed up by others', oneOf('off', 'on')),
  /** How many of the scheduled backups are kept. */
  backupKeep: setting(
    'number',
    'number of scheduled backups to keep',
    whole({ usual: 7, most: 1000 }),
  ),
  /** Absolute path of the file with both keys of the server; `null` = they are in the data folder. */
  serverKeyFile: setting('file', 'file with server.key and server-id.key', filePath),
  /** Absolute path of the file with the passphrase for keys in backups; `null` = no keys in them. */
  backupPassphraseFile: setting(
    'file',
    'file with a passphrase; backups then hold the keys',
    filePath,
  ),
  /** Days until a finished job is removed; 0 = never. */
  keepJobsDays: setting(
    'number',
    'days until a finished job is removed; 0 = never',
    whole({ usual: 30, most: 36_500 }),
  ),
  /** Days until a missing file is removed; 0 = at the end of the next full scan. */
  missingDays: setting(
    'number',
    'days until a missing file is removed',
    whole({ usual: 30, most: 36_500 }),
  ),
  /** `off`: items are made from file names only, and no file is opened. */
  ingest: setting('on|off', 'off = use file names only and open no file', oneOf('on', 'off')),
  /** Seconds that a probe of a single file may take. */
  probeSeconds: setting(
    'number',
    'seconds that the probe of one file may take',
    whole({ usual: 10, least: 1, most: 600 }),
  ),
  /** Playback sessions whose segments are copied from the file, at a time. */
  playbackRemuxes: setting(
    'number',
    'most films sent in segments at a time',
    whole({ usual: 50, most: 10_000 }),
  ),
  /** Playback sessions with a converted picture; 0 = half of the processors. */
  playbackConversions: setting(
    'number',
    'most films converted at a time, 0 = half of the processors',
    whole({ usual: 0, most: 1000 }),
  ),
  /** Playback sessions of each kind whose places are kept for admins; 0 = none. */
  playbackReserved: setting(
    'number',
    'places of each of both kept for admins, 0 = none',
    whole({ usual: 0, most: 1000 }),
  ),
  /** Most pixels of height of converted pictures; 0 = what the machine is measured to convert in time. */
  playbackHeight: setting(
    'number',
    'most lines of converted pictures, 0 = as measured',
    whole({ usual: 0, most: 4320 }),
  ),
  logLevel: setting('level', 'debug, info, warn, error or silent', logLevels),
  logFormat: setting('format', 'text or json', logFormats),
};

/** All settings, with their defaults filled in. */
export interface Config extends ConfigOf<typeof table> {
  /** Folders of programs, as `PATH` has them. */
  readonly searchPath: string;
  /** The keys of a bucket, from `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`. Environment only. */
  readonly blobKeys: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
  /** `vtk_` and 64 hex digits: installed as an admin API key at the start. Environment only. */
  readonly adminToken: string | null;
  /** The values of the settings that servers of one database must have in common, by their names. */
  readonly common: Readonly<Record<string, string>>;
  /** Every setting as it is in use, for admins, in the order of the help text. */
  readonly inUse: readonly SettingInUse[];
}

export type LogLevel = Config['logLevel'];

const adminTokenName = 'VITRINE_ADMIN_TOKEN';

const ofServer = createSettings({
  tables: [table],
  prefix: 'VITRINE_',
  // The broker reads its variables itself, and may share the environment.
  isOther: (name) => name === adminTokenName || name.startsWith('VITRINE_BROKER_'),
  file: 'vitrine.json',
  usualData: 'data',
});

/** All settings, in the order of the help text. */
export const { settings } = ofServer;

/** Reads flags, environment and `vitrine.json`, or throws a {@link ConfigError}. */
export function readConfig(sources: ConfigSources): Config {
  const {
    configs: [config],
    given,
  } = ofServer.read(sources);
  if (config.database.startsWith('sqlite:') && config.roles.length < roles.length)
    throw new ConfigError(
      `--roles ${config.roles.join(',')}: a server on SQLite is the only one, and needs all roles.`,
    );
  const inUse = settings.map((one) => settingInUse(one, given));
  const token = adminToken(sources.env[adminTokenName]);
  return {
    ...config,
    searchPath: sources.env['PATH'] ?? '',
    blobKeys: blobKeys(sources.env),
    adminToken: token,
    common: Object.fromEntries<string>([
      ...inUse
        .filter(({ key, value }) => !own.has(key) && value !== null)
        .map(({ flag, value }): [string, string] => [`--${flag}`, value ?? '']),
      ...(token === null ? [] : [[adminTokenName, token] as const]),
    ]),
    inUse,
  };
}

/** What is of one machine: servers of one database may have other values. */
const own: ReadonlySet<string> = new Set([
  ...['host', 'port', 'data', 'database', 'storageDriver', 'roles', 'drainSeconds'],
  ...['connectionsPerAddress', 'eventClients', 'logLevel', 'logFormat'],
  ...['pluginIsolation', 'ffmpeg', 'transcoderCage', 'transcoderHardware'],
  ...['playbackCacheGb', 'localCopiesGb', 'playbackConversions', 'playbackHeight'],
  ...['backupFolder', 'backupPassphraseFile', 'serverKeyFile', 'internalListen'],
]);

function roleList({ text, flag }: Given): readonly ServerRole[] {
  if (text === undefined) return roles;
  const named = text.split(',').map((one) => one.trim());
  const found = roles.filter((role) => named.includes(role));
  if (found.length === named.length) return found;
  throw new ConfigError(
    `${flag} ${text}: it must be a list of different ones of ${roles.join(', ')}, such as web,jobs.`,
  );
}

/** That of the language of the system when absent: `de_AT.UTF-8` is Austria. */
function country({ text, env }: Given): string | null {
  if (text === undefined) {
    const language = env['LC_ALL'] ?? env['LANG'] ?? '';
    return /^[a-z]{2,3}_([A-Z]{2})\b/.exec(language)?.[1] ?? null;
  }
  if (/^[a-z]{2}$/i.test(text)) return text.toUpperCase();
  throw new ConfigError(`--country ${text} is not a country; write two letters, such as US.`);
}

function serverName(value: string): string {
  const name = value.normalize('NFC').trim();
  if (name !== '' && name.length <= 100 && !/\p{C}/u.test(name)) return name;
  throw new ConfigError('--server-name: it must be 1 to 100 visible characters.');
}

/** A name like one of these stands where the type must be, unless the type is one as well. */
const usualTypes: ReadonlySet<string> = new Set([
  ...['movies', 'tv', 'music', 'audiobooks', 'books', 'photos'],
]);

function libraryOption(value: string, { cwd }: Given): LibraryOption {
  const [, type = '', name = '', folder = ''] = /^([^:]+):([^:]+):(.+)$/s.exec(value) ?? [];
  const isTurned = usualTypes.has(name.trim()) && !usualTypes.has(type);
  if (!/^[a-z][a-z0-9-]{0,63}$/.test(type) || isTurned) {
    throw new ConfigError(
      `--library ${value}: it must be TYPE:NAME:PATH, such as movies:Films:/media/films. TYPE is ${[...usualTypes].join(', ')}, or that of a plugin.`,
    );
  }
  return { type, name, path: path.resolve(cwd, folder) };
}

function appOrigins({ all }: Given): '*' | readonly string[] | null {
  if (all.length === 0) return null;
  const [only] = all;
  if (all.length === 1 && (only === '*' || only === 'none')) return only === '*' ? '*' : [];
  return all.map((value) => webOrigin(value, { flag: '--app-origin' }));
}

function webOrigin(value: string, { flag }: Pick<Given, 'flag'>): string {
  const isWeb = /^https?:\/\//.test(value) && URL.canParse(value);
  if (isWeb && new URL(value).origin === value) return value;
  throw new ConfigError(
    `${flag} ${value}: it must be one exact origin, such as https://app.example.org, without a path or *.`,
  );
}

function contactUri(value: string): string {
  if (/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(value)) return value;
  throw new ConfigError(`--security-contact ${value}: it must be mailto:… or https://….`);
}

/** It stands in a header between brackets. */
function contact(value: string): string {
  const isContact = /^([^@]+@[^@]+|https?:\/\/.+)$/.test(value);
  const isPlain = /^[\x21-\x27\x2a-\x7e]{1,200}$/.test(value);
  if (isContact && isPlain) return value;
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

function listenAddress(value: string): { readonly host: string; readonly port: number } {
  const [, inBrackets, name, text] =
    /^(?:\[([0-9a-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(value) ?? [];
  const host = inBrackets ?? name;
  if (host !== undefined && Number(text) <= 65_535) return { host, port: Number(text) };
  throw new ConfigError(
    `--internal-listen ${value}: it must be HOST:PORT, such as 10.0.0.5:8361 or [fd00::5]:8361.`,
  );
}

function blobPlace(value: string, { cwd }: Given): BlobPlace {
  if (!/^[a-z0-9+.-]+:\/\//i.test(value))
    return { kind: 'folder', folder: path.resolve(cwd, value) };
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/((?:[\w.-]+\/?)*))?$/.exec(value) ?? [];
  const names = prefix.split('/').filter((name) => name !== '');
  if (bucket !== undefined && names.every((name) => !/^\.+$/.test(name)))
    return { kind: 's3', bucket, prefix: names.join('/') };
  throw new ConfigError(
    `--blobs ${value}: it must be a folder, or a bucket such as s3://media/vitrine.`,
  );
}

function blobKeys(env: ConfigSources['env']): Config['blobKeys'] {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  return accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null;
}

function adminToken(value: string | undefined): string | null {
  if (!value) return null;
  if (/^vtk_[0-9a-f]{64}$/.test(value)) return value;
  throw new ConfigError('VITRINE_ADMIN_TOKEN: it must be vtk_ and 64 lower-case hex digits.');
}
