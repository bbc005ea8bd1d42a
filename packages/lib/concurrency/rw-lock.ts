/** A read-write lock: many shared holders, or one exclusive holder. Served in the order of the calls. */
export type RwLock = ReturnType<typeof createRwLock>;

interface Waiting {
  readonly isExclusive: boolean;
  readonly enter: () => void;
}

/** Creates it without a holder. */
export function createRwLock() {
  const waiting: Waiting[] = [];
  let holders = 0;
  let isExclusivelyHeld = false;

  const isFree = (isExclusive: boolean): boolean =>
    isExclusive ? holders === 0 : !isExclusivelyHeld;

  function hold(isExclusive: boolean): void {
    holders += 1;
    isExclusivelyHeld = isExclusive;
  }

  async function arrive(isExclusive: boolean): Promise<void> {
    if (waiting.length === 0 && isFree(isExclusive)) hold(isExclusive);
    else await new Promise<void>((enter) => void waiting.push({ isExclusive, enter }));
  }

  function leave(): void {
    holders -= 1;
    if (holders === 0) isExclusivelyHeld = false;
    for (let next = waiting[0]; next && isFree(next.isExclusive); next = waiting[0]) {
      waiting.shift();
      hold(next.isExclusive);
      next.enter();
    }
  }

  async function run<Result>(isExclusive: boolean, work: () => Promise<Result>): Promise<Result> {
    await arrive(isExclusive);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  return {
    /** Runs `work` beside other shared work. */
    shared: <Result>(work: () => Promise<Result>): Promise<Result> =>
      run(
        false,
        work,
      ) /** Runs `work` alone. It waits for current holders, and later callers wait for it. */,
    exclusive: <Result>(work: () => Promise<Result>): Promise<Result> => run(true, work),
  };
}
