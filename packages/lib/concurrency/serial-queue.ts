/** Runs one piece of work at a time, in the order of the calls. */
export type SerialQueue = ReturnType<typeof createSerialQueue>;

/** A serial queue for each key. A key without work takes no memory. */
export interface KeyedSerialQueue<Key> {
  readonly run: <Result>(key: Key, work: () => Promise<Result>) => Promise<Result>;
}

/** Creates an empty queue. */
export function createSerialQueue() {
  let last: Promise<void> = Promise.resolve();

  return {
    /**
     * Runs `work` when all earlier work has ended, and gives its result or its error. A failure does
     * not stop the work after it. `work` must not wait for work that it adds to the same queue.
     */
    run: <Result>(work: () => Promise<Result>): Promise<Result> => {
      const turn = last.then(work);
      last = turn.then(ignore, ignore);
      return turn;
    },
    /** Resolves when all work that was added before this call has ended. Never rejects. */
    idle: (): Promise<void> => last,
  };
}

/** Creates it without queues. */
export function createKeyedSerialQueue<Key>(): KeyedSerialQueue<Key> {
  const lastOf = new Map<Key, Promise<void>>();

  return {
    run: (key, work) => {
      const turn = (lastOf.get(key) ?? Promise.resolve()).then(work);
      const end = (): void => {
        if (lastOf.get(key) === ended) lastOf.delete(key);
      };
      const ended = turn.then(end, end);
      lastOf.set(key, ended);
      return turn;
    },
  };
}

/** Keeps neither the result nor the error in memory. */
const ignore = (): void => undefined;
