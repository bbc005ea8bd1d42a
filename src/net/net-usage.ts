/** What a plugin used of the network since the server started. */
export interface NetCounters {
  /** Requests on the wire, redirects included. */
  readonly requests: number;
  /** Of them, those that got no answer. */
  readonly failures: number;
  /** Answers that the cache gave. */
  readonly cached: number;
  /** Bytes of bodies, as they came. */
  readonly receivedBytes: number;
}

/** Counts, by plugin. */
export interface NetUsage {
  readonly count: (pluginId: string, more: Partial<NetCounters>) => void;
  readonly of: (pluginId: string) => NetCounters;
}

const nothing: NetCounters = { requests: 0, failures: 0, cached: 0, receivedBytes: 0 };

/** Creates counters that stand at zero. */
export function createNetUsage(): NetUsage {
  const counters = new Map<string, NetCounters>();
  const of = (pluginId: string): NetCounters => counters.get(pluginId) ?? nothing;

  return {
    count: (pluginId, more) => {
      const known = of(pluginId);
      counters.set(pluginId, {
        requests: known.requests + (more.requests ?? 0),
        failures: known.failures + (more.failures ?? 0),
        cached: known.cached + (more.cached ?? 0),
        receivedBytes: known.receivedBytes + (more.receivedBytes ?? 0),
      });
    },
    of,
  };
}
