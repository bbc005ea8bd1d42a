/**
 * Overload detection. It checks four times a second, and reports overload when the event loop is a
 * second late several times in a row, or when memory is nearly used up. Further requests would be
 * answered late, or end the server.
 */
import { getHeapStatistics } from 'node:v8';
import type { Clock, Undo } from '../platform/clock.ts';
import type { FoundProblem, ProblemCode } from '../platform/problems/index.ts';
import { say } from '../platform/text.ts';

/** The reason of an overload. */
export type Excess = 'memory' | 'delay';

/** The state of the server. */
export type LoadWatch = ReturnType<typeof createLoadWatch>;

/** Used shares, 0 to 1. */
export interface MemoryUse {
  readonly heap: number;
  /** Of the memory that the system allows the process; 0 without a limit. */
  readonly resident: number;
}

export interface LoadWatchParts {
  readonly clock: Clock;
  readonly memory: () => MemoryUse;
  /** Called when an overload begins and ends. */
  readonly report: (codes: readonly ProblemCode[], found: readonly FoundProblem[]) => void;
}

const everyMs = 250;
const lateMs = 1000;
/** A longer delay means that the machine slept, or that its clock was set. */
const sleptMs = 20_000;
const mostHeap = 0.9;
const mostResident = 0.95;
/** One long pause does not count; this many checks in a row decide, in both directions. */
const looksToDecide = 3;

/** Starts watching. */
export function createLoadWatch({ clock, memory, report }: LoadWatchParts) {
  let stopTimer: Undo;
  let decided: Excess | null = null;
  let looks = 0;
  let seen: Excess | null = null;
  plan();

  function plan(): void {
    const due = clock.now() + everyMs;
    stopTimer = clock.after(everyMs, () => {
      look(clock.now() - due);
      plan();
    });
  }

  function look(lagMs: number): void {
    const now = excessOf(lagMs, memory());
    looks = now === seen ? looks + 1 : 1;
    seen = now;
    if (looks < looksToDecide || now === decided) return;
    report(['overloaded'], now === null ? [] : [overloaded(now, lagMs)]);
    decided = now;
  }

  return {
    /** `null` = no overload. */
    excess: (): Excess | null => decided,
    stop: (): void => stopTimer(),
  };
}

const overloaded = (why: Excess, lagMs: number): FoundProblem => ({
  code: 'overloaded',
  subject: { type: 'server', id: why },
  message: say('load.serverOverloadedRefusesRequests'),
  detail:
    why === 'memory'
      ? say('load.memoryNearlyUsedUp')
      : say('load.doesWorkMsLate', { ms: Math.round(lagMs) }),
  action: say('load.giveMachineMoreMemoryProcessors'),
});

function excessOf(lagMs: number, { heap, resident }: MemoryUse): Excess | null {
  if (heap > mostHeap || resident > mostResident) return 'memory';
  return lagMs > lateMs && lagMs < sleptMs ? 'delay' : null;
}

/** The memory of this process and of the plugin processes, as shares of their limits. */
export function memoryUse(othersBytes: () => number): MemoryUse {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  const constrained = process.constrainedMemory();
  // Without a limit, systems report an impossibly high number.
  const isLimited = constrained > 0 && constrained < 2 ** 50;
  const resident = isLimited ? (process.memoryUsage.rss() + othersBytes()) / constrained : 0;
  return { heap: used / limit, resident };
}
