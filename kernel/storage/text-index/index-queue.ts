/**
 * Changes of one index run one at a time, each with all of its parts; other indexes are not affected.
 */
export interface IndexQueue {
  readonly after: <T>(pluginId: string, change: () => Promise<T>) => Promise<T>;
}

/** Creates an empty queue. */
export function createIndexQueue(): IndexQueue {
  const last = new Map<string, Promise<unknown>>();

  return {
    after: (pluginId, change) => {
      const turn = (last.get(pluginId) ?? Promise.resolve()).then(change);
      const settled = turn
        .catch(() => undefined)
        .then(() => {
          if (last.get(pluginId) === settled) last.delete(pluginId);
        });
      last.set(pluginId, settled);
      return turn;
    },
  };
}
