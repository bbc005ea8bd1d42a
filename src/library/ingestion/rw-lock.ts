/**
 * A read-write lock: many shared holders, or one exclusive holder. A file that is suspected of
 * crashing a plugin is probed exclusively, so that a crash is its own fault.
 */
export interface RwLock {
  readonly shared: <T>(work: () => Promise<T>) => Promise<T>;
  /** Waits for current holders; later callers wait for it. */
  readonly exclusive: <T>(work: () => Promise<T>) => Promise<T>;
}

interface Waiting {
  readonly isExclusive: boolean;
  readonly go: () => void;
}

export function createRwLock(): RwLock {
  const waiting: Waiting[] = [];
  let underWay = 0;
  let isTaken = false;

  const mayGo = (isExclusive: boolean): boolean => (isExclusive ? underWay === 0 : !isTaken);

  function enter(isExclusive: boolean): void {
    underWay += 1;
    isTaken = isExclusive;
  }

  async function arrive(isExclusive: boolean): Promise<void> {
    if (waiting.length === 0 && mayGo(isExclusive)) enter(isExclusive);
    else await new Promise<void>((go) => void waiting.push({ isExclusive, go }));
  }

  function leave(): void {
    underWay -= 1;
    if (underWay === 0) isTaken = false;
    for (let next = waiting[0]; next && mayGo(next.isExclusive); next = waiting[0]) {
      waiting.shift();
      enter(next.isExclusive);
      next.go();
    }
  }

  async function take<T>(isExclusive: boolean, work: () => Promise<T>): Promise<T> {
    await arrive(isExclusive);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  return { shared: (work) => take(false, work), exclusive: (work) => take(true, work) };
}
