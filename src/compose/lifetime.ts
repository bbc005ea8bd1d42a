/**
 * The parts of a server in one order, which is written down once: they start from the first stage
 * to the last and stop from the last to the first. So everything that a part needs runs for as long
 * as the part does.
 */
import type { Log } from '../../kernel/index.ts';

/** A part that starts and stops with the server. It may be stopped without having been started. */
export interface Part {
  readonly start?: () => unknown;
  readonly stop?: () => unknown;
}

/** The parts of a server, in the order of their stages. */
export type Lifetime = ReturnType<typeof createLifetime>;

/** Creates one without parts. */
export function createLifetime(log: Log) {
  const stages: (readonly Part[])[] = [];

  async function stopStage(parts: readonly Part[]): Promise<void> {
    const stopped = parts.toReversed().map(async ({ stop }) => stop?.());
    for (const one of await Promise.allSettled(stopped))
      if (one.status === 'rejected')
        log.error({ err: one.reason as unknown }, 'A part of the server failed to stop.');
  }

  async function stopAll(): Promise<void> {
    for (const parts of stages.toReversed()) await stopStage(parts);
  }

  return {
    /**
     * Adds a stage. Its parts start one after the other, when all earlier stages have started; they
     * stop at the same time, when all later stages have stopped.
     */
    stage: (...parts: readonly Part[]): void => void stages.push(parts),
    /** Registers the close function of a part that holds resources from when it is built. */
    holds: (stop: () => unknown): void => void stages.push([{ stop }]),
    /**
     * Starts all stages. Rejects with the error of the first part that fails; later parts do not
     * start.
     */
    start: async (): Promise<void> => {
      for (const parts of stages) for (const { start } of parts) await start?.();
    },
    /**
     * Stops everything that was added, started or not. A part that fails to stop is logged, and the
     * others stop anyway. After this many milliseconds in total it stops waiting.
     */
    stop: async (limitMs: number): Promise<void> => {
      const late = Promise.withResolvers<undefined>();
      const timer = setTimeout(late.resolve, limitMs, undefined).unref();
      await Promise.race([stopAll(), late.promise]);
      clearTimeout(timer);
    },
  };
}
