/**
 * Connections to the public internet only, unless the operator allows a host, and never to this very
 * server. The check applies to the address of the connection: an address in the URL is checked here, since it is not resolved,
 * and for a name every result of the lookup is checked at the time of use. So a name that resolves
 * differently between check and use gains nothing.
 */
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Agent, buildConnector } from 'undici';
import { KernelError } from '../../../kernel/index.ts';
import { isPublicAddress, literalAddress } from './address-rules.ts';
import { insteadOfOwn, type OwnAddresses } from './own-addresses.ts';
import { hostOf } from './target.ts';

/** Finds all addresses of a name. Tests use one that gives false ones. */
export type Lookup = (
  hostname: string,
  options: { readonly all: true; readonly family?: number | 'IPv4' | 'IPv6' | undefined },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** What decides about connections. */
export interface GuardParts {
  /** Whether the operator allows a host (with its port) at any address. */
  readonly isAllowed: (host: string) => boolean;
  readonly lookup?: Lookup;
  /** Where this server is, which no plugin reaches; nowhere when absent. */
  readonly own?: OwnAddresses | undefined;
  /** The limit per origin; 8 when absent. */
  readonly connections?: number;
}

const connectTimeoutMs = 10_000;
const connectionsPerOrigin = 8;

/** Creates the agent. undici loads slowly, so it is loaded when first needed. */
export async function createGuardedAgent({
  isAllowed,
  lookup = systemLookup,
  own,
  connections = connectionsPerOrigin,
}: GuardParts): Promise<Agent> {
  const undici = await import('undici');
  const common = { timeout: connectTimeoutMs, allowH2: false };
  const anywhere = undici.buildConnector({ ...common, lookup: withAll(lookup) });
  const guarded = undici.buildConnector({ ...common, lookup: guard(lookup) });

  const connect: buildConnector.connector = (options, callback) => {
    const { hostname, protocol } = options;
    const port = options.port === '' ? (protocol === 'https:' ? '443' : '80') : options.port;
    const host = `${bracketed(hostname)}:${port}`;
    const open = isAllowed(host) ? anywhere : guarded;
    const refusal = refusalByName(hostname, host, { isAllowed, own });
    if (refusal !== null) callback(refusal, null);
    else if (own?.hasPort(Number(port)) !== true) open(options, callback);
    else {
      const notOwn = notTo(own, host, callback);
      // Before the first byte is sent where that is known, and else by the address of the connection.
      lookup(hostname, { all: true }, (error, addresses) => {
        const isOwn =
          error === null && addresses.some(({ address }) => own.leadTo(address, Number(port)));
        if (isOwn) callback(refusedOwn(host), null);
        else open(options, notOwn);
      });
    }
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

/** Why the agent would open no connection to the host of the URL now; `null` = it would. */
export function refusalOf(
  url: URL,
  { isAllowed, lookup = systemLookup, own }: GuardParts,
): Promise<KernelError | null> {
  const { hostname } = url;
  const host = hostOf(url);
  const port = Number(host.slice(host.lastIndexOf(':') + 1));
  const refusal = refusalByName(hostname, host, { isAllowed, own });
  if (refusal !== null || literalAddress(hostname) !== null) return Promise.resolve(refusal);
  return new Promise((resolve) => {
    lookup(hostname, { all: true }, (error, addresses) => {
      if (error !== null) resolve(notFound(hostname));
      else if (addresses.some(({ address }) => own?.leadTo(address, port)))
        resolve(refusedOwn(host));
      else if (isAllowed(host) || addresses.every(({ address }) => isPublicAddress(address)))
        resolve(null);
      else resolve(refused(hostname));
    });
  });
}

/** Why a host is refused before a lookup; `null` = it is not. */
function refusalByName(
  hostname: string,
  host: string,
  { isAllowed, own }: GuardParts,
): KernelError | null {
  if (own?.names(host) === true) return refusedOwn(host);
  const literal = literalAddress(hostname);
  if (literal === null || isPublicAddress(literal) || isAllowed(host)) return null;
  return refused(hostname);
}

/** Ends a connection that leads to this server after all. */
function notTo(
  own: OwnAddresses,
  host: string,
  callback: buildConnector.Callback,
): buildConnector.Callback {
  return (...[error, socket]) => {
    if (error !== null) callback(error, null);
    else if (socket.remotePort === undefined) callback(null, socket);
    else if (own.leadTo(socket.remoteAddress ?? '', socket.remotePort)) {
      socket.destroy();
      callback(refusedOwn(host), null);
    } else callback(null, socket);
  };
}

const refusedOwn = (host: string): KernelError =>
  new KernelError('net_refused', `${host} ${insteadOfOwn}`);

const notFound = (hostname: string): KernelError =>
  new KernelError(
    'net_unreachable',
    `The name ${hostname} has no address now: check how it is spelled, and the name server of this machine.`,
  );

/** A lookup whose results must all be public; otherwise the name is refused. */
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

/** An IPv6 address in the spelling of hosts: the brackets were removed before. */
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
