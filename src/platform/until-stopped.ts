/** The message by which `bootstrap.mjs` says that it started this process and waits for its end. */
export const launched = 'vitrine launched';

/**
 * Resolves at the first signal to stop, or when the launcher ended without passing one on, as after
 * `kill -9`. Only `bootstrap.mjs` sends the message, so other parents (systemd, Docker) do not matter.
 */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.once(signal, () => resolve());
    if (process.channel === undefined || process.channel === null) return;
    process.once('message', (message) => {
      if (message === launched) process.once('disconnect', () => resolve());
    });
  });
}
