/** The rate limits of the broker (identity protocol, section 3.9). */
export interface BrokerLimits {
  /** Pairings that one address may start. */
  readonly beginsPerMinute: number;
  readonly beginsPerHour: number;
  readonly livePairingsPerApp: number;
  /** Wrong codes in ten minutes. */
  readonly wrongCodesPerAccount: number;
  readonly wrongCodesPerAddress: number;
  readonly wrongCodes: number;
  readonly pollsPerMinute: number;
  /** Uses of the passkeys of one account. */
  readonly assertionsPerMinute: number;
  /** Challenges and registrations of one address. */
  readonly signInsPerMinute: number;
  readonly accountsPerHour: number;
  readonly feedPerHour: number;
  readonly renewalsPerHour: number;
  readonly renewalsPerClientPerDay: number;
  /** Wrong recovery codes from one address. */
  readonly recoveriesPerHour: number;
  readonly linksPerHour: number;
  readonly appsPerAccount: number;
  /** Signed changes, and records for the feed, of one account. */
  readonly changesPerMinute: number;
  readonly recordsPerDay: number;
  readonly clientsPerAccount: number;
}

/** The limits of section 3.9, with defaults for those that it leaves open. */
export const usualLimits: BrokerLimits = {
  beginsPerMinute: 10,
  beginsPerHour: 60,
  livePairingsPerApp: 1000,
  wrongCodesPerAccount: 5,
  wrongCodesPerAddress: 30,
  wrongCodes: 2000,
  pollsPerMinute: 120,
  assertionsPerMinute: 20,
  signInsPerMinute: 60,
  accountsPerHour: 20,
  feedPerHour: 60,
  renewalsPerHour: 60,
  renewalsPerClientPerDay: 10,
  recoveriesPerHour: 5,
  linksPerHour: 60,
  appsPerAccount: 20,
  changesPerMinute: 60,
  recordsPerDay: 1000,
  clientsPerAccount: 200,
};

/** All settings. */
export interface BrokerConfig {
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  /** The folder of its files, which must exist. */
  readonly data: string;
  /** `sqlite:<file>` or `postgres://…`. */
  readonly database: string;
  /** The address for people and apps; `null` = `http://localhost:<port>`. */
  readonly identityUrl: string | null;
  /** Addresses and ranges of proxies whose `X-Forwarded-*` headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** The folder of its pages; `null` = it serves none. */
  readonly pages: string | null;
  readonly version: string;
  readonly limits: BrokerLimits;
}
