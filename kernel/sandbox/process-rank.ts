import { writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * Nice levels below the server: a quarter of a processor that the server wants as well. Further down a
 * plugin would miss its deadlines on a machine that has much else to do.
 */
const levelsBelow = 5;
const lowest = 19;

/**
 * Lets a process have the processor when the server and its built-in plugins leave it. To be called before
 * it has threads: those that it begins take over what it has. Where the system does not allow it, the
 * process stays as it is.
 */
export function putLast(pid: number | undefined): void {
  if (pid === undefined) return;
  attempt(() => setPriority(pid, Math.min(lowest, getPriority() + levelsBelow)));
  // Linux may schedule sessions as groups, all alike; a nice level then counts within its group alone.
  attempt(() => writeFileSync(`/proc/${pid}/autogroup`, String(levelsBelow)));
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
