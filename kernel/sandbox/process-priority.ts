import { readdirSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import type { Undo } from '../host-service.ts';

/** The processes that come last. */
export interface LowPriorityProcesses {
  /**
   * Lets a process have the processor when the server and its built-in plugins leave it. To be called
   * when it has just begun; the undo is for its end. Where the system does not allow it, the process
   * stays as it is.
   */
  readonly add: (pid: number | undefined) => Undo;
}

/**
 * Nice levels of a single one below the server: a quarter of a processor that the server wants as well.
 * Further down a plugin would miss its deadlines on a machine that has much else to do.
 */
const levelsBelow = 5;
const lowest = 19;
/** So many stay where a single one is. */
const usualProcesses = 4;
/** Of the processor, from one level to the next. */
const stepOfLevel = 1.25;

/**
 * However many they are, together they have what four of them would have: an event that twenty plugins
 * hear wakes all of them, and the answer that a person waits for must not stand behind twenty. Levels
 * go down with their number; up again they go where the system lets the server do that.
 */
export function createLowPriorityProcesses(): LowPriorityProcesses {
  const pids = new Set<number>();
  let levels = levelsBelow;

  function adjust(): void {
    const fitting = niceLevelsFor(pids.size);
    if (fitting === levels) return;
    levels = fitting;
    for (const pid of pids) putBelow(pid, levels);
  }

  function add(pid: number | undefined): Undo {
    if (pid === undefined) return () => undefined;
    pids.add(pid);
    adjust();
    putBelow(pid, levels);
    return () => {
      pids.delete(pid);
      adjust();
    };
  }

  return { add };
}

/** How far below the server each of so many processes is. */
export function niceLevelsFor(processes: number): number {
  const further = Math.log(Math.max(1, processes / usualProcesses)) / Math.log(stepOfLevel);
  return Math.min(lowest, Math.ceil(levelsBelow + further));
}

function putBelow(pid: number, levels: number): void {
  // Threads that a process begins later take over what it has; those that it has go one by one.
  for (const thread of threadsOf(pid))
    attempt(() => setPriority(thread, Math.min(lowest, getPriority() + levels)));
  // Linux may schedule sessions as groups, all alike; a nice level then counts within its group alone.
  attempt(() => writeFileSync(`/proc/${pid}/autogroup`, String(levels)));
}

function threadsOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}

/** When memory runs out, a plugin host goes before the server does. Not everywhere possible. */
export function preferAsVictim(pid: number | undefined): void {
  attempt(() => writeFileSync(`/proc/${pid ?? 0}/oom_score_adj`, '800'));
}

function attempt(change: () => void): void {
  try {
    change();
  } catch {
    // Other systems have no such thing, and containers may forbid it.
  }
}
