/**
 * Waits until something holds: for what real disks and databases do in their own time. Between two
 * looks it leaves them the processor. Rejects after a minute, with what was waited for:
 * the limit ends a wait that hangs, and measures nothing.
 */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const startedAt = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedAt > 60_000) throw new Error(`Waited in vain until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
