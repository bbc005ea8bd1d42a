import { readdirSync, readFileSync } from 'node:fs';

/**
 * The last of a chain of processes, each started by the one before. A wrapper is such a chain, and
 * its last process is the host. The first process itself where the system shows no children.
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
