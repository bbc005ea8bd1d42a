/**
 * The settings of the identity broker: one record each. A setting is a flag (`--identity-url`), an
 * environment variable (`VITRINE_BROKER_IDENTITY_URL`) and a key of `broker.json` in its data folder
 * (`identityUrl`).
 */
import { siteOf, usualLimits, type BrokerLimits } from '../broker/index.ts';
import {
  ConfigError,
  logFormats,
  logLevels,
  type ConfigSources,
} from '../../../src/platform/config.ts';
import {
  addressRange,
  databaseUrl,
  dataFolder,
  port,
  textOr,
  whole,
} from '../../../src/platform/setting-kinds.ts';
import {
  createSettings,
  setting,
  type ConfigOf,
  type Given,
  type SettingRecord,
} from '../../../src/platform/setting-table.ts';

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

/** All settings but the limits, in the order of the help text. */
const table = {
  host: setting('address', 'address to listen on', textOr('127.0.0.1')),
  port: setting('number', 'port to listen on, 0 for any', port(8361)),
  data: setting('folder', 'folder of its database and its key', dataFolder('./broker-data')),
  identityUrl: setting('url', 'address at which people and apps reach it', {
    usual: 'http://localhost:<port>',
    read: identityUrl,
  }),
  database: setting('url', 'sqlite:<file> or postgres://…', databaseUrl('broker.db')),
  trustedProxies: setting(
    'list',
    'proxies whose X-Forwarded headers are trusted, separated by commas',
    { usual: null, read: proxies },
  ),
  logLevel: setting('level', 'debug, info, warn, error or silent', logLevels),
  logFormat: setting('format', 'text or json', logFormats),
};

const keysOfLimits = Object.keys(limits).filter((key): key is keyof BrokerLimits => key in limits);
const settingOfLimit = (key: keyof BrokerLimits): string =>
  `limit${key.charAt(0).toUpperCase()}${key.slice(1)}`;
const limitOf = (key: keyof BrokerLimits): SettingRecord<number> =>
  setting('number', limits[key], whole({ usual: usualLimits[key], least: 1, most: 1_000_000_000 }));
const tableOfLimits: Readonly<Record<string, SettingRecord<number>>> = Object.fromEntries(
  keysOfLimits.map((key) => [settingOfLimit(key), limitOf(key)]),
);

const own = createSettings({
  tables: [table, tableOfLimits],
  prefix: 'VITRINE_BROKER_',
  file: 'broker.json',
  usualData: 'broker-data',
});

/** All settings, in the order of the help text. */
export const brokerSettings = own.settings;

/** The configuration of the broker and of its log. */
export interface BrokerSettings extends ConfigOf<typeof table> {
  readonly limits: BrokerLimits;
}

/** Reads flags, environment and `broker.json`, or throws a {@link ConfigError}. */
export function readBrokerSettings(sources: ConfigSources): BrokerSettings {
  const [config, found] = own.read(sources).configs;
  const set = keysOfLimits.map((key) => [key, found[settingOfLimit(key)]]);
  const limits = Object.fromEntries(set) as Partial<BrokerLimits>;
  return { ...config, limits: { ...usualLimits, ...limits } };
}

function identityUrl({ text }: Given): string | null {
  if (text === undefined) return null;
  const site = siteOf(text);
  if (site) return site.url;
  throw new ConfigError(
    `--identity-url ${text}: passkeys need https and a host name, such as https://id.example.org, or http://localhost:<port>; a path is not allowed.`,
  );
}

function proxies({ all, flag }: Given): readonly string[] {
  const addresses = all.flatMap((text) => text.split(',')).filter(Boolean);
  return addresses.map((text) => addressRange(text.trim(), { flag }));
}
