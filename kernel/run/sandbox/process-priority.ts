import { readdirSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import type { Undo } from '../../call/host-service.ts';

export type LowPriorityProcesses = ReturnType<typeof createLowPriorityProcesses>;

/**
 * Nice levels of a single process below the server: a quarter of a processor that the server wants
 * too. With more levels, plugins would miss deadlines on a busy machine.
 */
const levelsBelow = 5;
const lowest = 19;
/** Up to this many processes stay at the level of a single one. */
const usualProcesses = 4;
/** The ratio of processor time from one level to the next. */
const stepOfLevel = 1.25;

/**
 * All these processes together get what four of them would get: an event for twenty plugins wakes all
 * of them, and a person's request must not wait behind twenty. Levels go down as their number grows,
 * and up again where the system allows it.
 */
export function createLowPriorityProcesses() {
  const pids = new Set<number>();
  let levels = levelsBelow;

  function adjust(): void {
    const fitting = niceLevelsFor(pids.size);
    if (fitting === levels) return;
    levels = fitting;
    for (const pid of pids) putBelow(pid, levels);
  }

  /**
   * Lowers the priority of a process below the server and its built-ins. Call it when the process
   * has just started, and the undo at its end. Where the system does not allow it, the process
   * keeps its priority.
   */
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

/** How many levels below the server each of this many processes is. */
export function niceLevelsFor(processes: number): number {
  const further = Math.log(Math.max(1, processes / usualProcesses)) / Math.log(stepOfLevel);
  return Math.min(lowest, Math.ceil(levelsBelow + further));
}

function putBelow(pid: number, levels: number): void {
  // New threads inherit the level; existing ones are set one by one.
  for (const thread of threadsOf(pid))
    attempt(() => setPriority(thread, Math.min(lowest, getPriority() + levels)));
  // Linux may schedule sessions as equal groups; a nice level then counts within its group only.
  attempt(() => writeFileSync(`/proc/${pid}/autogroup`, String(levels)));
}

function threadsOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}

/** When memory runs out, the system kills a plugin host before the server. Not possible everywhere. */
export function preferAsVictim(pid: number | undefined): void {
  attempt(() => writeFileSync(`/proc/${pid ?? 0}/oom_score_adj`, '800'));
}

function attempt(change: () => void): void {
  try {
    change();
  } catch {
    // Other systems lack this, and containers may forbid it.
  }
}
