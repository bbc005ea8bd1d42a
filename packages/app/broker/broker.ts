import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Log } from '../../../kernel/index.ts';
import { openStorage } from '../../../kernel/store/index.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { AccountKeys } from './accounts/account-keys.ts';
import { createAccounts } from './accounts/accounts.ts';
import { Approvals } from './passes/approvals.ts';
import { createApps } from './apps/apps.ts';
import { createBrokerApp } from './http/broker-app.ts';
import { brokerMigrations } from './broker-migrations.ts';
import { createChallenges } from './accounts/challenges.ts';
import { networkKeyOf } from './service/client-address.ts';
import type { BrokerConfig } from './service/config.ts';
import { createDevices } from './passes/devices.ts';
import type { FetchProof, ResolveTxt } from './apps/domain-proof.ts';
import { openFeed } from './feed/feed.ts';
import { createLinks } from './servers/links.ts';
import { createPageFiles } from './http/page-files.ts';
import { createPairings } from './pairing/pairings.ts';
import { dayMs, hourMs, minuteMs, type Core } from './service/parts.ts';
import { createPasskeyCheck } from './accounts/passkey-check.ts';
import { createRecords } from './revocations/records.ts';
import { createRenewals } from './passes/renewals.ts';
import { createRate } from './service/request-rates.ts';
import { createRotate } from './revocations/rotations.ts';
import { accountRoutes } from './routes/account.ts';
import { appRoutes } from './routes/apps.ts';
import { approvalRoutes } from './routes/approvals.ts';
import { deviceRoutes } from './routes/devices.ts';
import { identityRoutes } from './routes/identity.ts';
import { pageRoutes } from './routes/pages.ts';
import { createCodeSeal } from './service/secret-hashes.ts';
import { createServers } from './servers/servers.ts';
import { createSessions } from './accounts/sessions.ts';
import { siteOf, type Site } from './service/site.ts';
import { createSweeper } from './sweeper.ts';
import { createAssertOrigin, guardWeb } from './http/web-guard.ts';

export interface BrokerParts {
  readonly config: BrokerConfig;
  /** 32 secret bytes, stored outside the database: pairing codes are hashed with them. */
  readonly key: Buffer;
  readonly clock: Clock;
  readonly log: Log;
  /** The lookups with which domains prove their apps. */
  readonly fetchProof: FetchProof;
  readonly resolveTxt: ResolveTxt;
  /** Returns so many random bytes; the system's generator by default. */
  readonly random?: (count: number) => Buffer;
}

/** The identity broker: a service of its own. */
export type Broker = Awaited<ReturnType<typeof createBroker>>;

/** How long requests in progress may take after a stop. */
const shutdownMs = 8000;

/** Creates a broker over its database, after applying migrations. */
export async function createBroker(parts: BrokerParts) {
  const { config, key, clock, log, fetchProof, resolveTxt, random = randomBytes } = parts;
  const { limits, version } = config;
  const storage = await openStorage({ url: config.database, migrations: [brokerMigrations], log });
  let site: Site | null = config.identityUrl === null ? null : siteOf(config.identityUrl);
  const core: Core = {
    database: storage.database,
    clock,
    random,
    log,
    limits,
    site: () => {
      if (site === null) throw new Error('The broker has no address before it listens.');
      return site;
    },
  };

  const seal = createCodeSeal(key);
  const feed = await openFeed(core, config.data);
  const challenges = createChallenges(core);
  const check = createPasskeyCheck(core, challenges);
  const sessions = createSessions(core);
  const apps = createApps({ core, fetchProof, resolveTxt });
  const sweeper = createSweeper(core, feed, apps);
  const links = createLinks(core);
  const accountParts = { core, challenges, check, sessions };
  const records = createRate(clock, [{ most: limits.recordsPerDay, inMs: dayMs }]);
  const feedRate = createRate(clock, [{ most: limits.feedPerHour, inMs: hourMs }]);

  const app = createBrokerApp({ trustedProxies: config.trustedProxies, log });
  const assertOrigin = createAssertOrigin(core.site);
  guardWeb(app, { sessions, assertOrigin });
  identityRoutes(app, {
    pairings: createPairings(core, seal),
    renewals: createRenewals(core),
    feed,
    checkFeed: (address) => feedRate.take(networkKeyOf(address)),
    links,
    ping: storage.ping,
    version,
  });
  accountRoutes(app, {
    accounts: createAccounts(accountParts),
    keys: new AccountKeys(accountParts),
    sessions,
    clock,
    signIns: createRate(clock, [{ most: limits.signInsPerMinute, inMs: minuteMs }]),
    registrations: createRate(clock, [{ most: limits.accountsPerHour, inMs: hourMs }]),
  });
  approvalRoutes(app, {
    approvals: new Approvals({ core, challenges, check, feed, seal, records }),
    links,
    assertOrigin,
  });
  deviceRoutes(app, {
    devices: createDevices(core),
    servers: createServers(core),
    records: createRecords(core, feed, records),
    rotate: createRotate(core, feed),
    clock,
    changes: createRate(clock, [{ most: limits.changesPerMinute, inMs: minuteMs }]),
  });
  appRoutes(app, { apps });
  if (config.pages !== null) pageRoutes(app, { pages: createPageFiles({ folder: config.pages }) });

  /** Waits for requests in progress, and closes the database. */
  const stop = async (): Promise<void> => {
    await sweeper.stop();
    app.server.closeIdleConnections();
    // Slower connections are closed.
    const giveUp = clock.after(shutdownMs, () => app.server.closeAllConnections());
    await app.close();
    giveUp();
    await storage.close();
  };

  return {
    /**
     * Starts listening. `url` is the socket's address, `identityUrl` the public one for people and
     * apps.
     */
    start: async (): Promise<{ readonly url: string; readonly identityUrl: string }> => {
      try {
        await app.listen({ host: config.host, port: config.port });
      } catch (error) {
        await stop();
        throw error;
      }
      const port = portOf(app.server.address());
      site ??= siteOf(`http://localhost:${port}`);
      await sweeper.start();
      return { url: urlOf(config.host, port), identityUrl: core.site().url };
    },
    /** Removes expired data; it also runs every five minutes. */
    sweep: sweeper.sweep,
    stop,
  };
}

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0;

const urlOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
