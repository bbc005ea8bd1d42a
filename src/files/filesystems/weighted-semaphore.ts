/** A weighted semaphore. Requests are served first come, first served, so that none waits for ever. */
export interface WeightedSemaphore {
  /** Resolves when the amount is free; the returned function gives it back. `amount` must not exceed the whole. */
  readonly take: (amount: number) => Promise<() => void>;
  readonly isClosed: () => boolean;
  /** Rejects all waiting and all later requests with the error. */
  readonly close: (error: Error) => void;
}

interface Waiting {
  readonly amount: number;
  readonly enter: (leave: () => void) => void;
  readonly refuse: (error: Error) => void;
}

/** Creates the semaphore with the whole amount free. */
export function createWeightedSemaphore(whole: number): WeightedSemaphore {
  let free = whole;
  let closed: Error | null = null;
  const queue: Waiting[] = [];

  function admit(): void {
    for (let next = queue[0]; next && next.amount <= free; next = queue[0]) {
      queue.shift();
      next.enter(occupy(next.amount));
    }
  }

  function occupy(amount: number): () => void {
    free -= amount;
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      free += amount;
      admit();
    };
  }

  return {
    take(amount) {
      if (closed) return Promise.reject(closed);
      return new Promise((enter, refuse) => {
        queue.push({ amount, enter, refuse });
        admit();
      });
    },
    isClosed: () => closed !== null,
    close(error) {
      closed = error;
      for (const { refuse } of queue.splice(0)) refuse(error);
    },
  };
}
