import { AbortController, AbortSignal, Event, EventTarget } from './abort.ts';
import { atob, btoa } from './base64.ts';
import { createCrypto } from './crypto.ts';
import { DOMException } from './dom-exception.ts';
import { closeBuffers, closeSharedBuffers } from './plain-buffer.ts';
import { create, define, defineProperty, hasOwn, ownKeys, PlainError } from './primordials.ts';
import { structuredClone } from './structured-clone.ts';
import { TextDecoder, TextEncoder } from './text-encoding.ts';
import type { Timers } from './timers.ts';
import { URLSearchParams } from './url-search-params.ts';
import { URL } from './url.ts';

/**
 * The globals of the language that a plugin sees. The list is closed: globals of a newer engine are
 * removed until they are reviewed.
 */
const languageGlobals = [
  'Object', 'Function', 'Array', 'Number', 'parseFloat', 'parseInt', 'Infinity', 'NaN', 'undefined',
  'Boolean', 'String', 'Symbol', 'Date', 'Promise', 'RegExp', 'Error', 'AggregateError', 'EvalError',
  'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError', 'SuppressedError',
  'globalThis', 'JSON', 'Math', 'Intl', 'ArrayBuffer', 'Uint8Array', 'Int8Array', 'Uint16Array',
  'Int16Array', 'Uint32Array', 'Int32Array', 'BigUint64Array', 'BigInt64Array', 'Uint8ClampedArray',
  'Float16Array', 'Float32Array', 'Float64Array', 'DataView', 'Map', 'BigInt', 'Set', 'Iterator',
  'WeakMap', 'WeakSet', 'Proxy', 'Reflect', 'DisposableStack', 'AsyncDisposableStack', 'decodeURI',
  'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'escape', 'unescape', 'eval', 'isFinite',
  'isNaN',
]; // oxfmt-ignore

/** Removes all other globals, and adds those of Vitrine. */
export function installGlobals(parts: {
  readonly console: object;
  readonly timers: Timers;
  readonly digest: (algorithm: string, bytes: Uint8Array) => Promise<unknown>;
  readonly seed: ArrayBuffer;
  readonly wasm: boolean;
}): void {
  const kept = create(null) as Record<string, true>;
  for (const name of languageGlobals) kept[name] = true;
  if (parts.wasm) kept['WebAssembly'] = true;
  closeBuffers();
  closeSharedBuffers();
  for (const name of ownKeys(globalThis)) {
    if (typeof name !== 'string' || !hasOwn(kept, name)) Reflect.deleteProperty(globalThis, name);
  }
  // Custom stack formatting would run outside a timeout.
  freezeProperty(PlainError, 'prepareStackTrace', undefined);
  freezeProperty(PlainError, 'stackTraceLimit', 10);

  const { timers } = parts;
  const given: Readonly<Record<string, unknown>> = {
    console: parts.console,
    setTimeout: timers.setTimeout,
    setInterval: timers.setInterval,
    clearTimeout: timers.clear,
    clearInterval: timers.clear,
    queueMicrotask: queue,
    structuredClone,
    atob,
    btoa,
    TextEncoder,
    TextDecoder,
    URL,
    URLSearchParams,
    Event,
    EventTarget,
    AbortController,
    AbortSignal,
    DOMException,
    crypto: createCrypto(new Uint8Array(parts.seed), parts.digest),
    performance: createPerformance(),
  };
  for (const [name, value] of Object.entries(given)) define(globalThis, name, value);
}

const resolved = Promise.resolve();

function queue(run: unknown): void {
  if (typeof run !== 'function') throw new TypeError('The argument must be a function.');
  void resolved.then(() => {
    (run as () => void)();
  });
}

/** Whole milliseconds that never decrease. */
function createPerformance(): object {
  const timeOrigin = Date.now();
  const clock = Date.now;
  let latest = 0;
  return Object.freeze({
    timeOrigin,
    now: () => (latest = Math.max(latest, clock() - timeOrigin)),
  });
}

function freezeProperty(target: object, name: string, value: unknown): void {
  defineProperty(target, name, { value, writable: false, enumerable: false, configurable: false });
}
