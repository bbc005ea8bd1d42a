/**
 * A read-write lock: many shared holders, or one exclusive holder. A file that is suspected of
 * crashing a plugin is probed exclusively, so that a crash is its own fault.
 */
export interface Turns {
  readonly together: <T>(work: () => Promise<T>) => Promise<T>;
  /** Waits for current holders; later callers wait for it. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
}

interface Waiting {
  readonly isAlone: boolean;
  readonly go: () => void;
}

export function createTurns(): Turns {
  const waiting: Waiting[] = [];
  let underWay = 0;
  let isTaken = false;

  const mayGo = (isAlone: boolean): boolean => (isAlone ? underWay === 0 : !isTaken);

  function enter(isAlone: boolean): void {
    underWay += 1;
    isTaken = isAlone;
  }

  async function arrive(isAlone: boolean): Promise<void> {
    if (waiting.length === 0 && mayGo(isAlone)) enter(isAlone);
    else await new Promise<void>((go) => void waiting.push({ isAlone, go }));
  }

  function leave(): void {
    underWay -= 1;
    if (underWay === 0) isTaken = false;
    for (let next = waiting[0]; next && mayGo(next.isAlone); next = waiting[0]) {
      waiting.shift();
      enter(next.isAlone);
      next.go();
    }
  }

  async function take<T>(isAlone: boolean, work: () => Promise<T>): Promise<T> {
    await arrive(isAlone);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  return { together: (work) => take(false, work), alone: (work) => take(true, work) };
}
