/** `host.schedule`: calls plugins at times that they set, also after a restart. */
import {
  hostService,
  KernelError,
  type CallPlugin,
  type HostCaller,
  type HostInput,
  type Log,
} from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
import { hostMethods } from '../../../plugin-api/server/index.ts';
import { steadyOf, type Clock, type Undo } from '../../platform/clock.ts';
import * as store from './wake-store.ts';
import type { StoredWake } from './wake-store.ts';

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

/** The times that plugins set. */
export class PluginWakes {
  readonly #parts: PluginWakesParts;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #steady: ReturnType<typeof steadyOf>;
  #aheadMs: number;
  #isOpen = false;
  #cancel: Undo = () => undefined;
  #looking: Promise<void> = Promise.resolve();
  #mustLook = false;
  readonly #service: ReturnType<typeof hostService>;

  constructor(parts: PluginWakesParts) {
    this.#parts = parts;
    this.#steady = steadyOf(parts.clock);
    this.#aheadMs = parts.clock.now() - this.#steady.now();
    this.#service = hostService('schedule', {
      set: this.#set,
      clear: async ({ name }, { pluginId }) => {
        await parts.database.write((trx) => store.deleteWake(trx, pluginId, name));
        return null;
      },
      list: async (_input, { pluginId }) => {
        const own = await store.readWakes(parts.database.read, pluginId);
        return { wakes: own.map(({ name, at, everyMs }) => ({ name, at, everyMs })) };
      },
    });
  }

  /**
   * A plugin has started: its due times are called. One pass at a time; a request meanwhile causes
   * one more.
   */
  readonly look = (): void => {
    if (!this.#isOpen || this.#mustLook) return;
    this.#mustLook = true;
    this.#looking = this.#looking
      .then(async () => {
        this.#mustLook = false;
        if (this.#isOpen) await this.#lookOnce();
      })
      .catch((error: unknown) => {
        this.#parts.log.warn({ err: error }, 'The times that plugins set could not be read.');
        this.#plan(this.#parts.clock.now() + firstRetryMs);
      });
  };

  async #lookOnce(): Promise<void> {
    const { clock, database, isRunning } = this.#parts;
    const now = clock.now();
    await this.#followSetBack(now);
    const wakes = (await store.readWakes(database.read)).filter(
      (wake) => !this.#underWay.has(keyOf(wake)) && isRunning(wake.pluginId),
    );
    for (const wake of wakes) if (wake.at <= now) this.#begin(wake);
    this.#plan(wakes.find(({ at }) => at > now)?.at ?? null);
  }

  /** When the clock was set back, recurring times would be late by the same amount. */
  async #followSetBack(now: number): Promise<void> {
    const before = this.#aheadMs;
    this.#aheadMs = now - this.#steady.now();
    const byMs = before - this.#aheadMs;
    if (byMs > setBackMs)
      await this.#parts.database.write((trx) => store.bringForward(trx, byMs, now));
  }

  #plan(at: number | null): void {
    this.#cancel();
    if (!this.#isOpen || at === null) return;
    this.#cancel = this.#parts.clock.after(
      Math.min(Math.max(at - this.#parts.clock.now(), 0), mostSleepMs),
      this.look,
    );
  }

  #begin(wake: StoredWake): void {
    const key = keyOf(wake);
    const running = this.#wakePlugin(wake)
      .catch((error: unknown) =>
        this.#parts.log.warn({ err: error }, 'A time that a plugin set could not be stored.'),
      )
      .finally(() => {
        this.#underWay.delete(key);
        this.look();
      });
    this.#underWay.set(key, running);
  }

  async #wakePlugin(wake: StoredWake): Promise<void> {
    const { call, log, clock, database } = this.#parts;
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

  readonly #set = async (input: HostInput<'schedule', 'set'>, caller: HostCaller) => {
    const { pluginId } = caller;
    const now = this.#parts.clock.now();
    if (input.at > now + furthestMs)
      throw new KernelError('invalid_argument', 'at must be within the next 400 days.');
    const wake = { pluginId, name: input.name, everyMs: input.everyMs ?? null, failures: 0 };
    await this.#parts.database.write(async (trx) => {
      const own = await store.readWakes(trx, pluginId);
      if (own.length >= mostPerPlugin && !own.some((one) => one.name === input.name))
        throw new KernelError('quota_exceeded', `A plugin may set ${mostPerPlugin} times.`);
      await store.saveWake(trx, { ...wake, at: Math.max(input.at, now + soonestMs) });
    });
    this.look();
    return null;
  };

  get service() {
    return this.#service;
  }

  /** Starts calling; times that passed while the server was off are due now. */
  readonly start = async (): Promise<void> => {
    const { database, isKnown } = this.#parts;
    const ids = new Set((await store.readWakes(database.read)).map(({ pluginId }) => pluginId));
    const gone = [...ids].filter((id) => !isKnown(id));
    if (gone.length > 0) await database.write((trx) => store.deleteWakesOf(trx, gone));
    this.#isOpen = true;
    this.look();
  };

  /** Stops calling, and waits for running calls. */
  readonly stop = async (): Promise<void> => {
    this.#isOpen = false;
    this.#cancel();
    await this.#looking;
    await Promise.all(this.#underWay.values());
  };
}

/** Creates it; it calls no plugin before `start`. */
export const createPluginWakes = (parts: PluginWakesParts): PluginWakes => new PluginWakes(parts);

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
