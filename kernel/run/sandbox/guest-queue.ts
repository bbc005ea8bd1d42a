/**
 * The queue of one guest in its host process.
 *
 * Guarantees: one batch at a time enters an isolate, so batches form while it is busy; every entry
 * has a timeout; a frame whose call is over is dropped before it enters; without an open call, only
 * the next call enters. A guest that computes past its deadline is disposed. If that does not free
 * its thread, the process first reports the guest and then ends.
 */
import { createTokenBucket } from '../../../packages/lib/concurrency/index.ts';
import type { Body } from '../../call/running-plugin.ts';
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

interface GuestQueueParts {
  readonly isolate: GuestIsolate;
  readonly script: Body;
  readonly cpuMsPerSecond: number;
  readonly clock: () => number;
  readonly report: (report: GuestReport) => void;
  /** Called once, when the guest has ended by itself. */
  readonly onGone: (ending: Ending) => void;
}

/** A guest, as its host process uses it. */
export class GuestQueue {
  readonly #parts: GuestQueueParts;
  readonly #open = new Map<number, OpenCall>();
  #waiting: Incoming[];
  #entry: Entry | undefined;
  #isOver = false;
  #entrySize = 16;
  #wakeTimer: NodeJS.Timeout | undefined;
  #usedCpuMs = 0;
  #usedMemoryBytes = 0;
  /** Whether an entry followed the last measurement of memory. */
  #wasEntered = true;
  readonly #throttle: ReturnType<typeof createCpuThrottle>;
  readonly #logLines: ReturnType<typeof createTokenBucket>;
  readonly #stacks: ReturnType<typeof createTokenBucket>;

  constructor(parts: GuestQueueParts) {
    this.#parts = parts;
    this.#waiting = [{ kind: 'evaluate', body: parts.script }];
    this.#throttle = createCpuThrottle(parts.cpuMsPerSecond, parts.clock);
    this.#logLines = createTokenBucket(limits.logLineRate, parts.clock);
    this.#stacks = createTokenBucket(limits.stackRate, parts.clock);
  }

  #put(frame: Incoming): void {
    if (!this.#isOver) this.#waiting.push(frame);
  }

  /** The next frames, without those whose call has ended meanwhile. */
  #take(): Incoming[] {
    const taken: Incoming[] = [];
    let index = 0;
    for (; index < this.#waiting.length && taken.length < this.#entrySize; index++) {
      const frame = this.#waiting[index];
      if (frame !== undefined && this.#isWanted(frame)) taken.push(frame);
    }
    this.#waiting = this.#waiting.slice(index);
    return taken;
  }

