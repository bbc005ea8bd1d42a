import type { DiskCall } from './disk-calls.ts';
import type { DiskThread } from './disk-thread.ts';

/** A walk with a call within this time is active. */
const liveMs = 250;
/** How many walks are remembered; a dropped walk starts again, with the same result. */
const mostWalks = 64;

/**
 * How long after the last call of a walk its thread stops, to free its heap. Walks come in bursts,
 * and the first walk of a new thread is slower.
 */
const restAfterMs = 30_000;

interface Lane {
  readonly thread: DiskThread;
  waiting: number;
  rest?: NodeJS.Timeout;
}

interface Walk {
  readonly lane: Lane;
  readonly askedAt: number;
}

/**
 * Several threads as one. Libraries are walked in parallel, and a walk consists of system calls, so
 * one thread would leave the other cores idle. A call goes to the thread with the fewest pending
 * calls. The digests of one folder stay on one thread, which has the open walk, until another
 * thread has fewer walks.
 */
export function createDiskThreads(
  threads: readonly [DiskThread, ...DiskThread[]],
  clock: () => number,
): DiskThread {
  const [first, ...others] = threads.map((thread): Lane => ({ thread, waiting: 0 }));
  if (first === undefined) throw new TypeError('There must be a disk thread.');
  const walks = new Map<string, Walk>();

  /** The first of equals, so that no thread starts before it is needed. */
  const least = (amountOf: (lane: Lane) => number): Lane =>
    others.reduce((best, lane) => (amountOf(lane) < amountOf(best) ? lane : best), first);

  function laneOfWalk(path: string): Lane {
    const now = clock();
    const last = walks.get(path);
    walks.delete(path);
    const live = [...walks.values()].filter(({ askedAt }) => now - askedAt <= liveMs);
    const walksIn = (lane: Lane): number => live.filter((walk) => walk.lane === lane).length;
    const idlest = least(walksIn);
    const lane = last && walksIn(last.lane) <= walksIn(idlest) ? last.lane : idlest;
    walks.set(path, { lane, askedAt: now });
    for (const oldest of walks.keys()) {
      if (walks.size <= mostWalks) break;
      walks.delete(oldest);
    }
    return lane;
  }

  function restLater(lane: Lane): void {
    clearTimeout(lane.rest);
    const rest = (): void => (lane.waiting > 0 ? restLater(lane) : lane.thread.rest());
    lane.rest = setTimeout(rest, restAfterMs).unref();
  }

  const laneOf = (call: DiskCall): Lane =>
    call.operation === 'digest' ? laneOfWalk(call.stretch.path) : least(({ waiting }) => waiting);

  return {
    async ask(call) {
      const lane = laneOf(call);
      lane.waiting += 1;
      try {
        return await lane.thread.ask(call);
      } finally {
        lane.waiting -= 1;
        if (isOfWalk(call)) restLater(lane);
      }
    },
    rest: () => threads.forEach((thread) => thread.rest()),
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

const isOfWalk = ({ operation }: DiskCall): boolean =>
  operation === 'digest' || operation === 'list';
