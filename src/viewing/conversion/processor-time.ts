import { readFile } from 'node:fs/promises';

/** Deeper trees are not looked at: the walls of a cage are two processes. */
const deepest = 4;

/**
 * Ticks of processor time that a process and those below it have used (proc(5): `utime`, `stime` and
 * those of ended children, `children`); `null` = it ended, or the system does not tell.
 */
export async function processorTime(pid: number, depth = deepest): Promise<number | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name of the program is in brackets and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
    const below = depth === 0 ? '' : await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    const pids = below.split(' ').filter(Boolean).map(Number);
    const times = await Promise.all(pids.map((child) => processorTime(child, depth - 1)));
    return times.reduce<number>((sum, ticks) => sum + (ticks ?? 0), own);
  } catch {
    return null;
  }
}
