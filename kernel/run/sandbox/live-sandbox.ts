/**
 * One sandbox, as the kernel uses it: the calls in progress in both directions.
 *
 * Guarantees: every call is answered once and in time; an answer to an unknown call is dropped and
 * counted; after the end, nothing reaches the plugin's owner.
 */
import { createTokenBucket } from '../../../packages/lib/concurrency/index.ts';
import type { CallChain } from '../../call/call-chain.ts';
import type { DispatchViewer } from '../../call/dispatch-viewer.ts';
import { guestWords } from '../../foreign-text.ts';
import type { HostReply, PluginReply, PluginRequest } from '../../call/running-plugin.ts';
import { fitsChannel, type HostFrame, type KernelFrame } from './frames.ts';
import { limits } from './limits.ts';
import type { Ending, Sandbox, SandboxSpec, SandboxUsage } from './sandbox.ts';

interface OpenCall {
  readonly deadline: number;
  readonly timer: NodeJS.Timeout;
  readonly inputBytes: number;
  readonly viewer: DispatchViewer | null;
  readonly chain: CallChain | undefined;
  readonly resolve: (reply: PluginReply) => void;
  /** The stack of the error that ends it next. */
  stack: string | null;
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** Frames about one sandbox. */
export type SandboxFrame = Extract<KernelFrame, { readonly sandbox: number }>;

/** Measurements of a sandbox from outside. */
export type Measured = Pick<SandboxUsage, 'cpuMs' | 'pausedMs' | 'memoryBytes' | 'processBytes'>;

/** A sandbox may send twice the bytes of a second at once. */
const guestBytesRate = {
  capacity: 2 * limits.guestBytesPerSecond,
  refill: limits.guestBytesPerSecond,
  everyMs: 1000,
};

interface LiveSandboxParts {
  readonly id: number;
  readonly spec: SandboxSpec;
  readonly clock: () => number;
  readonly post: (frame: HostFrame) => void;
  readonly backlogBytes: () => number;
  readonly drop: () => void;
  /** Resolves when the isolate engine passed its self-test; no plugin counts as started before. */
  readonly verified: Promise<undefined>;
  /** Ends the isolate, or its process. */
  readonly stop: () => Promise<void>;
}

/** The kernel's side of one sandbox. */
export class LiveSandbox {
  readonly sandbox: Sandbox;
  readonly #parts: LiveSandboxParts;
  readonly #open = new Map<number, OpenCall>();
  readonly #hostCalls = new Set<number>();
  readonly #abort = new AbortController();
  readonly #start = Promise.withResolvers<undefined>();
  readonly #logLines: ReturnType<typeof createTokenBucket>;
  readonly #stacks: ReturnType<typeof createTokenBucket>;
  readonly #bytesOut: ReturnType<typeof createTokenBucket>;
  #nextCall = 1;
  #isStarted = false;
  #isOver = false;
  readonly #usage: Mutable<SandboxUsage> = {
    calls: 0,
    timeouts: 0,
    cpuMs: 0,
    pausedMs: 0,
    memoryBytes: 0,
    processBytes: 0,
    hostCalls: 0,
    bytesIn: 0,
    bytesOut: 0,
  };
  #recentCpuMs = 0;
  /** The input bytes of all open calls. */
  #inputBytes = 0;

