/**
 * Fetches from marketplace sources. The admin named the source, and the source names the packages:
 * so the source itself may be on this machine, and all addresses that it names, and each redirect,
 * must be https on the public internet, unless the operator allows the host.
 */
import type { Agent } from 'undici';
import { KernelError } from '../../../kernel/index.ts';
import { literalAddress } from './address-rules.ts';
import { createAllowedHosts } from './allowed-hosts.ts';
import { createExchange, type Exchange, type ExchangeReply } from './exchange.ts';
import { createGuardedAgent, type Lookup } from './guarded-agent.ts';
import type { Headers } from './header-rules.ts';

export interface SourceRequest {
  readonly url: string;
  /** Address of the source itself. */
  readonly home: string;
  readonly headers?: Headers;
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/** Fetches; rejects with a `KernelError`. */
export type SourceFetch = (request: SourceRequest) => Promise<ExchangeReply>;

const mostRedirects = 3;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Creates it; nothing is loaded or opened before the first request. */
export function createSourceFetch(parts: {
  /** `HOST[:PORT]` in the local network that may be contacted. */
  readonly allowedHosts: readonly string[];
  readonly version: string;
  readonly lookup?: Lookup;
}): { readonly fetch: SourceFetch; readonly close: () => Promise<void> } {
  const isAllowed = createAllowedHosts(parts.allowedHosts);
  const lookup = parts.lookup === undefined ? {} : { lookup: parts.lookup };
  const agents = new Map<'guarded' | 'home', Promise<Agent>>();

  const exchangeOver = (kind: 'guarded' | 'home'): Exchange =>
    createExchange(() => {
      const known = agents.get(kind);
      if (known) return known;
      const made = createGuardedAgent({
        isAllowed: kind === 'home' ? () => true : isAllowed,
        ...lookup,
      });
      agents.set(kind, made);
      return made;
    });
  const guarded = exchangeOver('guarded');
  const atHome = exchangeOver('home');

  function wayTo(url: URL, home: URL): Exchange {
    if (url.username !== '' || url.password !== '')
      throw new KernelError(
        'net_refused',
        `${url.host}: an address must not contain a user name or password.`,
      );
    const isHome = url.origin === home.origin && isLoopback(home.hostname);
    if (isHome) return atHome;
    if (url.protocol === 'https:' || (url.protocol === 'http:' && isAllowed(hostOf(url))))
      return guarded;
    throw new KernelError(
      'net_refused',
      `${url.protocol}//${url.host} is not encrypted: sources and packages need https; http is allowed only on this machine.`,
    );
  }

  async function follow(request: SourceRequest, signal: AbortSignal): Promise<ExchangeReply> {
    const home = new URL(request.home);
    let url = new URL(request.url);
    for (let hops = 0; hops <= mostRedirects; hops += 1) {
      const exchange = wayTo(url, home);
      const reply = await exchange({
        target: { url, host: hostOf(url) },
        method: 'GET',
        headers: { 'user-agent': `Vitrine/${parts.version}`, ...request.headers },
        body: null,
        maxBytes: request.maxBytes,
        signal,
      });
      const { location } = reply.headers;
      if (!redirects.has(reply.status) || location === undefined) return reply;
      if (!URL.canParse(location, url.href))
        throw new KernelError('net_unreachable', `${url.host} redirects to an invalid address.`);
      url = new URL(location, url);
    }
    throw new KernelError('net_unreachable', `${url.host} redirects too often.`);
  }

  return {
    fetch: async (request) => {
      const late = new AbortController();
      const why = new KernelError('net_timeout', `No answer came in ${request.timeoutMs} ms.`);
      const timer = setTimeout(() => late.abort(why), request.timeoutMs);
      return follow(request, late.signal).finally(() => clearTimeout(timer));
    },
    close: async () => {
      for (const agent of agents.values()) await (await agent).destroy();
    },
  };
}

const hostOf = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`;

/** Whether a host name means this machine, by the same rule as browsers. */
function isLoopback(hostname: string): boolean {
  const address = literalAddress(hostname);
  return address === null
    ? /(^|\.)localhost$/.test(hostname)
    : address === '::1' || /^127\./.test(address);
}
