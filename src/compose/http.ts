import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createConsole } from '../console/index.ts';
import {
  createHttpApp,
  type AppOrigins,
  type HttpSecurity,
  type Readiness,
} from '../http/index.ts';
import { createLoadWatch, memoryUse } from '../operations/load-watch.ts';
import { derivedKey } from '../platform/secrets/index.ts';
import type { Domains } from './domains.ts';
import type { Infrastructure } from './infrastructure.ts';
import { whyNotListening } from './listen-failure.ts';
import { composeRoutes } from './routes.ts';

/** The HTTP server. */
export type Http = Awaited<ReturnType<typeof composeHttp>>;

/** How long requests under way may still take; then their connections are closed. */
const requestsTimeoutMs = 3000;
/** The same for files, where the server drains. */
const drainedFilesMs = 30_000;

/** Builds the interface over the domains; it is not reachable before it listens. */
export async function composeHttp(infrastructure: Infrastructure, domains: Domains) {
  const { config, built, cluster, metrics, steady, storage } = infrastructure;
  const loadWatch = createLoadWatch({
    clock: steady,
    memory: () => memoryUse(domains.hostBytes),
    report: domains.problems.set,
  });
  let readiness: Readiness = 'starting';
  const drainMs = (config.drainSeconds ?? (cluster ? 5 : 0)) * 1000;
  const filesMs = drainMs > 0 ? drainedFilesMs : requestsTimeoutMs;
  const pages = createConsole({
    folder: path.join(built.folder, 'console'),
    appFolder: path.join(built.folder, 'web'),
  });
  const app = await createHttpApp({
    ...infrastructure,
    routes: composeRoutes(infrastructure, domains, {
      pages,
      readiness: () => readiness,
      port: () => portOf(app.server.address()) ?? config.port,
    }),
    pageOfNothing: () => pages.appFile('index.html'),
    authenticate: domains.people.accounts.authenticate,
    hasActiveLicense: domains.licensing.hasActiveLicense,
    security: securityOf(infrastructure, domains),
    readiness: () => readiness,
    isForClients: config.roles.includes('web'),
    eventPosition: domains.feed.position,
    observeRequest: metrics.request,
    excess: loadWatch.excess,
    ...(storage.shared && { awaitReachable: storage.awaitReachable }),
    version: built.version,
  });

  return {
    listen: async (): Promise<unknown> => {
      try {
        const url = await app.listen({ host: config.host, port: config.port });
        infrastructure.ownAddresses.listensAt(portOf(app.server.address()) ?? config.port);
        return url;
      } catch (error) {
        throw whyNotListening(error, config);
      }
    },
    /** Sets the state that health checks report. */
    setReadiness: (word: Readiness): void => {
      readiness = word;
    },
    /** The address at which it listens. */
    url: (): string => urlOf(app.server.address(), config.host),
    /** How long files under way may still take when it closes. */
    filesMs,
    /** Whether it goes on answering while it stops. */
    isDraining: (): boolean => readiness === 'draining',
    /** Goes on answering for the time that was set, while `/api/ready` says that it stops. */
    drain: async (): Promise<void> => {
      if (readiness !== 'ready' || drainMs === 0) return;
      readiness = 'draining';
      await new Promise((resolve) => setTimeout(resolve, drainMs));
    },
    /** Waits for requests under way, for a limited time. */
    close: async (): Promise<void> => {
      loadWatch.stop();
      const cuts = [
        setTimeout(app.cutConnections, requestsTimeoutMs, 'all but files'),
        setTimeout(app.cutConnections, filesMs, 'all'),
      ];
      await app.close();
      for (const cut of cuts) clearTimeout(cut);
    },
  };
}

function securityOf({ config, serverKey }: Infrastructure, { people }: Domains): HttpSecurity {
  const { trustedProxies, corsOrigins, appOrigins, connectionsPerAddress, publicUrl } = config;
  const named: AppOrigins = appOrigins === '*' ? '*' : new Set(appOrigins);
  return {
    trustedProxies,
    corsOrigins,
    connectionsPerAddress,
    publicUrl,
    appOrigins: () => (appOrigins === null && people.identity.isLinked() ? '*' : named),
    readLink: people.accounts.linkTokens.read,
    csrfKey: derivedKey(serverKey, 'vitrine csrf 1'),
  };
}

const portOf = (address: AddressInfo | string | null): number | undefined =>
  typeof address === 'string' ? undefined : address?.port;

function urlOf(address: AddressInfo | string | null, host: string): string {
  if (address === null || typeof address === 'string') return `http://${host}`;
  const name = host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${address.port}`;
}
