/** Changes of one index come one after the other, each with all of its parts; those of others go on beside. */
export interface IndexQueue {
  readonly after: <T>(pluginId: string, change: () => Promise<T>) => Promise<T>;
}

/** Creates the order, with nothing under way. */
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
