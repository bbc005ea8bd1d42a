/**
 * Many may go together, or one alone. Whoever is suspected of having brought a plugin down is asked
 * alone, so that what happens then is its own doing and nobody else's.
 */
export interface Turns {
  readonly together: <T>(work: () => Promise<T>) => Promise<T>;
  /** Waits for those under way; those that come later wait for it. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
}

export function createTurns(): Turns {
  let lastAlone: Promise<unknown> = Promise.resolve();
  const underWay = new Set<Promise<unknown>>();

  function track<T>(turn: Promise<T>): Promise<T> {
    const over = turn.catch(() => undefined);
    underWay.add(over);
    void over.then(() => underWay.delete(over));
    return turn;
  }

  return {
    together: async (work) => {
      for (let seen; seen !== lastAlone;) {
        seen = lastAlone;
        await seen;
      }
      return track(work());
    },
    alone: (work) => {
      const turn = lastAlone.then(async () => {
        await Promise.all(underWay);
        return work();
      });
      lastAlone = turn.catch(() => undefined);
      return turn;
    },
  };
}
