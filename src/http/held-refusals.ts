/**
 * Refusals of people who ask too often wait for a second. Otherwise a client that asks again at once
 * is a loop that takes the processor from all others: a refusal costs little, thousands do not.
 */
import type { ServerResponse } from 'node:http';
import type { Undo } from '../platform/clock.ts';
import { markHeldBack } from './under-way.ts';

/** How many refusals wait, and for how long. */
export interface RefusalLimits {
  readonly refusalMs: number;
  readonly refusalsOfOne: number;
  readonly refusals: number;
}

/** As many of one person as an address may have connections. */
export const usualRefusals: RefusalLimits = {
  refusalMs: 1000,
  refusalsOfOne: 256,
  refusals: 1024,
};

/** What holding them back needs. */
export interface HeldRefusalsParts {
  readonly limits: RefusalLimits;
  /** A timer that keeps no program running; that of the system when absent. */
  readonly after?: (delayMs: number, run: () => void) => Undo;
}

/** The refusals that wait, in one place for every route. */
export class HeldRefusals {
  readonly #parts: Required<HeldRefusalsParts>;
  readonly #waiting = new Set<() => void>();
  readonly #ofUsers = new Map<string, number>();
  #isOver = false;

  constructor({ limits, after = unheldTimer }: HeldRefusalsParts) {
    this.#parts = { limits, after };
  }

  /** How many wait. */
  get count(): number {
    return this.#waiting.size;
  }

  /**
   * Resolves after the wait, or when the client is gone or the server stops. False, at once: so many
   * wait that this one is answered now, as the last of its connection.
   */
  async hold(userId: string, reply: ServerResponse): Promise<boolean> {
    const { limits, after } = this.#parts;
    if (this.#isOver || limits.refusalMs === 0 || reply.destroyed) return true;
    const own = this.#ofUsers.get(userId) ?? 0;
    if (own >= limits.refusalsOfOne || this.#waiting.size >= limits.refusals) return false;
    this.#ofUsers.set(userId, own + 1);
    markHeldBack(reply);
    await new Promise<void>((resolve) => {
      const release = (): void => {
        stopTimer();
        reply.off('close', release);
        this.#waiting.delete(release);
        this.#giveBack(userId);
        resolve();
      };
      const stopTimer = after(limits.refusalMs, release);
      reply.once('close', release);
      this.#waiting.add(release);
    });
    return true;
  }

  #giveBack(userId: string): void {
    const left = (this.#ofUsers.get(userId) ?? 1) - 1;
    if (left > 0) this.#ofUsers.set(userId, left);
    else this.#ofUsers.delete(userId);
  }

  /** Answers all that wait, and holds back no more. */
  end(): void {
    this.#isOver = true;
    for (const release of this.#waiting) release();
  }
}

function unheldTimer(delayMs: number, run: () => void): Undo {
  const timer = setTimeout(run, delayMs).unref();
  return () => clearTimeout(timer);
}
