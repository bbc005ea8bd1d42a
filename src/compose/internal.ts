/** How the servers of one database ask each other. */
import { hostname } from 'node:os';
import type { Log } from '../../kernel/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import {
  createAskServer,
  openInternalPort,
  type AskServer,
  type InternalPort,
  type InternalRoutes,
} from '../platform/internal/index.ts';
import { derivedKey } from '../platform/secrets/index.ts';

/** This server among the others. */
export interface Internal {
  readonly ask: Pick<AskServer, 'get' | 'post'>;
  /** Where others ask this server; `null` = nowhere yet. */
  readonly address: () => string | null;
  readonly open: (routes: InternalRoutes) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface InternalNeeds {
  readonly config: Pick<Config, 'internalListen'>;
  readonly serverKey: Buffer;
  readonly clock: Clock;
  readonly log: Log;
}

/** An address that means every one of the machine. */
const anywhere: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** `null` = the operator opens no internal port, or this is the only server. */
export function composeInternal(
  { config, serverKey, clock, log }: InternalNeeds,
  isOneOfSeveral: boolean,
): Internal | null {
  const { internalListen } = config;
  if (internalListen === null) return null;
  if (!isOneOfSeveral) {
    log.warn({}, 'The internal port stays closed: a server on SQLite has no others to ask.');
    return null;
  }
  const { host } = internalListen;
  const key = derivedKey(serverKey, 'vitrine internal port 1');
  const ask = createAskServer({ key, now: clock.now });
  const name = anywhere.has(host) ? hostname() : host.includes(':') ? `[${host}]` : host;
  let port: InternalPort | null = null;
  return {
    ask,
    address: () => port?.address ?? null,
    open: async (routes) => {
      port = await openInternalPort({
        ...{ ...internalListen, key, now: clock.now, routes, log },
        addressOf: (bound) => `${name}:${bound}`,
      });
      log.info({}, `The internal port is ${port.address}.`);
    },
    close: async () => {
      ask.close();
      await port?.close();
      port = null;
    },
  };
}
