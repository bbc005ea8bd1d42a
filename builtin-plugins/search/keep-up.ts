import type { EventEnvelope, Handler, Host, MethodCatalogue } from '../../plugin-api/index.ts';
import type { Follower } from './follower.ts';

/** An event has 5 s: a pull stops well before, and the next event goes on. */
const eventBudgetMs = 2000;
const indexBudgetMs = 20_000;
/** While a scan runs, the index follows in strides: thousands of single changes are one pull. */
const scanStrideMs = 3000;
/** A scan tells how it goes four times a second; one that was not heard of for so long is dead. */
const scanSilenceMs = 5000;

/** What wakes the follower. */
export interface KeepUp {
  /** An item changed, or a library went: follows at once, unless a scan runs. */
  readonly afterChange: Handler<EventEnvelope, void>;
  /** A scan began or goes on: follows when the stride is over. */
  readonly duringScan: Handler<EventEnvelope, void>;
  /** A scan ended: follows at once, unless another one runs. */
  readonly afterScan: Handler<EventEnvelope, void>;
}

/** Follows the library as its events tell, over a clock in milliseconds. */
export function createKeepUp(follower: Follower, clock: () => number = Date.now): KeepUp {
  const heardOf = new Map<unknown, number>();
  let followedAt = -Infinity;

  function isScanning(): boolean {
    for (const [job, at] of heardOf) if (clock() - at > scanSilenceMs) heardOf.delete(job);
    return heardOf.size > 0;
  }

  async function follow(timestamp: string, host: Host): Promise<void> {
    if (follower.covers(Date.parse(timestamp))) return;
    await follower.follow(host, eventBudgetMs);
    followedAt = clock();
  }

  return {
    afterChange: async ({ timestamp }, host) => {
      if (!isScanning()) await follow(timestamp, host);
    },
    duringScan: async ({ timestamp, data }, host) => {
      if (!isScanning()) followedAt = clock();
      heardOf.set(data['jobId'], clock());
      if (clock() - followedAt >= scanStrideMs) await follow(timestamp, host);
    },
    afterScan: async ({ timestamp, data }, host) => {
      heardOf.delete(data['jobId']);
      if (!isScanning() || clock() - followedAt >= scanStrideMs) await follow(timestamp, host);
    },
  };
}

type Index = MethodCatalogue['search.index'];

/** `search.index`: brings the index up to date now, from nothing if asked. */
export function updateIndex(
  follower: Follower,
  clock: () => number = Date.now,
): Handler<Index['input'], Index['output']> {
  return async ({ rebuild = false }, host) => {
    const before = clock() - 1;
    if (rebuild) await follower.reset(host);
    const indexed = await follower.follow(host, indexBudgetMs);
    return { indexed, done: follower.covers(before) };
  };
}
