/** `host.schedule`: calls plugins at times that they set, also after a restart. */
import {
  hostService,
  KernelError,
  type CallPlugin,
  type HostCaller,
  type HostInput,
  type Log,
} from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/storage/index.ts';
import { hostMethods } from '../../../plugin-api/server/index.ts';
import { steadyOf, type Clock, type Undo } from '../../platform/clock.ts';
import * as store from './wake-store.ts';
import type { StoredWake } from './wake-store.ts';

/** The times that plugins set. */
export type PluginWakes = ReturnType<typeof createPluginWakes>;

export interface PluginWakesParts {
  readonly database: Database;
  readonly call: CallPlugin;
  readonly isRunning: (pluginId: string) => boolean;
  /** Installed plugins; the times of others are deleted at the start. */
  readonly isKnown: (pluginId: string) => boolean;
  readonly clock: Clock;
  readonly log: Log;
}

const mostPerPlugin = 100;
const furthestMs = hostMethods.schedule.set.takes.everyMs.maximum;
/**
 * A minimum, so that a plugin that sets its time in each call does not occupy the database writer.
 */
const soonestMs = 1000;
const callTimeoutMs = 60_000;
const firstRetryMs = 30_000;
const lastRetryMs = 3_600_000;
const mostSleepMs = 3_600_000;
/** Smaller corrections of the clock are ignored. */
const setBackMs = 60_000;

/** Creates it; it calls no plugin before `start`. */
export function createPluginWakes(parts: PluginWakesParts) {
  const { database, call, isRunning, isKnown, clock, log } = parts;
  const underWay = new Map<string, Promise<void>>();
  const steady = steadyOf(clock);
  let aheadMs = clock.now() - steady.now();
  let isOpen = false;
  let cancel: Undo = () => undefined;
  let looking: Promise<void> = Promise.resolve();
  let mustLook = false;

  /**
   * A plugin has started: its due times are called. One pass at a time; a request meanwhile causes
   * one more.
   */
  function look(): void {
    if (!isOpen || mustLook) return;
    mustLook = true;
    looking = looking
      .then(async () => {
        mustLook = false;
        if (isOpen) await lookOnce();
      })
      .catch((error: unknown) => {
        log.warn({ err: error }, 'The times that plugins set could not be read.');
        plan(clock.now() + firstRetryMs);
      });
  }

  async function lookOnce(): Promise<void> {
    const now = clock.now();
    await followSetBack(now);
    const wakes = (await store.readWakes(database.read)).filter(
      (wake) => !underWay.has(keyOf(wake)) && isRunning(wake.pluginId),
    );
    for (const wake of wakes) if (wake.at <= now) begin(wake);
    plan(wakes.find(({ at }) => at > now)?.at ?? null);
  }

  /** When the clock was set back, recurring times would be late by the same amount. */
  async function followSetBack(now: number): Promise<void> {
    const before = aheadMs;
    aheadMs = now - steady.now();
    const byMs = before - aheadMs;
    if (byMs > setBackMs) await database.write((trx) => store.bringForward(trx, byMs, now));
  }

  function plan(at: number | null): void {
    cancel();
    if (!isOpen || at === null) return;
    cancel = clock.after(Math.min(Math.max(at - clock.now(), 0), mostSleepMs), look);
  }

  function begin(wake: StoredWake): void {
    const key = keyOf(wake);
    const running = wakePlugin(wake)
      .catch((error: unknown) =>
        log.warn({ err: error }, 'A time that a plugin set could not be stored.'),
      )
      .finally(() => {
        underWay.delete(key);
        look();
      });
    underWay.set(key, running);
  }

  async function wakePlugin(wake: StoredWake): Promise<void> {
    const { pluginId } = wake;
    const isDone = await call(
      pluginId,
      'schedule.wake',
      { name: wake.name },
      { timeoutMs: callTimeoutMs },
    ).then(
      () => true,
      (error: unknown) => {
        log.info({ err: error, pluginId, wake: wake.name }, 'A plugin failed in a scheduled call.');
        return false;
      },
    );
    const next = isDone ? nextTime(wake, clock.now()) : retried(wake, clock.now());
    await database.write((trx) => store.replaceWake(trx, wake, next));
  }

  const set = async (input: HostInput<'schedule', 'set'>, caller: HostCaller) => {
    const { pluginId } = caller;
    const now = clock.now();
    if (input.at > now + furthestMs)
      throw new KernelError('invalid_argument', 'at must be within the next 400 days.');
    const wake = { pluginId, name: input.name, everyMs: input.everyMs ?? null, failures: 0 };
    await database.write(async (trx) => {
      const own = await store.readWakes(trx, pluginId);
      if (own.length >= mostPerPlugin && !own.some((one) => one.name === input.name))
        throw new KernelError('quota_exceeded', `A plugin may set ${mostPerPlugin} times.`);
      await store.saveWake(trx, { ...wake, at: Math.max(input.at, now + soonestMs) });
    });
    look();
    return null;
  };

  const service = hostService('schedule', {
    set,
    clear: async ({ name }, { pluginId }) => {
      await database.write((trx) => store.deleteWake(trx, pluginId, name));
      return null;
    },
    list: async (_input, { pluginId }) => {
      const own = await store.readWakes(database.read, pluginId);
      return { wakes: own.map(({ name, at, everyMs }) => ({ name, at, everyMs })) };
    },
  });

  return {
    service,
    look,
    /** Starts calling; times that passed while the server was off are due now. */
    start: async (): Promise<void> => {
      const ids = new Set((await store.readWakes(database.read)).map(({ pluginId }) => pluginId));
      const gone = [...ids].filter((id) => !isKnown(id));
      if (gone.length > 0) await database.write((trx) => store.deleteWakesOf(trx, gone));
      isOpen = true;
      look();
    },
    /** Stops calling, and waits for running calls. */
    stop: async (): Promise<void> => {
      isOpen = false;
      cancel();
      await looking;
      await Promise.all(underWay.values());
    },
  };
}

const keyOf = ({ pluginId, name: one }: StoredWake): string => `${pluginId}\n${one}`;

/** Missed times are called once; `null` = it does not recur. */
function nextTime(wake: StoredWake, nowMs: number): StoredWake | null {
  const { everyMs, at } = wake;
  if (everyMs === null) return null;
  const missed = Math.max(0, Math.floor((nowMs - at) / everyMs));
  return { ...wake, at: at + (missed + 1) * everyMs, failures: 0 };
}

function retried(wake: StoredWake, nowMs: number): StoredWake {
  const waitMs = Math.min(firstRetryMs * 2 ** Math.min(wake.failures, 10), lastRetryMs);
  return { ...wake, at: nowMs + waitMs, failures: wake.failures + 1 };
}
