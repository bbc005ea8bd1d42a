/**
 * The queue of the hashes. Each hash is for a purpose and for somebody, so one who floods the server
 * delays and refuses only themselves: lanes take turns, and within a lane those who wait take turns.
 * One of the workers is for sign-ins only, so nobody who is signed in keeps others from signing in. Other
 * hashes begin between sign-ins, since they would take their processor: beside one only after four.
 */
import { AppError } from '../../platform/errors.ts';
import { siteOf } from '../../platform/networks.ts';

/**
 * What a hash is for, and for whom: a person who has proved to be that person, by a credential or by
 * an address where they are signed in; at a sign-in otherwise the address.
 */
export type HashFor =
  | { readonly purpose: 'sign-in' | 'password' | 'pin'; readonly userId: string }
  | { readonly purpose: 'sign-in'; readonly address: string | null };

/** Computes hashes in turn. */
export type HashQueue = ReturnType<typeof createHashQueue>;

const workers = 2;
const workersForOthers = 1;
/** So many sign-ins begin before another hash that waits begins beside one. */
const mostBefore = 4;
const mostOfOne = 2;
const mostOfLane = 50;

const laneNames = ['known', 'stranger', 'password', 'pin'] as const;
type LaneName = (typeof laneNames)[number];

interface Lane {
  readonly isSignIn: boolean;
  /** Who waits, with their work; one who is served goes to the end. */
  readonly waiting: Map<string, (() => void)[]>;
}

function placeOf(of: HashFor): { readonly name: LaneName; readonly key: string } {
  if ('address' in of) return { name: 'stranger', key: siteOf(of.address ?? '') };
  return { name: of.purpose === 'sign-in' ? 'known' : of.purpose, key: of.userId };
}

/** Creates it, with nothing running. */
export function createHashQueue() {
  const lanes = new Map<LaneName, Lane>(
    laneNames.map((name) => [
      name,
      { isSignIn: name === 'known' || name === 'stranger', waiting: new Map() },
    ]),
  );
  let running = 0;
  let runningOthers = 0;
  /** The sign-ins that began since another hash could not. */
  let before = 0;

  const mayRunBeside = (): boolean =>
    runningOthers < workersForOthers && (running === 0 || before >= mostBefore);

  const mayRun = ({ isSignIn }: Lane): boolean => running < workers && (isSignIn || mayRunBeside());

  const doOthersWait = (): boolean =>
    [...lanes.values()].some(({ isSignIn, waiting }) => !isSignIn && waiting.size > 0);

  function next(): void {
    for (const [name, lane] of lanes) {
      if (!mayRun(lane)) continue;
      const start = takeFirst(lane.waiting);
      if (start === undefined) continue;
      lanes.delete(name);
      lanes.set(name, lane);
      start();
      return;
    }
  }

  /** Rejects with `too_many_requests` when two of the same person or network wait already. */
  async function run<Result>(of: HashFor, work: () => Promise<Result>): Promise<Result> {
    const { name, key } = placeOf(of);
    const lane = lanes.get(name) as Lane;
    await new Promise<void>((start) => {
      assertRoom(lane, key);
      lane.waiting.set(key, [...(lane.waiting.get(key) ?? []), occupy]);
      next();

      function occupy(): void {
        running += 1;
        if (!lane.isSignIn) runningOthers += 1;
        before = lane.isSignIn && doOthersWait() ? before + 1 : 0;
        start();
      }
    });
    try {
      return await work();
    } finally {
      running -= 1;
      if (!lane.isSignIn) runningOthers -= 1;
      next();
    }
  }

  return { run };
}

function takeFirst(waiting: Lane['waiting']): (() => void) | undefined {
  for (const [key, [first, ...others]] of waiting) {
    waiting.delete(key);
    if (others.length > 0) waiting.set(key, others);
    return first;
  }
  return undefined;
}

function assertRoom({ waiting }: Lane, key: string): void {
  const own = waiting.get(key)?.length ?? 0;
  const all = [...waiting.values()].reduce((sum, { length }) => sum + length, 0);
  if (own >= mostOfOne)
    throw new AppError('too_many_requests', {
      what: `At most ${mostOfOne} passwords or PINs of one person or network wait to be checked. Try again in a few seconds.`,
    });
  if (all >= mostOfLane)
    throw new AppError('too_many_requests', {
      what: 'Too many users are signing in at this moment. Try again in a few seconds.',
    });
}
