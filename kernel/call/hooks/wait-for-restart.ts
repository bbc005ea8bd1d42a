import type { Dispatcher } from '../dispatch.ts';

const patienceMs = 3000;
const lookEveryMs = 50;

/**
 * Waits until a plugin that has just ended runs again. The first restart comes after a second, or
 * sooner when another plugin took the shared process down. Gives up after 3 s.
 */
export async function waitForRestart(
  pluginId: string,
  { isRunning }: Pick<Dispatcher, 'isRunning'>,
): Promise<void> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += lookEveryMs) {
    await sleep(lookEveryMs);
    if (isRunning(pluginId)) return;
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
