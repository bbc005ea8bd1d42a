/**
 * GETs through the cache, and POSTs whose caller says by a `maxAge` that they only ask. Only responses
 * that the host allows to be cached are stored, separately for each plugin. A stale response is used only when the host confirms it or cannot be reached.
 */
import { KernelError } from '../../../kernel/index.ts';
import type { FetchInput } from '../../../plugin-api/index.ts';
import type { DiskCache } from './disk-cache.ts';
import type { ExchangeReply, ExchangeRequest } from './exchange.ts';
import {
  confirmed,
  isFresh,
  mayServeStale,
  mayStore,
  validators,
  type Stored,
} from './freshness.ts';
import type { Headers } from './header-rules.ts';
import type { RequestSecrets } from './header-secrets.ts';

/** A response, and where it came from. */
export interface CachedReply extends Pick<ExchangeReply, 'status' | 'headers' | 'body'> {
  readonly cache: 'miss' | 'hit' | 'stale';
}

/** A request of one plugin. */
export interface CachedRequest extends ExchangeRequest {
  readonly pluginId: string;
  /** The secrets that the request names; `null` = none. */
  readonly secrets?: RequestSecrets | null | undefined;
  /** Fields with secrets that are added to the body. */
  readonly form?: Headers | undefined;
  /** Whether secrets are inserted into the query and added to the body. */
  readonly revealsQuery?: boolean;
  /** Seconds; see `FetchInput.maxAge`. */
  readonly maxAge?: number | undefined;
  /** Unix milliseconds until which it may wait for its turn. */
  readonly deadline: number;
  /** See `FetchInput.lane`. */
  readonly lane?: number;
  /** See `FetchInput.pauses`. */
  readonly pauses?: FetchInput['pauses'];
  /** Whether a response may be cached; all when absent. */
  readonly keeps?: ((reply: Pick<ExchangeReply, 'status' | 'body'>) => boolean) | undefined;
}

/** Sends a request to the network. */
export type Ask = (request: CachedRequest) => Promise<ExchangeReply>;

const notNow: ReadonlySet<string> = new Set(['net_unreachable', 'net_timeout', 'quota_exceeded']);
const away: ReadonlySet<number> = new Set([502, 503, 504]);

/** Creates it over the network. */
export function createCachedExchange(
  ask: Ask,
  { cache, now }: { readonly cache: DiskCache; readonly now: () => number },
): (request: CachedRequest) => Promise<CachedReply> {
  async function fetchAndStore(request: CachedRequest, headers: Headers): Promise<ExchangeReply> {
    const sentAt = now();
    const reply = await ask({ ...request, headers: { ...request.headers, ...headers } });
    if (mayStore(reply.status, reply.headers) && request.keeps?.(reply) !== false) {
      const { status, body } = reply;
      await cache.write(keyOf(request), { status, headers: reply.headers, body, storedAt: sentAt });
    }
    return reply;
  }

  return async (request) => {
    if (!isCacheable(request)) return { ...(await ask(request)), cache: 'miss' };
    const kept = request.maxAge === 0 ? null : await cache.read(keyOf(request));
    if (kept && isFresh(kept, now(), request.maxAge)) return { ...kept, cache: 'hit' };
    try {
      const reply = await fetchAndStore(request, kept && isGet(request) ? validators(kept) : {});
      if (kept && reply.status === 304) {
        const fresh: Stored = confirmed(kept, reply.headers, now());
        await cache.write(keyOf(request), { ...fresh, body: kept.body });
        return { ...fresh, body: kept.body, cache: 'hit' };
      }
      if (kept && away.has(reply.status) && mayServeStale(kept)) return { ...kept, cache: 'stale' };
      return { ...reply, cache: 'miss' };
    } catch (error) {
      const isAway = error instanceof KernelError && notNow.has(error.code);
      if (kept && isAway && mayServeStale(kept)) return { ...kept, cache: 'stale' };
      throw error;
    }
  };
}

/** Requests with ranges or conditions of the plugin's own bypass the cache. */
function isCacheable(request: CachedRequest): boolean {
  const { method, headers, isHeadOnly, maxAge = 0 } = request;
  if (isHeadOnly === true) return false;
  const mayKeep = isGet(request) || (method === 'POST' && maxAge > 0);
  return mayKeep && !Object.keys(headers).some((name) => /^(if-|range$)/.test(name));
}

const isGet = ({ method }: CachedRequest): boolean => method === 'GET';

/**
 * The cache key covers all headers, so it is correct for every `Vary`. Of a secret it has the name
 * and the version, never the value.
 */
function keyOf(request: CachedRequest): string {
  const { pluginId, target, headers, secrets, method, body, form } = request;
  const versions = secrets ? [secrets.version] : [];
  const asked = isGet(request) ? [] : [{ [method]: body ?? '', ...(form && { form }) }];
  const named = Object.entries(headers).sort();
  return JSON.stringify([pluginId, target.url.href, named, ...versions, ...asked]);
}
