import type { HostFrame, KernelFrame, MeasuredUsage } from './frames.ts';
import { createGuestQueue, type GuestQueue } from './guest-queue.ts';
import type { Engine } from './isolate.ts';
import { limits } from './limits.ts';
import type { Ending } from './sandbox.ts';

/** All guests of one host process, and their watchdog. */
export type HostedGuests = ReturnType<typeof createHostedGuests>;

/**
 * `onLost` is called for a guest that cannot end without the process: its thread keeps running after
 * its disposal, or V8 has lost it.
 */
export function createHostedGuests(parts: {
  readonly engine: Engine;
  readonly capBytes: number;
  readonly clock: () => number;
  readonly rssBytes: () => number;
  /** The CPU time of the process so far. */
  readonly cpuMs: () => number;
  readonly post: (frame: KernelFrame) => void;
  readonly onLost: (sandbox: number, ending: Ending) => void;
}) {
  const { engine, post, clock, onLost } = parts;
  const guests = new Map<number, GuestQueue>();
  /** Disposed guests whose thread has not returned yet. */
  const leaving = new Map<number, GuestQueue>();
  let guestRuntime = '';
  let watchTimer: NodeJS.Timeout | undefined;
  /** Since when the process has been above its cap although a guest was ended for it. */
  let overCap: { readonly since: number; readonly sandbox: number } | undefined;

  function applyFrame(frame: HostFrame): void {
    switch (frame.kind) {
      case 'boot':
        guestRuntime = String(frame.body);
        if (frame.selfTest) void selfTest();
        return;
      case 'start':
        void start(frame);
        return;
      case 'call':
        guests.get(frame.sandbox)?.call(frame);
        startWatch();
        return;
      case 'cancel':
        guests.get(frame.sandbox)?.cancel(frame.call);
        return;
      case 'answer':
        guests.get(frame.sandbox)?.answer(frame.call, frame.body);
        return;
      case 'refusal':
        guests.get(frame.sandbox)?.refuse(frame.call, frame.code, frame.message);
        return;
      case 'stop':
        guests.get(frame.sandbox)?.stop();
        remove(frame.sandbox);
        startWatch();
        post({ kind: 'stopped', sandbox: frame.sandbox });
        return;
      case 'beat':
        post({ kind: 'beat', beat: frame.beat, usage: Array.from(guests, measure) });
    }
  }

  async function selfTest(): Promise<void> {
    post({ kind: 'self-tested', passed: await engine.selfTest(parts.cpuMs) });
  }

  async function start(frame: Extract<HostFrame, { kind: 'start' }>): Promise<void> {
    const { sandbox } = frame;
    try {
      const isolate = await engine.createIsolate({
        memoryMb: frame.memoryMb,
        wasm: frame.wasm,
        services: frame.services,
        guestRuntime,
        onSend: (framesJson, bodies) => guests.get(sandbox)?.receive(framesJson, bodies),
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
          remove(sandbox);
          post({ kind: 'gone', sandbox, ...ending, fatal: false });
        },
      });
      guests.set(sandbox, guest);
      guest.enter();
      startWatch();
    } catch (error) {
      const message = error instanceof Error ? error.message : 'The isolate could not be made.';
      const words = message.slice(0, limits.messageLength);
      post({ kind: 'not-started', sandbox, message: words, stack: '' });
    }
  }

  function remove(sandbox: number): void {
    const guest = guests.get(sandbox);
    guests.delete(sandbox);
    if (guest?.runsSince() !== undefined) leaving.set(sandbox, guest);
  }

  function startWatch(): void {
    watchTimer ??= setInterval(watch, limits.watchMs);
  }

  /** Runs while a guest computes, and once more. */
  function watch(): void {
    const at = clock();
    const cpuMs = parts.cpuMs();
    let isBusy = false;
    for (const guest of guests.values()) {
      if (guest.watch(at, cpuMs) !== 'idle') isBusy = true;
    }
    for (const [sandbox, guest] of leaving) {
      const state = guest.watch(at, cpuMs);
      if (state === 'stuck') {
        onLost(sandbox, { reason: 'stuck', message: 'Runs code that nothing can interrupt.' });
        return;
      }
      if (state === 'idle') leaving.delete(sandbox);
      else isBusy = true;
    }
    watchMemory(at);
    if (isBusy || overCap !== undefined) return;
    clearInterval(watchTimer);
    watchTimer = undefined;
  }

  /**
   * Above the cap the guest that has computed longest is ended. If that does not help at once, the
   * process ends within a quarter of a second.
   */
  function watchMemory(at: number): void {
    if (parts.rssBytes() <= parts.capBytes) {
      overCap = undefined;
      return;
    }
    const ending: Ending = { reason: 'memory', message: 'Its process went over its memory cap.' };
    if (overCap === undefined) {
      const sandbox = longestRunning();
      overCap = { since: at, sandbox };
      guests.get(sandbox)?.end(ending);
    } else if (at - overCap.since > limits.overCapMs) {
      onLost(overCap.sandbox, ending);
    }
  }

  function longestRunning(): number {
    let first = Infinity;
    let longest = 0;
    for (const [sandbox, guest] of guests) {
      const since = guest.runsSince() ?? Infinity;
      if (since >= first) continue;
      first = since;
      longest = sandbox;
    }
    return longest;
  }

  return {
    applyFrame,
    /** Lets every guest process its new frames; call it at the end of a batch. */
    enterAll: (): void => {
      for (const guest of guests.values()) guest.enter();
    },
  };
}

function measure([sandbox, guest]: readonly [number, GuestQueue]): MeasuredUsage {
  return {
    sandbox,
    cpuMs: Math.round(guest.cpuMs()),
    pausedMs: Math.round(guest.pausedMs()),
    memoryBytes: guest.memoryBytes(),
  };
}
