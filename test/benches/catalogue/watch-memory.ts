import { readFileSync } from 'node:fs';
import { processTree, type TestServer } from '../../support/servers/server.ts';

const everyMs = 100;
/** An exact look goes through all pages of a process: ten a second would be an eighth of two cores. */
const exactEvery = 10;
const pageBytes = 4096;

/**
 * Looks at the memory of a server and its hosts; gives the most that it saw. Once a second it asks what
 * they have without counting twice what they share, and in between what has come to it since.
 */
export function watchMemory(server: TestServer): { readonly stop: () => Promise<number> } {
  let peak = 0;
  let isOver = false;
  let shared = 0;
  let tree: readonly number[] = [];
  const watching = (async () => {
    for (let look = 0; !isOver; look += 1) {
      if (look % exactEvery === 0) {
        tree = await processTree(server.pid);
        shared = residentOf(tree) - (await server.memory());
      }
      peak = Math.max(peak, residentOf(tree) - shared);
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  })();
  return {
    async stop() {
      isOver = true;
      await watching;
      return peak;
    },
  };
}

/** Bytes of these processes, what they share counted for each. */
function residentOf(tree: readonly number[]): number {
  return tree.reduce((sum, pid) => sum + pagesOf(pid) * pageBytes, 0);
}

function pagesOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
  } catch {
    return 0;
  }
}
