/**
 * Connections that reach the public internet and nothing else, unless the operator allows a host.
 * What counts is the address that is connected to: one that stands in the URL itself is checked here,
 * since no look-up is made for it, and of a name every answer of the look-up is checked at the moment
 * of use, so a name that changes its mind between check and use gains nothing.
 */
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Agent, buildConnector } from 'undici';
import { KernelError } from '../../kernel/index.ts';
import { isPublicAddress, literalAddress } from './address-rules.ts';

/** Finds all addresses of a name. Tests bring one that lies. */
export type Lookup = (
  hostname: string,
  options: { readonly all: true; readonly family?: number | 'IPv4' | 'IPv6' | undefined },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** What decides on connections. */
export interface GuardParts {
  /** Whether the operator allows a host (with its port), wherever it is. */
  readonly isAllowed: (host: string) => boolean;
  readonly lookup?: Lookup;
  /** To one origin; 8 when absent. */
  readonly connections?: number;
}

const connectTimeoutMs = 10_000;
const connectionsPerOrigin = 8;

/** Creates the agent. undici takes a quarter of a second to load, so it is loaded when first needed. */
export async function createGuardedAgent({
  isAllowed,
  lookup = systemLookup,
  connections = connectionsPerOrigin,
}: GuardParts): Promise<Agent> {
  const undici = await import('undici');
  const common = { timeout: connectTimeoutMs, allowH2: false };
  const anywhere = undici.buildConnector({ ...common, lookup: withAll(lookup) });
  const guarded = undici.buildConnector({ ...common, lookup: guard(lookup) });

  const connect: buildConnector.connector = (options, callback) => {
    const { hostname, protocol } = options;
    const port = options.port === '' ? (protocol === 'https:' ? '443' : '80') : options.port;
    const literal = literalAddress(hostname);
    if (isAllowed(`${bracketed(hostname)}:${port}`)) anywhere(options, callback);
    else if (literal === null || isPublicAddress(literal)) guarded(options, callback);
    else callback(refused(hostname), null);
  };

  return new undici.Agent({
    connect,
    allowH2: false,
    connections,
    keepAliveTimeout: 4000,
    keepAliveMaxTimeout: 10_000,
    maxHeaderSize: 32_768,
  });
}

/** A look-up all of whose answers must be public: a name with one foot inside is not connected to. */
function guard(lookup: Lookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { family: options.family, all: true }, (error, addresses) => {
      if (error) callback(error, []);
      else if (addresses.every(({ address }) => isPublicAddress(address)))
        answer(addresses, options.all === true, callback);
      else callback(refused(hostname), []);
    });
  };
}

function withAll(lookup: Lookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { family: options.family, all: true }, (error, addresses) => {
      if (error) callback(error, []);
      else answer(addresses, options.all === true, callback);
    });
  };
}

function answer(
  addresses: LookupAddress[],
  wantsAll: boolean,
  callback: Parameters<LookupFunction>[2],
): void {
  const [first] = addresses;
  if (wantsAll) callback(null, addresses);
  else callback(null, first?.address ?? '', first?.family);
}

/** An IPv6 address as hosts are spelled, whose brackets are taken off on the way here. */
function bracketed(hostname: string): string {
  return hostname.includes(':') && !hostname.startsWith('[') ? `[${hostname}]` : hostname;
}

function refused(name: string): KernelError {
  const hostname = bracketed(name);
  return new KernelError(
    'net_refused',
    `${hostname} leads to an address that is not on the public internet. The operator can allow it with --net-allow ${hostname}.`,
  );
}
