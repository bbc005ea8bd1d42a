import type { EventEnvelope, Handler, Host, MethodCatalogue } from '../../plugin-api/index.ts';
import type { Follower } from './follower.ts';

/** An event has 5 s: a pull stops well before, and the next event continues. */
const eventBudgetMs = 2000;
const indexBudgetMs = 20_000;
/** While a scan runs, the index follows in intervals: thousands of single changes are one pull. */
const scanStrideMs = 3000;
/** A scan sends events four times a second; after so long without one it counts as ended. */
const scanSilenceMs = 5000;

/** The signals that wake the follower. */
export interface LibraryEvents {
  /** An item changed, or a library was deleted: follows at once, unless a scan runs. */
  readonly afterChange: Handler<EventEnvelope, void>;
  /** A scan began or made progress: follows when the interval is over. */
  readonly duringScan: Handler<EventEnvelope, void>;
  /** A scan ended: follows at once, unless another one runs. */
  readonly afterScan: Handler<EventEnvelope, void>;
}

/** Follows the library by its events, over a clock in milliseconds. */
export function createLibraryEvents(
  follower: Follower,
  clock: () => number = Date.now,
): LibraryEvents {
  const lastEventAt = new Map<unknown, number>();
  let followedAt = -Infinity;

  function isScanning(): boolean {
    for (const [job, at] of lastEventAt) if (clock() - at > scanSilenceMs) lastEventAt.delete(job);
    return lastEventAt.size > 0;
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
      lastEventAt.set(data['jobId'], clock());
      if (clock() - followedAt >= scanStrideMs) await follow(timestamp, host);
    },
    afterScan: async ({ timestamp, data }, host) => {
      lastEventAt.delete(data['jobId']);
      if (!isScanning() || clock() - followedAt >= scanStrideMs) await follow(timestamp, host);
    },
  };
}

type Index = MethodCatalogue['search.index'];

/** `search.index`: updates the index now, or rebuilds it. */
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
