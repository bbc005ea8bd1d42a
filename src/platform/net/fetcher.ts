/**
 * One `fetch` as a whole: permissions, redirects, deadline, usage counters. Each hop of a redirect
 * is checked like a request of its own.
 */
import { KernelError } from '../../../kernel/index.ts';
import { steadyOf, type Clock } from '../clock.ts';
import { createCachedExchange, type CachedReply, type CachedRequest } from './cached-exchange.ts';
import type { DiskCache } from './disk-cache.ts';
import type { Exchange, ExchangeReply, ExchangeRequest } from './exchange.ts';
import type { Headers } from './header-rules.ts';
import { openSecrets, secretsIn, type OpenSecret, type RequestSecrets } from './header-secrets.ts';
import type { LaneEnding } from './host-lane.ts';
import type { NetUsage } from './net-usage.ts';
import type { RequestQueue } from './request-queue.ts';
import { laneEndingOf } from './retry-after.ts';
import type { SecretMask } from './secret-mask.ts';
import { hostOf, parseTarget } from './target.ts';

/** A request and its plugin. */
export interface FetchRequest extends Pick<
  ExchangeRequest,
  'method' | 'headers' | 'body' | 'maxBytes'
> {
  readonly url: string;
  readonly pluginId: string;
  /** Patterns of hosts that were granted to the plugin. */
  readonly granted: readonly string[];
  /** Fields with secrets that are added to the body, a form; only in the first hop. */
  readonly form?: Headers | undefined;
  /** Whether the headers may name secrets of the plugin. */
  readonly mayUseSecrets?: boolean;
  readonly timeoutMs: number;
  /** Whether redirects are followed; default true. */
  readonly followsRedirects?: boolean;
  readonly isHeadOnly?: boolean;
  /** See `FetchInput.lane`; 0 when absent. */
  readonly lane?: number;
  /** See `FetchInput.pauses`. */
  readonly pauses?: CachedRequest['pauses'];
  readonly maxAge?: number | undefined;
  /** As `CachedRequest.keeps`. */
  readonly keeps?: CachedRequest['keeps'];
  /** Aborted when the caller no longer waits for the response. */
  readonly signal: AbortSignal;
}

/** A response, with the mask for the secrets that were sent. */
export interface FetchReply extends CachedReply {
  readonly mask?: SecretMask | undefined;
}

/** Fetches; rejects with a `KernelError`. */
export type Fetcher = (request: FetchRequest) => Promise<FetchReply>;

export interface FetcherParts {
  readonly exchange: Exchange;
  /** Prepares the exchange, which takes a while the first time. */
  readonly prepare: (pluginId: string) => Promise<unknown>;
  readonly cache: DiskCache;
  readonly queue: RequestQueue;
  /** The rate limit of a plugin for a host, in requests per second. */
  readonly rateOf: (pluginId: string, host: string) => number;
  /** How many lanes a plugin has; one when absent. */
  readonly lanesOf?: (pluginId: string) => number;
  readonly isAllowed: (host: string, pluginId: string) => boolean;
  readonly openSecret: OpenSecret;
  readonly usage: NetUsage;
  readonly clock: Clock;
}

const mostRedirects = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A shorter timeout does not show that the host is slow. */
const fairTimeMs = 1000;

