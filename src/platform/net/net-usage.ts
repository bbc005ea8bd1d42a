/** The network usage of a plugin since the server started. */
export interface NetCounters {
  /** Requests on the wire, redirects included. */
  readonly requests: number;
  /** Of these, requests without a response. */
  readonly failures: number;
  /** Responses from the cache. */
  readonly cached: number;
  /** Bytes of bodies as received. */
  readonly receivedBytes: number;
}

/** Counters by plugin. */
export type NetUsage = ReturnType<typeof createNetUsage>;

const nothing: NetCounters = { requests: 0, failures: 0, cached: 0, receivedBytes: 0 };

/** Creates counters at zero. */
export function createNetUsage() {
  const counters = new Map<string, NetCounters>();
  const of = (pluginId: string): NetCounters => counters.get(pluginId) ?? nothing;

  return {
    count: (pluginId: string, more: Partial<NetCounters>): void => {
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
