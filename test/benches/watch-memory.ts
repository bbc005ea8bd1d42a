import type { TestServer } from '../support/server.ts';

/** Looks at the memory of a server and its hosts ten times a second; gives the most that it saw. */
export function watchMemory(server: TestServer): { readonly stop: () => Promise<number> } {
  let peak = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      peak = Math.max(peak, await server.memory());
      await new Promise((resolve) => setTimeout(resolve, 100));
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