  constructor(parts: LiveSandboxParts) {
    this.#parts = parts;
    this.#logLines = createTokenBucket(limits.logLineRate, parts.clock);
    this.#stacks = createTokenBucket(limits.stackRate, parts.clock);
    this.#bytesOut = createTokenBucket(guestBytesRate, parts.clock);
    this.sandbox = {
      pluginId: parts.spec.pluginId,
      call: this.#call,
      usage: () => ({ ...this.#usage }),
      stop: async () => {
        if (this.#isOver) return;
        this.end();
        await parts.stop();
      },
    };
  }

  readonly #call = (request: PluginRequest): Promise<PluginReply> => {
    const { spec, post, id, clock } = this.#parts;
    if (this.#isOver) return Promise.resolve({ kind: 'gone' });
    if (!fitsChannel(request.inputJson)) {
      return Promise.resolve(threw('too_large', 'The input of the call is above 8 MiB.'));
    }
    if (this.#isOverloaded()) {
      return Promise.resolve(threw('overloaded', 'Too many calls of the plugin are in flight.'));
    }
    this.#usage.calls += 1;
    this.#countBytes(request.inputJson.length, 0);
    this.#inputBytes += request.inputJson.length;
    const callId = this.#nextCall++;
    const { method, inputJson, timeoutMs, viewer = null, chain } = request;
    const shown = viewer === null ? '' : JSON.stringify(viewer.shownTo(spec.pluginId));
    post({
      kind: 'call',
      sandbox: id,
      call: callId,
      method,
      viewer: shown,
      timeoutMs,
      body: inputJson,
    });
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#giveUp(callId), timeoutMs);
      this.#open.set(callId, {
        deadline: clock() + timeoutMs,
        timer,
        inputBytes: inputJson.length,
        viewer,
        chain,
        resolve,
        stack: null,
      });
    });
  };

  #countBytes(more: number, moreOut: number): void {
    this.#usage.bytesIn += more;
    this.#usage.bytesOut += moreOut;
  }

  #isOverloaded(): boolean {
    return (
      this.#open.size >= limits.callsInFlight ||
      this.#inputBytes > limits.inputBytesInFlight ||
      this.#parts.backlogBytes() > limits.backlogBytes
    );
  }

  #giveUp(callId: number): void {
    this.#usage.timeouts += 1;
    this.#settle(callId, { kind: 'timed-out' });
    this.#parts.post({ kind: 'cancel', sandbox: this.#parts.id, call: callId });
  }

  #settle(callId: number, reply: PluginReply): void {
    const waiting = this.#open.get(callId);
    if (waiting === undefined) {
      this.#parts.drop();
      return;
    }
    this.#open.delete(callId);
    this.#inputBytes -= waiting.inputBytes;
    clearTimeout(waiting.timer);
    waiting.resolve(reply);
  }

  readonly receive = (frame: SandboxFrame): void => {
    if (this.#isOver) return;
    switch (frame.kind) {
      case 'started':
        this.#parts.verified.then(this.#admit, (error: unknown) => {
          this.end({ reason: 'exited', message: error instanceof Error ? error.message : '' });
        });
        return;
      case 'not-started':
        this.end({
          reason: 'exited',
          message: guestWords(frame.message, limits.messageLength),
          stack: frame.stack,
        });
        return;
      case 'returned':
        this.#countBytes(0, frame.body.length);
        this.#settle(frame.call, { kind: 'returned', body: frame.body });
        return;
      case 'threw':
        this.#settle(
          frame.call,
          threw(frame.code, frame.message, this.#open.get(frame.call)?.stack ?? null),
        );
        return;
      case 'stack': {
        const thrower = this.#open.get(frame.call);
        if (thrower === undefined) this.#parts.drop();
        else if (this.#stacks.take() === 0) thrower.stack = frame.text;
        return;
      }
      case 'unknown-handler':
        this.#settle(frame.call, { kind: 'unknown-handler' });
        return;
      case 'host-call':
        void this.#callHost(frame);
        return;
      case 'log':
        if (this.#logLines.take() === 0) {
          this.#parts.spec.onLog({
            level: frame.level,
            text: guestWords(frame.text, limits.logLineLength),
          });
        }
        return;
      case 'gone':
        this.end({
          reason: frame.reason,
          message: guestWords(frame.message, limits.messageLength),
        });
        return;
      case 'stopped':
        return;
    }
  };

  readonly #admit = (): void => {
    if (this.#isOver) return;
    this.#isStarted = true;
    this.#start.resolve(undefined);
  };

  async #callHost(frame: Extract<SandboxFrame, { kind: 'host-call' }>): Promise<void> {
    const { drop, spec, post, id } = this.#parts;
    const { call: callId, dispatch, service, method, as, body } = frame;
    if (this.#hostCalls.has(callId)) {
      drop();
      return;
    }
    this.#countBytes(0, body.length);
    const under = this.#open.get(dispatch);
    const tooMuch = this.#excessOf(body.length);
    if (under === undefined || tooMuch !== null) {
      const why = under
        ? { code: 'quota_exceeded', message: tooMuch ?? '' }
        : {
            code: 'no_call',
            message: 'The call into the plugin that made this host call has ended.',
          };
      spec.onRefused?.(`${service}.${method}`, why);
      this.#refuse(callId, why.code, why.message);
      return;
    }
    this.#usage.hostCalls += 1;
    this.#hostCalls.add(callId);
    const reply = await this.#askGate({
      service,
      method,
      body,
      viewer: under.viewer,
      ...(as !== '' && { as }),
      ...(under.chain && { chain: under.chain }),
    });
    this.#hostCalls.delete(callId);
    if (this.#isOver) return;
    if (reply.ok) this.#countBytes(reply.body.length, 0);
    if (!reply.ok) this.#refuse(callId, reply.code, reply.message);
    else if (fitsChannel(reply.body)) {
      post({ kind: 'answer', sandbox: id, call: callId, body: reply.body });
    } else this.#refuse(callId, 'too_large', 'The answer of the host is above 8 MiB.');
  }

  #excessOf(bytes: number): string | null {
    if (this.#hostCalls.size >= limits.hostCallsInFlight)
      return 'More than 64 host calls are in flight.';
    return this.#bytesOut.take(bytes) === 0 ? null : 'The plugin sends more than 64 MiB a second.';
  }

  /** A gate never rejects. If it did, the guest would still get an answer. */
  async #askGate(hostCall: Parameters<LiveSandboxParts['spec']['gate']>[0]): Promise<HostReply> {
    try {
      return await this.#parts.spec.gate(hostCall, this.#abort.signal);
    } catch {
      return { ok: false, code: 'service_unavailable', message: 'The host could not answer.' };
    }
  }

  #refuse(callId: number, code: string, message: string): void {
    this.#parts.post({
      kind: 'refusal',
      sandbox: this.#parts.id,
      call: callId,
      code: code.slice(0, limits.codeLength),
      message: message.slice(0, limits.messageLength),
    });
  }

  /** Ends it for the kernel; without `ending`, its owner requested it. */
  readonly end = (ending?: Ending): void => {
    if (this.#isOver) return;
    this.#isOver = true;
    const at = this.#parts.clock();
    for (const { deadline, timer, resolve } of this.#open.values()) {
      clearTimeout(timer);
      const isLate = deadline - at < limits.watchMs;
      if (isLate) this.#usage.timeouts += 1;
      resolve({ kind: isLate ? 'timed-out' : 'gone' });
    }
    this.#open.clear();
    this.#abort.abort();
    if (!this.#isStarted)
      this.#start.reject(new Error(ending?.message ?? 'It was stopped.', { cause: ending }));
    else if (ending !== undefined) this.#parts.spec.onGone(ending);
  };

  /** Resolves when the plugin may be called; rejects with a message that says why not. */
  get started() {
    return this.#start.promise;
  }

  readonly measure = (measured: Measured): void => {
    this.#recentCpuMs = measured.cpuMs - this.#usage.cpuMs;
    Object.assign(this.#usage, measured);
    if (!this.#isOver) this.#parts.spec.onMeasured?.();
  };

  /** Whether calls are in progress, and how much it has computed recently. */
  readonly burden = (): number => (this.#open.size === 0 ? -1 : this.#recentCpuMs);
}

export const createLiveSandbox = (parts: LiveSandboxParts): LiveSandbox => new LiveSandbox(parts);

function threw(code: string, message: string, stack: string | null = null): PluginReply {
  const isCode = /^[a-z0-9_]+$/.test(code);
  return {
    kind: 'threw',
    code: isCode ? code : 'plugin_error',
    message: guestWords(message, limits.messageLength),
    ...(stack !== null && { stack }),
  };
}
