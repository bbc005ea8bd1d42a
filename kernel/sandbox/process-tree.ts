import { readdirSync, readFileSync } from 'node:fs';

/**
 * The one process at the end of a line of processes in which each has started the next. A wrapper is such
 * a line, and who is measured and ranked is the last. The first itself where the system does not tell.
 */
export function lastInLine(pid: number): number {
  const [child, ...others] = childrenOf(pid);
  return child === undefined || others.length > 0 ? pid : lastInLine(child);
}

function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
        .split(' ')
        .filter((word) => word !== '')
        .map(Number),
    );
  } catch {
    return [];
  }
}
