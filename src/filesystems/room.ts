/** An amount that is shared. Whoever asks first is served first, so that nobody waits for ever. */
export interface Room {
  /** Resolves when there is as much; the undo gives it back. At most the whole is ever asked for. */
  readonly take: (amount: number) => Promise<() => void>;
  readonly isClosed: () => boolean;
  /** Refuses everybody who waits, and all who come later. */
  readonly close: (error: Error) => void;
}

interface Waiting {
  readonly amount: number;
  readonly enter: (leave: () => void) => void;
  readonly refuse: (error: Error) => void;
}

/** Creates the room, empty. */
export function createRoom(whole: number): Room {
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
