/**
 * Waits until something holds: for what real disks and databases do in their own time. Between two
 * looks it leaves them the processor, for longer from look to look. Rejects after a minute, with what was waited for:
 * the limit ends a wait that hangs, and measures nothing.
 */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const startedAt = performance.now();
  for (let pauseMs = 2; !(await holds()); pauseMs = Math.min(1.3 * pauseMs, 40)) {
    if (performance.now() - startedAt > 60_000) throw new Error(`Waited in vain until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
