import type { HostFrame, KernelFrame, MeasuredUsage } from './frames.ts';
import { createGuestQueue, type GuestQueue } from './guest-queue.ts';
import type { Engine } from './isolate.ts';
import { limits } from './limits.ts';
import type { Ending } from './sandbox.ts';

interface HostedGuestsParts {
  readonly engine: Engine;
  readonly capBytes: number;
  readonly clock: () => number;
  readonly rssBytes: () => number;
  /** The CPU time of the process so far. */
  readonly cpuMs: () => number;
  readonly post: (frame: KernelFrame) => void;
  readonly onLost: (sandbox: number, ending: Ending) => void;
}

/** All guests of one host process, and their watchdog. */
export class HostedGuests {
  readonly #parts: HostedGuestsParts;
  readonly #guests = new Map<number, GuestQueue>();
  /** Disposed guests whose thread has not returned yet. */
  readonly #leaving = new Map<number, GuestQueue>();
  #guestRuntime = '';
  #watchTimer: NodeJS.Timeout | undefined;
  /** Since when the process has been above its cap although a guest was ended for it. */
  #overCap: { readonly since: number; readonly sandbox: number } | undefined;

  constructor(parts: HostedGuestsParts) {
    this.#parts = parts;
  }

  readonly applyFrame = (frame: HostFrame): void => {
    switch (frame.kind) {
      case 'boot':
        this.#guestRuntime = String(frame.body);
        if (frame.selfTest) void this.#selfTest();
        return;
      case 'start':
        void this.#start(frame);
        return;
      case 'call':
        this.#guests.get(frame.sandbox)?.call(frame);
        this.#startWatch();
        return;
      case 'cancel':
        this.#guests.get(frame.sandbox)?.cancel(frame.call);
        return;
      case 'answer':
        this.#guests.get(frame.sandbox)?.answer(frame.call, frame.body);
        return;
      case 'refusal':
        this.#guests.get(frame.sandbox)?.refuse(frame.call, frame.code, frame.message);
        return;
      case 'stop':
        this.#guests.get(frame.sandbox)?.stop();
        this.#remove(frame.sandbox);
        this.#startWatch();
        this.#parts.post({ kind: 'stopped', sandbox: frame.sandbox });
        return;
      case 'beat':
        this.#parts.post({
          kind: 'beat',
          beat: frame.beat,
          usage: Array.from(this.#guests, measure),
        });
    }
  };

  async #selfTest(): Promise<void> {
    this.#parts.post({
      kind: 'self-tested',
      passed: await this.#parts.engine.selfTest(this.#parts.cpuMs),
    });
  }

  async #start(frame: Extract<HostFrame, { kind: 'start' }>): Promise<void> {
    const { engine, onLost, clock, post } = this.#parts;
    const { sandbox } = frame;
    try {
      const isolate = await engine.createIsolate({
        memoryMb: frame.memoryMb,
        wasm: frame.wasm,
        services: frame.services,
        guestRuntime: this.#guestRuntime,
        onSend: (framesJson, bodies) => this.#guests.get(sandbox)?.receive(framesJson, bodies),
        onCatastrophe: (message) => {
          onLost(sandbox, { reason: message.includes('memory') ? 'memory' : 'stuck', message });
        },
      });
      const guest = createGuestQueue({
        isolate,
        script: frame.body,
        cpuMsPerSecond: frame.cpuMsPerSecond,
        clock,
        report: (report) => post({ ...report, sandbox }),
        onGone: (ending) => {
          this.#remove(sandbox);
          post({ kind: 'gone', sandbox, ...ending, fatal: false });
        },
      });
      this.#guests.set(sandbox, guest);
      guest.enter();
      this.#startWatch();
    } catch (error) {
      const message = error instanceof Error ? error.message : 'The isolate could not be made.';
      const words = message.slice(0, limits.messageLength);
      post({ kind: 'not-started', sandbox, message: words, stack: '' });
    }
  }

  #remove(sandbox: number): void {
    const guest = this.#guests.get(sandbox);
    this.#guests.delete(sandbox);
    if (guest?.runsSince() !== undefined) this.#leaving.set(sandbox, guest);
  }

  #startWatch(): void {
    this.#watchTimer ??= setInterval(this.#watch, limits.watchMs);
  }

  /** Runs while a guest computes, and once more. */
  readonly #watch = (): void => {
    const at = this.#parts.clock();
    const cpuMs = this.#parts.cpuMs();
    let isBusy = false;
    for (const guest of this.#guests.values()) {
      if (guest.watch(at, cpuMs) !== 'idle') isBusy = true;
    }
    for (const [sandbox, guest] of this.#leaving) {
      const state = guest.watch(at, cpuMs);
      if (state === 'stuck') {
        this.#parts.onLost(sandbox, {
          reason: 'stuck',
          message: 'Runs code that nothing can interrupt.',
        });
        return;
      }
      if (state === 'idle') this.#leaving.delete(sandbox);
      else isBusy = true;
    }
    this.#watchMemory(at);
    if (isBusy || this.#overCap !== undefined) return;
    clearInterval(this.#watchTimer);
    this.#watchTimer = undefined;
  };

  /**
   * Above the cap the guest that has computed longest is ended. If that does not help at once, the
   * process ends within a quarter of a second.
   */
  #watchMemory(at: number): void {
    if (this.#parts.rssBytes() <= this.#parts.capBytes) {
      this.#overCap = undefined;
      return;
    }
    const ending: Ending = { reason: 'memory', message: 'Its process went over its memory cap.' };
    if (this.#overCap === undefined) {
      const sandbox = this.#longestRunning();
      this.#overCap = { since: at, sandbox };
      this.#guests.get(sandbox)?.end(ending);
    } else if (at - this.#overCap.since > limits.overCapMs) {
      this.#parts.onLost(this.#overCap.sandbox, ending);
    }
  }

  #longestRunning(): number {
    let first = Infinity;
    let longest = 0;
    for (const [sandbox, guest] of this.#guests) {
      const since = guest.runsSince() ?? Infinity;
      if (since >= first) continue;
      first = since;
      longest = sandbox;
    }
    return longest;
  }

  /** Lets every guest process its new frames; call it at the end of a batch. */
  readonly enterAll = (): void => {
    for (const guest of this.#guests.values()) guest.enter();
  };
}

/**
 * `onLost` is called for a guest that cannot end without the process: its thread keeps running after
 * its disposal, or V8 has lost it.
 */
export const createHostedGuests = (parts: HostedGuestsParts): HostedGuests =>
  new HostedGuests(parts);

function measure([sandbox, guest]: readonly [number, GuestQueue]): MeasuredUsage {
  return {
    sandbox,
    cpuMs: Math.round(guest.cpuMs()),
    pausedMs: Math.round(guest.pausedMs()),
    memoryBytes: guest.memoryBytes(),
  };
}