export function createFetcher(parts: FetcherParts): Fetcher {
  const { exchange, queue, usage, lanesOf = () => 1 } = parts;
  const clock = steadyOf(parts.clock);
  const throughCache = createCachedExchange(ask, { cache: parts.cache, now: parts.clock.now });

  /** One request on the wire, after its turn in the queue. */
  async function ask(request: CachedRequest): Promise<ExchangeReply> {
    const { pluginId, target, deadline, signal, lane = 0, pauses } = request;
    const { host } = target;
    const lanes = lanesOf(pluginId);
    const perSecond = parts.rateOf(pluginId, host);
    // A turn takes a place of the rate until its bytes go out, so slow preparation comes before it.
    await parts.prepare(pluginId);
    const turn = await queue.turn({
      pluginId,
      host,
      laneNo: lane,
      lanes,
      perSecond,
      ...(pauses !== undefined && { pauses }),
      deadline,
      signal,
    });
    const startedAt = clock.now();
    let ending: LaneEnding | undefined;
    /** The host works when its head is there; what is wrong with the body concerns this answer. */
    const onHead: ExchangeRequest['onHead'] = (status, headers) => {
      ending = laneEndingOf(status, headers, clock.now());
    };
    try {
      const reply = await exchangeMasked({ ...request, onHead, onSent: turn.sent });
      onHead(reply.status, reply.headers);
      usage.count(pluginId, { requests: 1, receivedBytes: reply.receivedBytes });
      return reply;
    } catch (error) {
      if (isHostFailure(error, clock.now() - startedAt)) ending ??= { kind: 'failed' };
      usage.count(pluginId, { requests: 1, failures: 1 });
      throw error;
    } finally {
      turn.end(ending ?? { kind: 'neutral' });
    }
  }

  /** The only place that puts a secret's value into a request and masks it in the response. */
  async function exchangeMasked(request: CachedRequest): Promise<ExchangeReply> {
    const { secrets } = request;
    if (!secrets) return exchange(request);
    const { mask } = secrets;
    const { target, revealsQuery } = request;
    const url = revealsQuery === true ? secrets.revealedUrl(target.url) : target.url;
    const sent = secrets.revealed(request.headers);
    const added = revealsQuery === true ? secrets.revealed(request.form ?? {}) : {};
    const body = withFields(request.body, added);
    const reply = await exchange({ ...request, target: { ...target, url }, headers: sent, body });
    const headers = Object.entries(reply.headers)
      .filter(([name]) => !mask.isIn(name))
      .map(([name, value]) => [name, mask.text(value)] as const);
    return { ...reply, headers: Object.fromEntries(headers), body: mask.bytes(reply.body) };
  }

  async function secretsOf(request: FetchRequest): Promise<RequestSecrets | null> {
    const { pluginId, url, form = {} } = request;
    const fields = Object.entries(form).map(([name, value]) => [`form:${name}`, value] as const);
    const headers: Headers = { ...request.headers, ...Object.fromEntries(fields) };
    if (secretsIn(headers, url).length === 0) return null;
    if (request.mayUseSecrets !== true) throw new KernelError('permission_denied', 'secrets');
    return openSecrets({ headers, url }, (name) => parts.openSecret(pluginId, name));
  }

  async function follow(request: FetchRequest, signal: AbortSignal): Promise<FetchReply> {
    const deadline = clock.now() + request.timeoutMs;
    const secrets = await secretsOf(request);
    const isAllowed = (host: string): boolean => parts.isAllowed(host, request.pluginId);
    let hop: Hop = {
      url: request.url,
      method: request.method,
      headers: request.headers,
      body: request.body,
    };
    for (let hops = 0; hops <= mostRedirects; hops += 1) {
      const target = parseTarget(hop.url, { granted: request.granted, isAllowed });
      const headers = secrets?.headersFor(hop.headers, target.host, hops > 0) ?? hop.headers;
      // What a host names in a redirect is its own text, so nothing is inserted there.
      const revealsQuery = hops === 0;
      if (revealsQuery) {
        secrets?.assertQuery(hop.url, target.host);
        secrets?.headersFor(request.form ?? {}, target.host, false);
      }
      const asked = {
        ...request,
        ...hop,
        headers,
        secrets,
        revealsQuery,
        target,
        signal,
        deadline,
      };
      const reply = await throughCache(asked);
      const location = reply.headers['location'];
      const isLast = request.followsRedirects === false || !redirects.has(reply.status);
      if (isLast || location === undefined) {
        return { ...reply, mask: secrets?.mask };
      }
      hop = nextHop(hop, target.url, location, reply.status);
      assertNoLeak(hop.url, secrets);
    }
    throw new KernelError(
      'net_unreachable',
      `The address has more than ${mostRedirects} redirects.`,
    );
  }

  async function inTime(request: FetchRequest): Promise<FetchReply> {
    const gone = new AbortController();
    const giveUp = () => gone.abort(callerGone);
    const undo = clock.after(request.timeoutMs, () =>
      gone.abort(new KernelError('net_timeout', `No answer came in ${request.timeoutMs} ms.`)),
    );
    request.signal.addEventListener('abort', giveUp, { once: true });
    try {
      if (request.signal.aborted) giveUp();
      return await follow(request, gone.signal);
    } finally {
      undo();
      request.signal.removeEventListener('abort', giveUp);
    }
  }

  /** Concurrent identical requests share one response. */
  const flights = new Map<string, Flight>();

  function shared(request: FetchRequest): Promise<FetchReply> {
    const { signal, pluginId, url, headers, timeoutMs, maxAge } = request;
    const isOwn = request.isHeadOnly === true || request.followsRedirects === false;
    if (request.method !== 'GET' || isOwn) return inTime(request);
    const key = JSON.stringify([pluginId, url, headers, timeoutMs, maxAge]);
    const known = flights.get(key);
    if (known?.signal === signal) return known.reply;
    const flight: Flight = {
      signal,
      reply: inTime(request).finally(() => {
        if (flights.get(key) === flight) flights.delete(key);
      }),
    };
    flights.set(key, flight);
    return flight.reply;
  }

  function assertLane({ pluginId, lane = 0 }: FetchRequest): void {
    const lanes = lanesOf(pluginId);
    if (lane < lanes) return;
    const what = `host.net.fetch: lane: ${lane} is not one of the plugin's ${lanes} lanes; they count from 0, and resources.netLanes sets their number.`;
    throw new KernelError('invalid_argument', what);
  }

  return async (request) => {
    assertLane(request);
    const isAllowed = (host: string): boolean => parts.isAllowed(host, request.pluginId);
    parseTarget(request.url, { granted: request.granted, isAllowed });
    const reply = await shared(request);
    if (reply.cache !== 'miss') usage.count(request.pluginId, { cached: 1 });
    return reply;
  };
}

