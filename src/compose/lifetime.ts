/**
 * What begins and ends with the server, in one order: it is written down once, started from the first
 * stage to the last, and stopped from the last to the first. So whatever a part needs is there for as
 * long as the part is. Without it an order of stopping would be a second list that somebody has to keep.
 */
import type { Log } from '../../kernel/index.ts';

/** What begins and ends with the server. It may be stopped without having been started. */
export interface Part {
  readonly start?: () => unknown;
  readonly stop?: () => unknown;
}

/** The parts of a server, in the order of their stages. */
export interface Lifetime {
  /**
   * Adds a stage. Its parts start one after the other, when all stages before have started; they stop
   * at once, when all stages behind have stopped.
   */
  readonly stage: (...parts: readonly Part[]) => void;
  /** Keeps what closes a part that holds something from when it is built. */
  readonly holds: (close: () => unknown) => void;
  /** Rejects with what the first part that does not start says; no further one is started. */
  readonly start: () => Promise<void>;
  /**
   * Stops everything that was added, started or not. What does not stop in order is logged and keeps
   * nothing else from it; what takes longer than so many milliseconds in all is left.
   */
  readonly stop: (limitMs: number) => Promise<void>;
}

/** Creates one without any part. */
export function createLifetime(log: Log): Lifetime {
  const stages: (readonly Part[])[] = [];

  async function stopStage(parts: readonly Part[]): Promise<void> {
    const stopped = parts.toReversed().map(async ({ stop }) => stop?.());
    for (const one of await Promise.allSettled(stopped))
      if (one.status === 'rejected')
        log.error({ err: one.reason as unknown }, 'A part of the server did not end in order.');
  }

  async function stopAll(): Promise<void> {
    for (const parts of stages.toReversed()) await stopStage(parts);
  }

  return {
    stage: (...parts) => void stages.push(parts),
    holds: (stop) => void stages.push([{ stop }]),
    start: async () => {
      for (const parts of stages) for (const { start } of parts) await start?.();
    },
    stop: async (limitMs) => {
      const late = Promise.withResolvers<undefined>();
      const timer = setTimeout(late.resolve, limitMs, undefined).unref();
      await Promise.race([stopAll(), late.promise]);
      clearTimeout(timer);
    },
  };
}
