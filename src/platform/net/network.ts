/** Connects the parts of the network: an agent, a queue, a cache for texts and one for pictures. */
import path from 'node:path';
import { closestPattern, KernelError, type HostService, type Log } from '../../../kernel/index.ts';
import { steadyOf, type Clock } from '../clock.ts';
import { createAgents } from './agents.ts';
import { createDiskCache, type DiskCache } from './disk-cache.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { createFetcher, type Fetcher } from './fetcher.ts';
import type { Lookup } from './guarded-agent.ts';
import type { OpenSecret } from './header-secrets.ts';
import { createNetService } from './net-service.ts';
import { createNetUsage, type NetCounters } from './net-usage.ts';
import type { OwnAddresses } from './own-addresses.ts';
import { createPictureFetch, type PictureFetch } from './picture-fetch.ts';
import { RequestQueue } from './request-queue.ts';
import { parseTarget, type Target } from './target.ts';
import { createTextFetch, type TextFetch } from './text-fetch.ts';

export interface NetworkParts {
  /** The folder of the caches. */
  readonly cacheFolder: string;
  /** `HOST[:PORT]` that all plugins may reach at any address. */
  readonly allowedHosts: readonly string[];
  readonly version: string;
  /** Mail or web address of the operator; none when absent. */
  readonly contact?: string | null;
  /** The rate limits of a plugin's manifest, in requests per second, by pattern of hosts. */
  readonly ratesOf: (pluginId: string) => Readonly<Record<string, number>>;
  /** How many lanes a plugin has; one when absent. */
  readonly lanesOf?: (pluginId: string) => number;
  /** Whether a plugin may pause for its hosts by itself; none may when absent. */
  readonly mayPause?: (pluginId: string) => boolean;
  /** `HOST[:PORT]` that an admin lets only this plugin reach at any address; none when absent. */
  readonly privateHosts?: (pluginId: string) => readonly string[];
  /** Hosts of addresses that an admin entered for the plugin; none when absent. */
  readonly enteredHosts?: (pluginId: string) => readonly string[];
  /** Patterns of hosts that were granted to a plugin. */
  readonly grantedHosts: (pluginId: string) => readonly string[];
  /** Finds the secrets that headers name; there are none when absent. */
  readonly openSecret?: OpenSecret;
  readonly lookup?: Lookup;
  /** Where this server is, which no plugin reaches; nowhere when absent. */
  readonly own?: OwnAddresses;
  /** Replaces the network, for testing plugins. */
  readonly exchange?: Exchange;
  readonly clock: Clock;
  readonly log: Log;
}

/** The network access of plugins. */
export interface Network {
  /** `host.net`. */
  readonly service: HostService;
  readonly fetchPicture: PictureFetch;
  readonly fetchText: TextFetch;
  /** Whether the cache of pictures takes more without removing many. */
  readonly hasPictureRoom: () => Promise<boolean>;
  /** Whether the plugin may fetch the URL, without a request. */
  readonly mayFetch: (pluginId: string, url: string) => boolean;
  /**
   * Why a request of the plugin to the URL cannot go out now, as text, without a request. `null` =
   * it can, or the name server does not answer in time.
   */
  readonly refusalOf: (pluginId: string, url: string) => Promise<string | null>;
  readonly usage: (pluginId: string) => NetCounters;
  /** Milliseconds until all hosts of the plugin take requests again; 0 = they do. */
  readonly pauseOf: (pluginId: string) => number;
  /** Aborts requests under way. */
  readonly close: () => Promise<void>;
}

/** Requests per second without a rate in the manifest. */
const defaultRate = 5;
const maxTextBytes = 67_108_864;
const maxPictureBytes = 536_870_912;
/** The share of the cache that is filled before somebody looks at the pictures. */
const pictureRoom = 0.9;
const longestLookupMs = 2000;

/** Creates the network; nothing is loaded or opened before the first request. */
export function createNetwork(parts: NetworkParts): Network {
  const { clock, log } = parts;
  const lanesOf = parts.lanesOf ?? (() => 1);
  const agents = createAgents({ ...parts, lanesOf });
  const { isAllowed } = agents;
  const exchange =
    parts.exchange ?? createExchange(({ pluginId = '' }) => agents.agentOf(pluginId));
  const queue = new RequestQueue({ clock: steadyOf(clock), log });
  const usage = createNetUsage();

  /** An address that an admin entered counts only for a plugin that was granted the network. */
  const withEntered = (pluginId: string, granted: readonly string[]): readonly string[] =>
    granted.length === 0 ? [] : [...granted, ...(parts.enteredHosts?.(pluginId) ?? [])];

  const cacheIn = (folder: string, maxBytes: number): DiskCache =>
    createDiskCache({ folder: path.join(parts.cacheFolder, folder), maxBytes, log });
  const pictures = cacheIn('pictures', maxPictureBytes);

  function fetcherWith(cache: DiskCache): Fetcher {
    const fetcher = createFetcher({
      exchange,
      prepare: parts.exchange ? async () => undefined : agents.agentOf,
      cache,
      queue,
      rateOf,
      lanesOf,
      isAllowed,
      openSecret: parts.openSecret ?? (() => Promise.resolve(null)),
      usage,
      clock,
    });
    return (request) =>
      fetcher({
        ...request,
        granted: withEntered(request.pluginId, request.granted),
        headers: {
          ...request.headers,
          'user-agent': userAgent(request.pluginId),
        },
      });
  }

  /** Services ask for a contact, so that they can write before they block. */
  function userAgent(pluginId: string): string {
    const contact = parts.contact == null ? '' : ` (${parts.contact})`;
    return `Vitrine/${parts.version}${contact} plugin/${pluginId}`;
  }

  function rateOf(pluginId: string, host: string): number {
    const rates = parts.ratesOf(pluginId);
    const pattern = closestPattern(Object.keys(rates), host);
    return (pattern === undefined ? undefined : rates[pattern]) ?? defaultRate;
  }

  const targetOf = (pluginId: string, url: string): Target =>
    parseTarget(url, {
      granted: withEntered(pluginId, parts.grantedHosts(pluginId)),
      isAllowed: (host) => isAllowed(host, pluginId),
    });

  async function refusalOf(pluginId: string, text: string): Promise<string | null> {
    const late = Promise.withResolvers<null>();
    const stop = clock.after(longestLookupMs, () => late.resolve(null));
    try {
      const { url } = targetOf(pluginId, text);
      const refusal = await Promise.race([agents.refusalOf(url, pluginId), late.promise]);
      return refusal?.message ?? null;
    } catch (error) {
      if (error instanceof KernelError) return error.message;
      throw error;
    } finally {
      stop();
    }
  }

  const texts = fetcherWith(cacheIn('net', maxTextBytes));
  return {
    service: createNetService(texts, parts.mayPause ?? (() => false)),
    fetchText: createTextFetch({ fetcher: texts, grantedHosts: parts.grantedHosts }),
    fetchPicture: createPictureFetch({
      fetcher: fetcherWith(pictures),
      grantedHosts: parts.grantedHosts,
    }),
    hasPictureRoom: async () => (await pictures.size()) < maxPictureBytes * pictureRoom,
    mayFetch: (pluginId, url) => {
      try {
        targetOf(pluginId, url);
        return true;
      } catch {
        return false;
      }
    },
    refusalOf,
    usage: usage.of,
    pauseOf: queue.pauseOf,
    close: agents.close,
  };
}
