/**
 * Waits until something holds, letting the event loop turn between looks: for what real disks and
 * databases do in their own time. Rejects after ten seconds, with what was waited for.
 */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const startedAt = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedAt > 10_000) throw new Error(`Waited in vain until ${what}.`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
