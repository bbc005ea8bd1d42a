/** Gives back what was taken. Later calls of it do nothing. */
export type Release = () => void;

/**
 * Shares an amount: of calls at a time, of bytes. Requests are served strictly in their order, so a
 * large one is not overtaken by small ones for ever.
 */
export type Semaphore = ReturnType<typeof createSemaphore>;

/** Creates it with the whole amount free. `waiting` limits how many requests wait; without it, any number. */
export function createSemaphore(
  whole: number,
  waiting?: { readonly most: number; readonly refusal: () => Error },
) {
  const queue: { readonly amount: number; readonly enter: () => void }[] = [];
  let free = whole;

  function occupy(amount: number): Release {
    free -= amount;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      free += amount;
      admit();
    };
  }

  function admit(): void {
    for (let next = queue[0]; next && next.amount <= free; next = queue[0]) {
      queue.shift();
      next.enter();
    }
  }

  /**
   * Resolves when `amount` (1 by default) is free. Rejects with the reason of `signal` when that
   * aborts before, with `refusal()` when too many wait, and with a RangeError above the whole
   * amount.
   */
  async function take(amount: number = 1, signal?: AbortSignal): Promise<Release> {
    signal?.throwIfAborted();
    if (amount > whole) throw new RangeError(`${amount} is above the whole amount, ${whole}.`);
    if (queue.length === 0 && amount <= free) return occupy(amount);
    if (waiting && queue.length >= waiting.most) throw waiting.refusal();
    const { promise, resolve, reject } = Promise.withResolvers<Release>();
    const request = { amount, enter };
    queue.push(request);
    signal?.addEventListener('abort', leave);
    return promise;

    function enter(): void {
      signal?.removeEventListener('abort', leave);
      resolve(occupy(amount));
    }

    function leave(): void {
      queue.splice(queue.indexOf(request), 1);
      reject(signal?.reason as Error);
      admit();
    }
  }

  /** Runs `work` while it has taken 1. */
  async function run<Result>(work: () => Promise<Result>): Promise<Result> {
    const release = await take();
    try {
      return await work();
    } finally {
      release();
    }
  }

  return { take, run };
}