interface Flight {
  readonly signal: AbortSignal;
  readonly reply: Promise<FetchReply>;
}

/** A form with further fields. */
function withFields(body: string | null, fields: Headers): string | null {
  const added = new URLSearchParams(fields).toString();
  if (added === '') return body;
  return body === null || body === '' ? added : `${body}&${added}`;
}

/** It runs before any error names the target of the redirect, which may contain the secret. */
function assertNoLeak(address: string, secrets: RequestSecrets | null): void {
  const url = new URL(address);
  if (secrets?.leaksTo(url, hostOf(url)) !== true) return;
  throw new KernelError('net_refused', 'A redirect leads to an address that contains a secret.');
}

const callerGone = new KernelError(
  'net_unreachable',
  'The caller no longer waits for the response.',
);

/** Whether the host failed, and not the server's own rules, the plugin's end or a short timeout. */
function isHostFailure(error: unknown, tookMs: number): boolean {
  if (!(error instanceof KernelError) || error === callerGone) return false;
  return error.code === 'net_unreachable' || (error.code === 'net_timeout' && tookMs >= fairTimeMs);
}

type Hop = Pick<FetchRequest, 'url' | 'method' | 'headers' | 'body'>;

/** The request to the next address, as browsers do it; credentials stay with their host. */
function nextHop(hop: Hop, from: URL, location: string, status: number): Hop {
  if (!URL.canParse(location, from.href)) {
    throw new KernelError('net_unreachable', `${from.host} redirects to an invalid address.`);
  }
  const url = new URL(location, from);
  const known = url.origin === from.origin ? hop.headers : withoutCredentials(hop.headers);
  const isLessSafe = from.protocol === 'https:' && url.protocol !== 'https:';
  const headers = isLessSafe ? withoutSecrets(known) : known;
  const isReading = hop.method === 'GET' || hop.method === 'HEAD';
  const becomesGet = status === 303 || (hop.method === 'POST' && status < 303);
  return isReading || !becomesGet
    ? { ...hop, url: url.href, headers }
    : { url: url.href, method: 'GET', headers: withoutContent(headers), body: null };
}

function withoutCredentials(headers: Headers): Headers {
  const kept = Object.entries(headers).filter(
    ([name, value]) => namesSecret(value) || !/^(authorization|x-.*)$|key|token/.test(name),
  );
  return Object.fromEntries(kept);
}

function withoutSecrets(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => !namesSecret(value)));
}

/** The hosts of a secret decide where it is sent. */
const namesSecret = (value: string): boolean => value.includes('{secret:');

function withoutContent(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith('content-')),
  );
}
