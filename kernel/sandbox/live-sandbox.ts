/**
 * One sandbox, as the kernel uses it: the calls in progress in both directions.
 *
 * Guarantees: every call is answered once and in time; an answer to an unknown call is dropped and
 * counted; after the end, nothing reaches the plugin's owner.
 */
import { createTokenBucket } from '../../packages/lib/concurrency/index.ts';
import type { CallChain } from '../call-chain.ts';
import type { DispatchViewer } from '../dispatch-viewer.ts';
import { guestWords } from '../foreign-text.ts';
import type { HostReply, PluginReply, PluginRequest } from '../running-plugin.ts';
import { fitsChannel, type HostFrame, type KernelFrame } from './frames.ts';
import { limits } from './limits.ts';
import type { Ending, SandboxSpec, SandboxUsage } from './sandbox.ts';

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

/** The kernel's side of one sandbox. */
export type LiveSandbox = ReturnType<typeof createLiveSandbox>;

/** A sandbox may send twice the bytes of a second at once. */
const guestBytesRate = {
  capacity: 2 * limits.guestBytesPerSecond,
  refill: limits.guestBytesPerSecond,
  everyMs: 1000,
};

export function createLiveSandbox(parts: {
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
}) {
  const { id, spec, clock, post, drop } = parts;
  const open = new Map<number, OpenCall>();
  const hostCalls = new Set<number>();
  const abort = new AbortController();
  const start = Promise.withResolvers<undefined>();
  const logLines = createTokenBucket(limits.logLineRate, clock);
  const stacks = createTokenBucket(limits.stackRate, clock);
  const bytesOut = createTokenBucket(guestBytesRate, clock);
  let nextCall = 1;
  let isStarted = false;
  let isOver = false;
  const usage: Mutable<SandboxUsage> = {
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
  let recentCpuMs = 0;
  /** The input bytes of all open calls. */
  let inputBytes = 0;

  function call(request: PluginRequest): Promise<PluginReply> {
    if (isOver) return Promise.resolve({ kind: 'gone' });
    if (!fitsChannel(request.inputJson)) {
      return Promise.resolve(threw('too_large', 'The input of the call is above 8 MiB.'));
    }
    if (isOverloaded()) {
      return Promise.resolve(threw('overloaded', 'Too many calls of the plugin are in flight.'));
    }
    usage.calls += 1;
    countBytes(request.inputJson.length, 0);
    inputBytes += request.inputJson.length;
    const callId = nextCall++;
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
      const timer = setTimeout(() => giveUp(callId), timeoutMs);
      open.set(callId, {
        deadline: clock() + timeoutMs,
        timer,
        inputBytes: inputJson.length,
        viewer,
        chain,
        resolve,
        stack: null,
      });
    });
  }

  function countBytes(more: number, moreOut: number): void {
    usage.bytesIn += more;
    usage.bytesOut += moreOut;
  }

  function isOverloaded(): boolean {
    return (
      open.size >= limits.callsInFlight ||
      inputBytes > limits.inputBytesInFlight ||
      parts.backlogBytes() > limits.backlogBytes
    );
  }

  function giveUp(callId: number): void {
    usage.timeouts += 1;
    settle(callId, { kind: 'timed-out' });
    post({ kind: 'cancel', sandbox: id, call: callId });
  }

  function settle(callId: number, reply: PluginReply): void {
    const waiting = open.get(callId);
    if (waiting === undefined) {
      drop();
      return;
    }
    open.delete(callId);
    inputBytes -= waiting.inputBytes;
    clearTimeout(waiting.timer);
    waiting.resolve(reply);
  }

  function receive(frame: SandboxFrame): void {
    if (isOver) return;
    switch (frame.kind) {
      case 'started':
        parts.verified.then(admit, (error: unknown) => {
          end({ reason: 'exited', message: error instanceof Error ? error.message : '' });
        });
        return;
      case 'not-started':
        end({
          reason: 'exited',
          message: guestWords(frame.message, limits.messageLength),
          stack: frame.stack,
        });
        return;
      case 'returned':
        countBytes(0, frame.body.length);
        settle(frame.call, { kind: 'returned', body: frame.body });
        return;
      case 'threw':
        settle(frame.call, threw(frame.code, frame.message, open.get(frame.call)?.stack ?? null));
        return;
      case 'stack': {
        const thrower = open.get(frame.call);
        if (thrower === undefined) drop();
        else if (stacks.take() === 0) thrower.stack = frame.text;
        return;
      }
      case 'unknown-handler':
        settle(frame.call, { kind: 'unknown-handler' });
        return;
      case 'host-call':
        void callHost(frame);
        return;
      case 'log':
        if (logLines.take() === 0) {
          spec.onLog({ level: frame.level, text: guestWords(frame.text, limits.logLineLength) });
        }
        return;
      case 'gone':
        end({ reason: frame.reason, message: guestWords(frame.message, limits.messageLength) });
        return;
      case 'stopped':
        return;
    }
  }

  function admit(): void {
    if (isOver) return;
    isStarted = true;
    start.resolve(undefined);
  }

  async function callHost(frame: Extract<SandboxFrame, { kind: 'host-call' }>): Promise<void> {
    const { call: callId, dispatch, service, method, body } = frame;
    if (hostCalls.has(callId)) {
      drop();
      return;
    }
    countBytes(0, body.length);
    const under = open.get(dispatch);
    const tooMuch = excessOf(body.length);
    if (under === undefined || tooMuch !== null) {
      const why = under
        ? { code: 'quota_exceeded', message: tooMuch ?? '' }
        : {
            code: 'no_call',
            message: 'The call into the plugin that made this host call has ended.',
          };
      spec.onRefused?.(`${service}.${method}`, why);
      refuse(callId, why.code, why.message);
      return;
    }
    usage.hostCalls += 1;
    hostCalls.add(callId);
    const reply = await askGate({
      service,
      method,
      body,
      viewer: under.viewer,
      ...(under.chain && { chain: under.chain }),
    });
    hostCalls.delete(callId);
    if (isOver) return;
    if (reply.ok) countBytes(reply.body.length, 0);
    if (!reply.ok) refuse(callId, reply.code, reply.message);
    else if (fitsChannel(reply.body)) {
      post({ kind: 'answer', sandbox: id, call: callId, body: reply.body });
    } else refuse(callId, 'too_large', 'The answer of the host is above 8 MiB.');
  }

  function excessOf(bytes: number): string | null {
    if (hostCalls.size >= limits.hostCallsInFlight) return 'More than 64 host calls are in flight.';
    return bytesOut.take(bytes) === 0 ? null : 'The plugin sends more than 64 MiB a second.';
  }

  /** A gate never rejects. If it did, the guest would still get an answer. */
  async function askGate(hostCall: Parameters<typeof spec.gate>[0]): Promise<HostReply> {
    try {
      return await spec.gate(hostCall, abort.signal);
    } catch {
      return { ok: false, code: 'service_unavailable', message: 'The host could not answer.' };
    }
  }

  function refuse(callId: number, code: string, message: string): void {
    post({
      kind: 'refusal',
      sandbox: id,
      call: callId,
      code: code.slice(0, limits.codeLength),
      message: message.slice(0, limits.messageLength),
    });
  }

  /** Ends it for the kernel; without `ending`, its owner requested it. */
  function end(ending?: Ending): void {
    if (isOver) return;
    isOver = true;
    const at = clock();
    for (const { deadline, timer, resolve } of open.values()) {
      clearTimeout(timer);
      const isLate = deadline - at < limits.watchMs;
      if (isLate) usage.timeouts += 1;
      resolve({ kind: isLate ? 'timed-out' : 'gone' });
    }
    open.clear();
    abort.abort();
    if (!isStarted)
      start.reject(new Error(ending?.message ?? 'It was stopped.', { cause: ending }));
    else if (ending !== undefined) spec.onGone(ending);
  }

  return {
    sandbox: {
      pluginId: spec.pluginId,
      call,
      usage: () => ({ ...usage }),
      stop: async () => {
        if (isOver) return;
        end();
        await parts.stop();
      },
    },
    /** Resolves when the plugin may be called; rejects with a message that says why not. */
    started: start.promise,
    receive,
    measure: (measured: Measured): void => {
      recentCpuMs = measured.cpuMs - usage.cpuMs;
      Object.assign(usage, measured);
      if (!isOver) spec.onMeasured?.();
    },
    /** Whether calls are in progress, and how much it has computed recently. */
    burden: (): number => (open.size === 0 ? -1 : recentCpuMs),
    end,
  };
}

function threw(code: string, message: string, stack: string | null = null): PluginReply {
  const isCode = /^[a-z0-9_]+$/.test(code);
  return {
    kind: 'threw',
    code: isCode ? code : 'plugin_error',
    message: guestWords(message, limits.messageLength),
    ...(stack !== null && { stack }),
  };
}
