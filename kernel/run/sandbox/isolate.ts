/**
 * The only file that uses isolated-vm; it runs in plugin-host processes only. The native module is
 * loaded from its one file, so the process needs to read no others.
 *
 * Rules of the boundary: no object of isolated-vm is reachable inside; the guest gets one function
 * (`ignored`: it returns nothing and cannot throw into the guest) and text or bytes; all guest code
 * runs asynchronously under a timeout; results and errors of guests are never converted here, because
 * that would run their getters after the timeout.
 */
import type ivm from 'isolated-vm';
import { randomBytes } from 'node:crypto';
import type { Body } from '../../call/running-plugin.ts';
import { limits } from './limits.ts';

/** How one entry into an isolate ended. */
export type EntryEnding =
  | { readonly kind: 'done' }
  /** It was still computing when its time was up. */
  | { readonly kind: 'timeout' }
  | { readonly kind: 'memory' }
  /** A promise was rejected without a handler. */
  | { readonly kind: 'rejection'; readonly message: string };

/** One isolate with the guest runtime in it. */
export interface GuestIsolate {
  /** Never rejects. Never settles when native code cannot be interrupted. */
  readonly enter: (
    framesJson: string,
    bodies: readonly Body[],
    timeoutMs: number,
  ) => Promise<EntryEnding>;
  readonly cpuMs: () => number;
  /** Bytes on the heap and in buffers; waits until the isolate is free. */
  readonly memoryBytes: () => Promise<number>;
  readonly dispose: () => void;
}

export interface IsolateSpec {
  readonly memoryMb: number;
  readonly wasm: boolean;
  readonly services: string;
  readonly guestRuntime: string;
  /** Receives what the guest sends. Neither header nor bodies are trusted. */
  readonly onSend: (framesJson: string, bodies: readonly unknown[]) => void;
  /** V8 lost the isolate: the process must end. */
  readonly onCatastrophe: (message: string) => void;
}

export interface Engine {
  readonly createIsolate: (spec: IsolateSpec) => Promise<GuestIsolate>;
  /**
   * Whether V8 can interrupt the loop that it is known to miss. `cpuMs` is the CPU time of the
   * process.
   */
  readonly selfTest: (cpuMs: () => number) => Promise<boolean>;
}

/** Loads isolated-vm from its binary. */
export function loadEngine(binary: string): Engine {
  const loaded: { exports: { ivm?: typeof ivm } } = { exports: {} };
  process.dlopen(loaded, binary);
  const engine = loaded.exports.ivm;
  if (engine === undefined) throw new Error('The isolate engine has no entry point.');
  return {
    createIsolate: (spec) => createIsolate(engine, spec),
    selfTest: (cpuMs) => selfTest(engine, cpuMs),
  };
}

async function createIsolate(engine: typeof ivm, spec: IsolateSpec): Promise<GuestIsolate> {
  const isolate = new engine.Isolate({
    memoryLimit: spec.memoryMb,
    onCatastrophicError: spec.onCatastrophe,
  });
  const context = await isolate.createContext();
  const send = new engine.Callback(
    (framesJson: unknown, ...bodies: unknown[]) => {
      if (typeof framesJson === 'string') spec.onSend(framesJson, bodies);
    },
    { ignored: true },
  );
  const deliver = await context.evalClosure(
    `${spec.guestRuntime}\nreturn guestRuntime.boot($0, $1, $2, $3);`,
    [send, spec.services, spec.wasm, toGuest(engine, randomBytes(32))],
    // Code of ours, so the limit only ends a hang.
    { result: { reference: true }, timeout: limits.startMs },
  );
  return {
    enter: async (framesJson, bodies, timeoutMs) => {
      try {
        const given = bodies.map((body) =>
          typeof body === 'string' ? body : toGuest(engine, body),
        );
        await deliver.apply(undefined, [framesJson, ...given], { timeout: timeoutMs });
        return { kind: 'done' };
      } catch (error) {
        return toEnding(error);
      }
    },
    cpuMs: () => (isolate.isDisposed ? 0 : Number(isolate.cpuTime) / 1e6),
    memoryBytes: async () => {
      const heap = await isolate.getHeapStatistics();
      return heap.total_heap_size + heap.externally_allocated_size;
    },
    dispose: () => {
      if (!isolate.isDisposed) isolate.dispose();
    },
  };
}

/** Bytes cross by transfer of a fresh copy, never by shared memory. */
function toGuest(engine: typeof ivm, bytes: Uint8Array): ivm.Copy<ArrayBuffer> {
  const copy = new Uint8Array(bytes).buffer;
  return new engine.ExternalCopy(copy, { transferOut: true }).copyInto({
    release: true,
    transferIn: true,
  });
}

/** Recognises isolated-vm's own messages; any other error is an unhandled rejection of the guest. */
function toEnding(error: unknown): EntryEnding {
  const message = error instanceof Error ? error.message : '';
  if (message === 'Script execution timed out.') return { kind: 'timeout' };
  if (message.startsWith('Isolate was disposed during execution due to memory limit')) {
    return { kind: 'memory' };
  }
  return { kind: 'rejection', message };
}

/**
 * V8 13.6 with loop unrolling drops the interrupt check of this loop. A host that runs it past its
 * timeout lacks the flag that prevents this, or has an engine that needs another one. CPU time
 * decides, not wall time, so a busy machine does not fail the test.
 */
async function selfTest(engine: typeof ivm, cpuMs: () => number): Promise<boolean> {
  const isolate = new engine.Isolate({ memoryLimit: 16 });
  const context = await isolate.createContext();
  const loop = await context.evalClosure(
    'return () => { for (;;) new Array(1000).fill(1); };',
    [],
    { result: { reference: true } },
  );
  const verdict = Promise.withResolvers<boolean>();
  const startCpuMs = cpuMs();
  const startedAt = performance.now();
  const look = setInterval(() => {
    const isLost = cpuMs() - startCpuMs > limits.selfTestCpuMs;
    const isLate = performance.now() - startedAt > limits.selfTestCpuMs;
    if ((isLost && isLate) || performance.now() - startedAt > limits.selfTestMs) {
      verdict.resolve(false);
    }
  }, limits.watchMs);
  loop.apply(undefined, [], { timeout: 60 }).then(
    () => verdict.resolve(false),
    () => verdict.resolve(true),
  );
  const passed = await verdict.promise;
  clearInterval(look);
  if (passed) isolate.dispose();
  return passed;
}
