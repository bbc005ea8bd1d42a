/**
 * How the server itself fares. It looks four times a second, and says when it should take no more:
 * when its event loop comes a second late time after time, or when its memory is nearly used up. What
 * it takes on beyond that would be answered late, or end it.
 */
import { getHeapStatistics } from 'node:v8';
import type { Log } from '../kernel/index.ts';
import type { Clock, Undo } from './clock.ts';

/** Why no more is taken. */
export type Excess = 'memory' | 'delay';

/** What the watch says. */
export interface LoadWatch {
  /** `null` = there is room. */
  readonly excess: () => Excess | null;
  readonly stop: () => void;
}

/** Shares of what there may be, 0 to 1. */
export interface MemoryUse {
  readonly heap: number;
  /** Of the memory that the system lets the server have; 0 where it sets no limit. */
  readonly resident: number;
}

/** What the watch is made of. */
export interface LoadWatchParts {
  readonly clock: Clock;
  readonly memory: () => MemoryUse;
  readonly log: Log;
}

const everyMs = 250;
const lateMs = 1000;
/** Nobody is that busy: the machine slept, or its clock was set. */
const sleptMs = 20_000;
const mostHeap = 0.9;
const mostResident = 0.95;
/** One long pause is none; so many looks in a row decide, either way. */
const looksToDecide = 3;

/** Begins to watch. */
export function createLoadWatch({ clock, memory, log }: LoadWatchParts): LoadWatch {
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
    if (now === null) log.info({}, 'The server takes requests again.');
    else log.warn({ why: now, lagMs: Math.round(lagMs) }, 'The server takes no more for now.');
    decided = now;
  }

  return { excess: () => decided, stop: () => stopTimer() };
}

function excessOf(lagMs: number, { heap, resident }: MemoryUse): Excess | null {
  if (heap > mostHeap || resident > mostResident) return 'memory';
  return lagMs > lateMs && lagMs < sleptMs ? 'delay' : null;
}

/** The memory of this process, and of those that it is told of, against what they may have. */
export function memoryUse(othersBytes: () => number): MemoryUse {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  const constrained = process.constrainedMemory();
  // Where there is no limit, systems tell a number that no machine has.
  const isLimited = constrained > 0 && constrained < 2 ** 50;
  const resident = isLimited ? (process.memoryUsage.rss() + othersBytes()) / constrained : 0;
  return { heap: used / limit, resident };
}