  #isWanted(frame: Incoming): boolean {
    switch (frame.kind) {
      case 'call': {
        const call = this.#open.get(frame.call);
        if (call !== undefined) call.isDelivered = true;
        return call !== undefined;
      }
      case 'answer':
      case 'refusal':
      case 'wake':
        return this.#open.size > 0;
      case 'evaluate':
      case 'cancel':
        return true;
    }
  }

  /** Starts an entry with the frames that wait. */
  readonly enter = (): void => {
    if (this.#isOver || this.#entry !== undefined || this.#waiting.length === 0) return;
    const pauseMs = this.#throttle.pauseMs();
    if (pauseMs > 0) {
      this.#throttle.later(pauseMs, this.enter);
      return;
    }
    const frames = this.#take();
    if (frames.length > 0) void this.#run(frames);
  };

  async #run(frames: readonly Incoming[]): Promise<void> {
    const { clock, isolate, report } = this.#parts;
    const startedAt = clock();
    const timeoutMs = this.#timeoutFor(frames, startedAt);
    this.#entry = { startedAt, deadline: startedAt + timeoutMs, disposal: undefined };
    const bodies: Body[] = [];
    const heads = frames.map((frame) => {
      if (!('body' in frame)) return frame;
      bodies.push(frame.body);
      return { ...frame, body: true };
    });
    const ending = await isolate.enter(JSON.stringify(heads), bodies, timeoutMs);
    this.#entry = undefined;
    this.#wasEntered = true;
    if (this.#isOver) return;
    this.#countCpu();
    this.#entrySize =
      clock() - startedAt > limits.longEntryMs
        ? Math.max(1, this.#entrySize >> 1)
        : Math.min(limits.framesPerEntry, this.#entrySize * 2);
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
        this.end({
          reason: 'cpu',
          message: `Computed for ${Math.ceil(timeoutMs)} ms without a pause.`,
        });
        return;
      case 'memory':
        this.end({ reason: 'memory', message: 'Went over its memory limit.' });
        return;
    }
    this.enter();
  }

  /**
   * A new call may use its remaining time, and a continuation the remaining time of any open call.
   * Each gets at least a second, so that a long wait of a call does not end a fast plugin.
   */
  #timeoutFor(frames: readonly Incoming[], at: number): number {
    let deadline = at + limits.entryMs;
    for (const frame of frames) deadline = Math.max(deadline, this.#deadlineFor(frame, at));
    return Math.ceil(deadline - at);
  }

  #deadlineFor(frame: Incoming, at: number): number {
    switch (frame.kind) {
      case 'evaluate':
        return at + limits.evaluationMs;
      case 'call':
        return this.#open.get(frame.call)?.deadline ?? at;
      case 'cancel':
        return at;
      case 'answer':
      case 'refusal':
      case 'wake':
        return Math.max(at, ...Array.from(this.#open.values(), ({ deadline }) => deadline));
    }
  }

  #countCpu(): void {
    const cpuMs = this.#parts.isolate.cpuMs();
    this.#throttle.spend(cpuMs - this.#usedCpuMs);
    this.#usedCpuMs = cpuMs;
  }

  #close(call: number): OpenCall | undefined {
    const ended = this.#open.get(call);
    this.#open.delete(call);
    if (this.#open.size === 0) {
      clearTimeout(this.#wakeTimer);
      this.#hurry();
    }
    return ended;
  }

  readonly cancel = (call: number): void => {
    const cancelled = this.#close(call);
    if (cancelled?.isDelivered !== true) return;
    this.#put({ kind: 'cancel', call });
    this.#hurry();
  };

  /** Shortens the present entry: its call is over, or it delays the answer of another call. */
  #hurry(): void {
    if (this.#entry === undefined) return;
    const latest = Math.max(this.#parts.clock(), this.#entry.startedAt + limits.overrunMs);
    this.#entry.deadline = Math.min(this.#entry.deadline, latest);
  }

  #dispose(): void {
    this.#isOver = true;
    this.#waiting = [];
    this.#open.clear();
    clearTimeout(this.#wakeTimer);
    this.#throttle.stop();
    this.#parts.isolate.dispose();
  }

  readonly end = (ending: Ending): void => {
    if (this.#isOver) return;
    if (!this.#entry) this.#countCpu();
    this.#dispose();
    this.#parts.onGone(ending);
  };

  readonly receive = (framesJson: string, bodies: readonly unknown[]): void => {
    if (this.#isOver) return;
    for (const frame of readGuestFrames(framesJson, bodies)) {
      if (frame.kind === 'too-large') this.#refuseLarge(frame.call);
      else this.#applyFrame(frame);
    }
  };

  /** Refuses a result or input that is within the limit in characters but not in bytes. */
  #refuseLarge(call: number): void {
    const message = 'The body is above 8 MiB.';
    if (this.#close(call)) this.#parts.report({ kind: 'threw', call, code: 'too_large', message });
    else this.#put({ kind: 'refusal', call, code: 'too_large', message });
  }

  #applyFrame(frame: GuestReport | GuestRequest): void {
    switch (frame.kind) {
      case 'wake':
        clearTimeout(this.#wakeTimer);
        this.#wakeTimer = setTimeout(() => {
          this.#put({ kind: 'wake' });
          this.enter();
        }, frame.ms);
        return;
      case 'digest':
        this.#digest(frame);
        return;
      case 'returned':
      case 'threw':
      case 'unknown-handler':
        if (this.#close(frame.call) !== undefined) this.#parts.report(frame);
        return;
      case 'started':
      case 'not-started':
      case 'host-call':
        this.#parts.report(frame);
        return;
      case 'stack':
        if (this.#stacks.take() === 0) this.#parts.report(frame);
        return;
      case 'log':
        // The kernel keeps no more lines per second, so it need not read the others.
        if (this.#logLines.take() === 0) this.#parts.report(frame);
    }
  }

  /** The process computes it for the guest, so it counts against the guest's share. */
  #digest(request: Extract<GuestRequest, { kind: 'digest' }>): void {
    const startedAt = this.#parts.clock();
    this.#put(digestOf(request));
    this.#throttle.spend(this.#parts.clock() - startedAt);
    this.enter();
  }

  /**
   * Checks an entry that should be over. `stuck`: its thread is lost. `cpuMs` is the CPU time of
   * the whole process, which tells a lost thread from one that waits for a processor.
   */
  readonly watch = (at: number, cpuMs: number): 'idle' | 'busy' | 'stuck' => {
    if (this.#entry === undefined) return 'idle';
    if (this.#entry.disposal !== undefined)
      return isLost(this.#entry.disposal, at, cpuMs) ? 'stuck' : 'busy';
    if (this.#isOver || at - this.#entry.deadline > limits.graceMs)
      this.#entry.disposal = { at, cpuMs };
    if (this.#entry.disposal !== undefined) {
      this.end({ reason: 'cpu', message: 'Went on computing past the deadline of its call.' });
    }
    return 'busy';
  };

  readonly call = ({
    call,
    method,
    viewer,
    timeoutMs,
    body,
  }: Pick<
    Extract<HostFrame, { kind: 'call' }>,
    'call' | 'method' | 'viewer' | 'timeoutMs' | 'body'
  >): void => {
    if (this.#isOver) return;
    this.#open.set(call, { deadline: this.#parts.clock() + timeoutMs, isDelivered: false });
    this.#put({ kind: 'call', call, method, viewer, body });
  };

  readonly answer = (call: number, body: Body): void => this.#put({ kind: 'answer', call, body });

  readonly refuse = (call: number, code: string, message: string): void =>
    this.#put({ kind: 'refusal', call, code, message });

  readonly stop = (): void => {
    if (!this.#isOver) this.#dispose();
  };

  /** The sum of its pauses for its share of the processor. */
  readonly pausedMs = (): number => this.#throttle.pausedMs();

  readonly cpuMs = (): number =>
    this.#isOver ? this.#usedCpuMs : Math.max(this.#usedCpuMs, this.#parts.isolate.cpuMs());

  readonly memoryBytes = (): number => {
    if (!this.#isOver && this.#entry === undefined && this.#wasEntered) {
      this.#wasEntered = false;
      void this.#parts.isolate.memoryBytes().then(
        (bytes) => (this.#usedMemoryBytes = bytes),
        () => undefined,
      );
    }
    return this.#usedMemoryBytes;
  };

  /** When the present entry began. */
  readonly runsSince = (): number | undefined => this.#entry?.startedAt;
}

export const createGuestQueue = (parts: GuestQueueParts): GuestQueue => new GuestQueue(parts);

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
