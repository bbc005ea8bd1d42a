/**
 * The queue of one guest in its host process.
 *
 * Guarantees: one batch at a time enters an isolate, so batches form while it is busy; every entry
 * has a timeout; a frame whose call is over is dropped before it enters; without an open call, only
 * the next call enters. A guest that computes past its deadline is disposed. If that does not free
 * its thread, the process first reports the guest and then ends.
 */
import { createTokenBucket } from '../../packages/lib/concurrency/index.ts';
import type { Body } from '../running-plugin.ts';
import { digestOf } from './digest.ts';
import type { GuestReport, GuestRequest, HostFrame } from './frames.ts';
import { readGuestFrames } from './guest-frames.ts';
import type { GuestIsolate } from './isolate.ts';
import { limits } from './limits.ts';
import { createCpuThrottle } from './cpu-throttle.ts';
import type { Ending } from './sandbox.ts';

/** A frame that waits to enter. */
type Incoming =
  | { readonly kind: 'evaluate'; readonly body: Body }
  | {
      readonly kind: 'call';
      readonly call: number;
      readonly method: string;
      readonly viewer: string;
      readonly body: Body;
    }
  | { readonly kind: 'cancel'; readonly call: number }
  | { readonly kind: 'answer'; readonly call: number; readonly body: Body }
  | {
      readonly kind: 'refusal';
      readonly call: number;
      readonly code: string;
      readonly message: string;
    }
  | { readonly kind: 'wake' };

interface OpenCall {
  readonly deadline: number;
  isDelivered: boolean;
}

interface Entry {
  readonly startedAt: number;
  /** When it must be over. It moves forward when another call misses its deadline because of it. */
  deadline: number;
  /** When it was disposed, and the CPU time of the process then. Its thread has not returned yet. */
  disposal: { readonly at: number; readonly cpuMs: number } | undefined;
}

/** A guest, as its host process uses it. */
export type GuestQueue = ReturnType<typeof createGuestQueue>;

export function createGuestQueue(parts: {
  readonly isolate: GuestIsolate;
  readonly script: Body;
  readonly cpuMsPerSecond: number;
  readonly clock: () => number;
  readonly report: (report: GuestReport) => void;
  /** Called once, when the guest has ended by itself. */
  readonly onGone: (ending: Ending) => void;
}) {
  const { isolate, clock, report } = parts;
  const open = new Map<number, OpenCall>();
  let waiting: Incoming[] = [{ kind: 'evaluate', body: parts.script }];
  let entry: Entry | undefined;
  let isOver = false;
  let entrySize = 16;
  let wakeTimer: NodeJS.Timeout | undefined;
  let usedCpuMs = 0;
  let usedMemoryBytes = 0;
  /** Whether an entry followed the last measurement of memory. */
  let wasEntered = true;
  const throttle = createCpuThrottle(parts.cpuMsPerSecond, clock);
  const logLines = createTokenBucket(limits.logLineRate, clock);
  const stacks = createTokenBucket(limits.stackRate, clock);

  function put(frame: Incoming): void {
    if (!isOver) waiting.push(frame);
  }

  /** The next frames, without those whose call has ended meanwhile. */
  function take(): Incoming[] {
    const taken: Incoming[] = [];
    let index = 0;
    for (; index < waiting.length && taken.length < entrySize; index++) {
      const frame = waiting[index];
      if (frame !== undefined && isWanted(frame)) taken.push(frame);
    }
    waiting = waiting.slice(index);
    return taken;
  }

  function isWanted(frame: Incoming): boolean {
    switch (frame.kind) {
      case 'call': {
        const call = open.get(frame.call);
        if (call !== undefined) call.isDelivered = true;
        return call !== undefined;
      }
      case 'answer':
      case 'refusal':
      case 'wake':
        return open.size > 0;
      case 'evaluate':
      case 'cancel':
        return true;
    }
  }

  /** Starts an entry with the frames that wait. */
  function enter(): void {
    if (isOver || entry !== undefined || waiting.length === 0) return;
    const pauseMs = throttle.pauseMs();
    if (pauseMs > 0) {
      throttle.later(pauseMs, enter);
      return;
    }
    const frames = take();
    if (frames.length > 0) void run(frames);
  }

  async function run(frames: readonly Incoming[]): Promise<void> {
    const startedAt = clock();
    const timeoutMs = timeoutFor(frames, startedAt);
    entry = { startedAt, deadline: startedAt + timeoutMs, disposal: undefined };
    const bodies: Body[] = [];
    const heads = frames.map((frame) => {
      if (!('body' in frame)) return frame;
      bodies.push(frame.body);
      return { ...frame, body: true };
    });
    const ending = await isolate.enter(JSON.stringify(heads), bodies, timeoutMs);
    entry = undefined;
    wasEntered = true;
    if (isOver) return;
    countCpu();
    entrySize =
      clock() - startedAt > limits.longEntryMs
        ? Math.max(1, entrySize >> 1)
        : Math.min(limits.framesPerEntry, entrySize * 2);
    switch (ending.kind) {
      case 'done':
        break;
      case 'rejection':
        report({
          kind: 'log',
          level: 'error',
          text: `Unhandled rejection: ${ending.message}`.slice(0, limits.logLineLength),
        });
        break;
      case 'timeout':
        end({ reason: 'cpu', message: `Computed for ${Math.ceil(timeoutMs)} ms without a pause.` });
        return;
      case 'memory':
        end({ reason: 'memory', message: 'Went over its memory limit.' });
        return;
    }
    enter();
  }

  /**
   * A new call may use its remaining time, and a continuation the remaining time of any open call.
   * Each gets at least a second, so that a long wait of a call does not end a fast plugin.
   */
  function timeoutFor(frames: readonly Incoming[], at: number): number {
    let deadline = at + limits.entryMs;
    for (const frame of frames) deadline = Math.max(deadline, deadlineFor(frame, at));
    return Math.ceil(deadline - at);
  }

  function deadlineFor(frame: Incoming, at: number): number {
    switch (frame.kind) {
      case 'evaluate':
        return at + limits.evaluationMs;
      case 'call':
        return open.get(frame.call)?.deadline ?? at;
      case 'cancel':
        return at;
      case 'answer':
      case 'refusal':
      case 'wake':
        return Math.max(at, ...Array.from(open.values(), ({ deadline }) => deadline));
    }
  }

  function countCpu(): void {
    const cpuMs = isolate.cpuMs();
    throttle.spend(cpuMs - usedCpuMs);
    usedCpuMs = cpuMs;
  }

  function close(call: number): OpenCall | undefined {
    const ended = open.get(call);
    open.delete(call);
    if (open.size === 0) {
      clearTimeout(wakeTimer);
      hurry();
    }
    return ended;
  }

  function cancel(call: number): void {
    const cancelled = close(call);
    if (cancelled?.isDelivered !== true) return;
    put({ kind: 'cancel', call });
    hurry();
  }

  /** Shortens the present entry: its call is over, or it delays the answer of another call. */
  function hurry(): void {
    if (entry === undefined) return;
    const latest = Math.max(clock(), entry.startedAt + limits.overrunMs);
    entry.deadline = Math.min(entry.deadline, latest);
  }

  function dispose(): void {
    isOver = true;
    waiting = [];
    open.clear();
    clearTimeout(wakeTimer);
    throttle.stop();
    isolate.dispose();
  }

  function end(ending: Ending): void {
    if (isOver) return;
    if (!entry) countCpu();
    dispose();
    parts.onGone(ending);
  }

  function receive(framesJson: string, bodies: readonly unknown[]): void {
    if (isOver) return;
    for (const frame of readGuestFrames(framesJson, bodies)) {
      if (frame.kind === 'too-large') refuseLarge(frame.call);
      else applyFrame(frame);
    }
  }

  /** Refuses a result or input that is within the limit in characters but not in bytes. */
  function refuseLarge(call: number): void {
    const message = 'The body is above 8 MiB.';
    if (close(call)) report({ kind: 'threw', call, code: 'too_large', message });
    else put({ kind: 'refusal', call, code: 'too_large', message });
  }

  function applyFrame(frame: GuestReport | GuestRequest): void {
    switch (frame.kind) {
      case 'wake':
        clearTimeout(wakeTimer);
        wakeTimer = setTimeout(() => {
          put({ kind: 'wake' });
          enter();
        }, frame.ms);
        return;
      case 'digest':
        digest(frame);
        return;
      case 'returned':
      case 'threw':
      case 'unknown-handler':
        if (close(frame.call) !== undefined) report(frame);
        return;
      case 'started':
      case 'not-started':
      case 'host-call':
        report(frame);
        return;
      case 'stack':
        if (stacks.take() === 0) report(frame);
        return;
      case 'log':
        // The kernel keeps no more lines per second, so it need not read the others.
        if (logLines.take() === 0) report(frame);
    }
  }

  /** The process computes it for the guest, so it counts against the guest's share. */
  function digest(request: Extract<GuestRequest, { kind: 'digest' }>): void {
    const startedAt = clock();
    put(digestOf(request));
    throttle.spend(clock() - startedAt);
    enter();
  }

  /**
   * Checks an entry that should be over. `stuck`: its thread is lost. `cpuMs` is the CPU time of
   * the whole process, which tells a lost thread from one that waits for a processor.
   */
  function watch(at: number, cpuMs: number): 'idle' | 'busy' | 'stuck' {
    if (entry === undefined) return 'idle';
    if (entry.disposal !== undefined) return isLost(entry.disposal, at, cpuMs) ? 'stuck' : 'busy';
    if (isOver || at - entry.deadline > limits.graceMs) entry.disposal = { at, cpuMs };
    if (entry.disposal !== undefined) {
      end({ reason: 'cpu', message: 'Went on computing past the deadline of its call.' });
    }
    return 'busy';
  }

  return {
    call: ({
      call,
      method,
      viewer,
      timeoutMs,
      body,
    }: Pick<
      Extract<HostFrame, { kind: 'call' }>,
      'call' | 'method' | 'viewer' | 'timeoutMs' | 'body'
    >): void => {
      if (isOver) return;
      open.set(call, { deadline: clock() + timeoutMs, isDelivered: false });
      put({ kind: 'call', call, method, viewer, body });
    },
    cancel,
    answer: (call: number, body: Body): void => put({ kind: 'answer', call, body }),
    refuse: (call: number, code: string, message: string): void =>
      put({ kind: 'refusal', call, code, message }),
    enter,
    receive,
    watch,
    end,
    stop: (): void => {
      if (!isOver) dispose();
    },
    /** The sum of its pauses for its share of the processor. */
    pausedMs: throttle.pausedMs,
    cpuMs: (): number => (isOver ? usedCpuMs : Math.max(usedCpuMs, isolate.cpuMs())),
    memoryBytes: (): number => {
      if (!isOver && entry === undefined && wasEntered) {
        wasEntered = false;
        void isolate.memoryBytes().then(
          (bytes) => (usedMemoryBytes = bytes),
          () => undefined,
        );
      }
      return usedMemoryBytes;
    },
    /** When the present entry began. */
    runsSince: (): number | undefined => entry?.startedAt,
  };
}

/** A thread that keeps computing is lost soon; one that is only slow to return gets longer. */
function isLost(
  disposal: { readonly at: number; readonly cpuMs: number },
  at: number,
  cpuMs: number,
): boolean {
  const waitedMs = at - disposal.at;
  if (waitedMs <= limits.graceMs) return false;
  return cpuMs - disposal.cpuMs > limits.graceMs / 2 || waitedMs > limits.lostMs;
}
